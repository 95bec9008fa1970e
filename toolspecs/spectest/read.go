// Package spectest holds every tool to the same rules: spec, reader, fixtures
// and evidence belong together, and any division of a transcript gives the same
// events.
package spectest

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// ReadAll reads data from pos to its end and returns the events, what became
// of the records, and the last position.
func ReadAll(reader transcript.Reader, src transcript.Source, data []byte, pos transcript.Position) ([]transcript.Located, transcript.Coverage, transcript.Position, error) {
	var events []transcript.Located
	var coverage transcript.Coverage
	decoder, err := reader.Decode(src, bytes.NewReader(data[pos.Offset:]), pos)
	if err != nil {
		return nil, coverage, pos, err
	}
	for {
		batch, err := decoder.Next()
		if errors.Is(err, io.EOF) {
			return events, coverage, pos, nil
		}
		if err != nil {
			return events, coverage, pos, err
		}
		if len(batch.Position.State) > transcript.MaxState {
			return events, coverage, pos, fmt.Errorf("a state of %d bytes", len(batch.Position.State))
		}
		events = append(events, batch.Events...)
		coverage.Add(batch.Coverage)
		pos = batch.Position
	}
}
