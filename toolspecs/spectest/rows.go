package spectest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// rowsSuffix ends a fixture that holds rows of a tool's database, one per line:
// {"query": name, "values": {column: value}}.
const rowsSuffix = ".rows.jsonl"

// Rows says that a fixture holds rows of a database.
func (f Fixture) Rows() bool { return strings.HasSuffix(f.Name, rowsSuffix) }

// Read is what a reader makes of a fixture.
func (f Fixture) Read(reader transcript.Reader) ([]transcript.Located, transcript.Coverage, error) {
	if !f.Rows() {
		events, coverage, _, err := ReadAll(reader, f.Source(), f.Data, transcript.Position{})
		return events, coverage, err
	}
	rows, ok := reader.(transcript.RowReader)
	if !ok {
		return nil, transcript.Coverage{}, fmt.Errorf("%s: the reader takes no rows", f.Name)
	}
	var events []transcript.Located
	var total transcript.Coverage
	for line := range bytes.Lines(f.Data) {
		var row transcript.Row
		if err := json.Unmarshal(line, &row); err != nil {
			return nil, total, fmt.Errorf("%s: %w", f.Name, err)
		}
		mapped, coverage := rows.MapRows([]transcript.Row{row})
		events = append(events, mapped...)
		total.Add(coverage)
	}
	return events, total, nil
}
