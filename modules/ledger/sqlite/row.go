package sqlite

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/redact"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// The rows that gorm maps. Events, occurrences and the index have none: they
// are written in bulk with plain SQL.

type toolRow struct {
	ID   int64
	Name string
}

func (toolRow) TableName() string { return "tool" }

type sourceRow struct {
	ID       int64
	Tool     int64
	Path     string
	Main     string
	Hook     bool
	Subagent bool
	Rewrites bool
	Device   int64
	Inode    int64
	Size     int64
	Modified int64
	Head     string
	Tail     string
	Revision int
	Offset   int64
	Line     int64
	State    string
	Parked   string
	Coverage string
	Latest   int64
	Prompted bool // a prompt was read in it
	Openings int  // events of it that open a session
}

func (sourceRow) TableName() string { return "source" }

// take copies what a batch says about its source.
func (r *sourceRow) take(source ledger.Source) {
	r.Main, r.Subagent, r.Rewrites = source.Main, source.Subagent, source.Rewrites
	r.Device, r.Inode, r.Size = int64(source.Device), int64(source.Inode), source.Size
	r.Modified = 0
	if !source.ModTime.IsZero() {
		r.Modified = source.ModTime.UnixNano()
	}
	r.Head, r.Tail, r.Revision = source.Head, source.Tail, source.Revision
	r.Offset, r.Line, r.State = source.Position.Offset, source.Position.Line, redact.JSON(string(source.Position.State))
	r.Parked = redact.Text(source.Parked)
}

func (r *sourceRow) source(tool string) ledger.Source {
	source := ledger.Source{
		Tool: tool, Path: r.Path, Main: r.Main, Subagent: r.Subagent, Rewrites: r.Rewrites,
		Device: uint64(r.Device), Inode: uint64(r.Inode), Size: r.Size,
		Head: r.Head, Tail: r.Tail, Revision: r.Revision, Parked: r.Parked,
		Position: transcript.Position{Offset: r.Offset, Line: r.Line},
	}
	if r.Modified != 0 {
		source.ModTime = time.Unix(0, r.Modified).UTC()
	}
	if r.State != "" {
		source.Position.State = json.RawMessage(r.State)
	}
	return source
}

// addCoverage adds up what became of the source's records.
func (r *sourceRow) addCoverage(more transcript.Coverage) error {
	total, err := r.coverage()
	if err != nil {
		return err
	}
	total.Add(more)
	text, err := json.Marshal(total)
	r.Coverage = string(text)
	return err
}

func (r *sourceRow) coverage() (total transcript.Coverage, err error) {
	if r.Coverage == "" {
		return total, nil
	}
	if err := json.Unmarshal([]byte(r.Coverage), &total); err != nil {
		return total, fmt.Errorf("coverage of %s: %w", r.Path, err)
	}
	return total, nil
}
