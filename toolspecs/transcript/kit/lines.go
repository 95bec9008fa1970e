package kit

import (
	"encoding/json"
	"io"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Format is what a reader of JSON lines knows of its tool. It embeds Lines, and
// its reader, which embeds Tables.
type Format interface {
	// Parse takes the record that comes next apart. A record that it refuses is
	// counted as broken.
	Parse(record []byte) error
	// Version is that of the tool that wrote the record, as far as is known: a
	// type that no spec knows is counted under it.
	Version() string
	// Read maps the record that was parsed, of a type that is read.
	Read(kind string)
	// State is what Read remembers from one record to the next.
	State() (json.RawMessage, error)

	reading
	mapping
}

// reading is what embeds Tables, mapping what embeds Lines.
type (
	reading interface{ tables() *Tables }
	mapping interface{ lines() *Lines }
)

var (
	_ reading = (*Tables)(nil)
	_ mapping = (*Lines)(nil)
)

// Decode is a decoder of a source of JSON lines.
func Decode(in io.Reader, pos transcript.Position, format Format) transcript.Decoder {
	return transcript.DecodeLines(in, pos, mapper{format})
}

// DecodeRecords is a decoder of such a source whose tool writes no newline at its end.
func DecodeRecords(in io.Reader, pos transcript.Position, format Format) transcript.Decoder {
	return transcript.DecodeRecords(in, pos, mapper{format})
}

// Map sorts one record, counts it and, where its type is read, has it read.
func Map(format Format, line transcript.Line, batch *transcript.Batch) {
	tables := format.tables()
	batch.Coverage.Records++
	name, class := tables.Sorter.Sort(line.Text)
	if class == toolspecs.Skipped {
		batch.Coverage.Skipped++
		path, divided := tables.Spec.Records.Subtype[name]
		if divided && transcript.Member(line.Text, path) == nil { // what divides it is gone
			batch.Coverage.CountUnknown(format.Version(), transcript.MemberPrefix+name+" without "+path, 1)
		}
		return
	}
	if format.Parse(line.Text) != nil {
		batch.Coverage.Broken++
		return
	}
	if class == toolspecs.Unknown {
		batch.Coverage.CountUnknown(format.Version(), name, 1)
		return
	}
	batch.Coverage.Read++
	tables.checkNames(line, name, format.Version(), &batch.Coverage)
	lines := format.lines()
	lines.At(line.Ref(), batch, tables.Spec.Tool)
	lines.calls, lines.version = tables.Calls, format.Version()
	format.Read(name)
}

type mapper struct{ Format }

// Map implements transcript.LineMapper.
func (m mapper) Map(line transcript.Line, batch *transcript.Batch) { Map(m.Format, line, batch) }

// Lines is the record that is being read, and the batch its events go to.
// Formats embed it.
type Lines struct {
	ref   transcript.Ref // of its first event
	batch *transcript.Batch
	tool  string

	calls   *toolspecs.CallTable // nil where they are not looked at
	version string
}

func (l *Lines) lines() *Lines { return l }

// At goes to a record. Map does so itself; a reader whose records are no lines
// calls it for each.
func (l *Lines) At(ref transcript.Ref, batch *transcript.Batch, tool string) {
	l.ref, l.batch, l.tool = ref, batch, tool
}

// Offset is the place of the record in its source.
func (l *Lines) Offset() int64 { return l.ref.Offset }

// Coverage counts what becomes of the records of this batch.
func (l *Lines) Coverage() *transcript.Coverage { return &l.batch.Coverage }

// UnknownCall counts a call of a name that no spec knows.
func (l *Lines) UnknownCall(version, name string) {
	l.batch.Coverage.CountUnknown(version, "call "+name, 1)
}

// Add adds an event made from the record, behind those it gave before.
func (l *Lines) Add(event transcript.Event) transcript.Event {
	event.Tool = l.tool
	ref := l.ref
	if n := len(l.batch.Events); n > 0 && l.batch.Events[n-1].Ref.Offset == ref.Offset {
		ref.Block = l.batch.Events[n-1].Ref.Block + 1
	}
	l.batch.Events = append(l.batch.Events, transcript.Located{Event: event, Ref: ref})
	if l.calls != nil {
		countLacking(l.calls, event, l.version, &l.batch.Coverage)
	}
	return event
}

// Edited passes the text around an edit along with the event that was added
// last.
func (l *Lines) Edited(path, before, after string) {
	l.batch.Events[len(l.batch.Events)-1].Edit = &transcript.EditText{Path: path, Before: before, After: after}
}

// Decisions adds the decisions that stand in a text of an event.
func (l *Lines) Decisions(from transcript.Event, text string) {
	for _, decision := range transcript.DecisionEvents(from, text) {
		l.Add(decision)
	}
}
