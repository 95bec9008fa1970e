package kit

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Every record up to checkedRecords of a source is compared with the names that its
// tool is known to use, and of those behind them one in checkedShare: a version that
// renamed a member shows in all of them.
const (
	checkedRecords = 400
	checkedShare   = 32
	checkedDepth   = 12
)

// checkNames counts the members of a record that its tool was never seen to write: one
// that was renamed is one of them, whatever is left to read.
func (t *Tables) checkNames(line transcript.Line, kind, version string, coverage *transcript.Coverage) {
	if len(t.names) == 0 || line.Number > checkedRecords && line.Number%checkedShare != 0 {
		return
	}
	t.CheckMembers(kind, version, line.Text, coverage)
}

// CheckMembers counts the unknown members of a record, or of a document that is not
// made of records.
func (t *Tables) CheckMembers(kind, version string, value []byte, coverage *transcript.Coverage) {
	if len(t.names) > 0 {
		t.check(value, checkedDepth, unknownOf(kind, version, coverage))
	}
}

// CheckName does so for a name that stands by itself, as in the path of a change.
func (t *Tables) CheckName(kind, version, name string, coverage *transcript.Coverage) {
	if _, known := t.names[name]; len(t.names) > 0 && !known {
		unknownOf(kind, version, coverage)(name)
	}
}

// unknownOf counts a member of a kind of record.
func unknownOf(kind, version string, coverage *transcript.Coverage) func(name string) {
	return func(name string) {
		coverage.CountUnknown(version, transcript.MemberPrefix+kind+"."+truncated(name), 1)
	}
}

// Checked counts, once a document was read, the members of it that its tool was never
// seen to write, and the calls that lack an argument.
func (t *Tables) Checked(kind string, read func([]byte, *transcript.Batch) bool) func([]byte, *transcript.Batch) bool {
	return func(data []byte, batch *transcript.Batch) bool {
		whole := read(data, batch)
		if whole {
			t.CheckMembers(kind, "", data, &batch.Coverage)
			t.CheckCalls(batch.Events, &batch.Coverage)
		}
		return whole
	}
}

// checkRow does so for a row: its columns, and the objects that stand in them.
func (t *Tables) checkRow(row transcript.Row, coverage *transcript.Coverage) {
	unknown := unknownOf(row.Query, "", coverage)
	for column := range row.Values {
		free, known := t.names[column]
		switch {
		case slices.Contains(steering, column):
		case !known:
			unknown(column)
		case !free:
			t.check([]byte(row.Text(column)), checkedDepth, unknown)
		}
	}
}

// steering are the columns that every query has, for the reading alone.
var steering = []string{"group", "key", "mark"}

// check visits the unknown names of a value. What users, models and other programs put
// below a member is not looked at.
func (t *Tables) check(value []byte, depth int, unknown func(name string)) {
	value = trimmed(value)
	if len(value) == 0 || depth == 0 {
		return
	}
	switch value[0] {
	case '[':
		for n, element := range transcript.Elements(value) {
			if n < checkedRecords || n%checkedShare == 0 {
				t.check(element, depth-1, unknown)
			}
		}
	case '{':
		for walker := transcript.Walk(value); ; {
			key, inner, ok := walker.Next()
			if !ok {
				return
			}
			free, known := t.names[string(key)]
			if !known {
				unknown(string(key))
				continue
			}
			if !free {
				t.check(inner, depth-1, unknown)
			}
		}
	}
}

func truncated(name string) string {
	return strings.ToValidUTF8(name[:min(len(name), maxNameShown)], "")
}

// maxNameShown bounds a name that is counted, in bytes.
const maxNameShown = 64

func trimmed(value []byte) []byte {
	for len(value) > 0 && (value[0] == ' ' || value[0] == '\n' || value[0] == '\t' || value[0] == '\r') {
		value = value[1:]
	}
	return value
}
