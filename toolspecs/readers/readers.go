// Package readers names the reader of each tool.
package readers

import (
	"fmt"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/tools/acp"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

//go:generate go test -run TestTable_IsUpToDate . -update

// For is the reader of the spec's tool, or the one that the spec borrows, as a
// fork does; it reads by that spec. A tool without a reader is
// toolspecs.ErrUnknown.
func For(spec *toolspecs.Spec) (transcript.Reader, error) {
	reader, ok := table[spec.ReaderName()]
	if !ok {
		return nil, fmt.Errorf("read transcripts of %s: %w", spec.Name, toolspecs.ErrUnknown)
	}
	return reader(spec), nil
}

// Protocol is the reader of what `carryover acp` wrote of a tool's sessions; nil where
// the table does not know the protocol.
func Protocol(table *toolspecs.Table, tool string) transcript.Reader {
	spec, err := table.Lookup("acp")
	if err != nil {
		return nil
	}
	return acp.New(spec).For(tool)
}
