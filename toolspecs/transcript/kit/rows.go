package kit

import "github.com/carryover-go/carryover/toolspecs/transcript"

// Record is a row of a database, or a part of a document, on its way to events.
type Record struct {
	Ref    transcript.Ref // of its first event
	Events []transcript.Located
}

// Add adds an event made from the record, behind those it gave before. What it
// returns holds until the next one is added.
func (r *Record) Add(event transcript.Event) *transcript.Located {
	ref := r.Ref
	ref.Block += len(r.Events)
	r.Events = append(r.Events, transcript.Located{Event: event, Ref: ref})
	return &r.Events[len(r.Events)-1]
}

// Decisions adds the decisions that stand in a text of an event.
func (r *Record) Decisions(from transcript.Event, text string) {
	for _, decision := range transcript.DecisionEvents(from, text) {
		r.Add(decision)
	}
}

// MapRows turns rows into events, one after the other, and counts the columns and
// members of those that were read which their tool was never seen to have.
func MapRows(tables *Tables, rows []transcript.Row, read func(transcript.Row, *transcript.Coverage) []transcript.Located) ([]transcript.Located, transcript.Coverage) {
	var events []transcript.Located
	var coverage transcript.Coverage
	for n, row := range rows {
		before := coverage.Read
		made := read(row, &coverage)
		tables.CheckCalls(made, &coverage)
		events = append(events, made...)
		if len(tables.names) > 0 && coverage.Read > before && (n < checkedRecords || n%checkedShare == 0) {
			tables.checkRow(row, &coverage)
		}
	}
	return events, coverage
}
