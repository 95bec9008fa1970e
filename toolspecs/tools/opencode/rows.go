package opencode

import (
	"encoding/json"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Queries implements transcript.RowReader.
func (r *Reader) Queries() []transcript.RowQuery { return r.queries }

// MapRows implements transcript.RowReader.
func (r *Reader) MapRows(rows []transcript.Row) ([]transcript.Located, transcript.Coverage) {
	var events []transcript.Located
	var coverage transcript.Coverage
	for _, row := range rows {
		events = append(events, r.row(row, &coverage)...)
	}
	return events, coverage
}

func (r *Reader) row(row transcript.Row, coverage *transcript.Coverage) []transcript.Located {
	id, made := row.Text("id"), row.Int("time_created")
	at := &record{Reader: r, ref: placed(id, made), session: session{
		id: row.Text("session_id"), parent: row.Text("parent_id"), headless: r.headless([]byte(row.Text("permission"))),
	}}
	switch row.Query {
	case "session":
		r.sort("session", coverage)
		about := info{
			ID: id, Parent: at.session.parent, Directory: row.Text("directory"), Title: row.Text("title"),
			Version: row.Text("version"), Model: json.RawMessage(row.Text("model")),
		}
		about.Time.Created = made
		at.opened(about)
	case "message":
		var m message
		if !decode([]byte(row.Text("data")), &m) {
			coverage.Records++
			coverage.Broken++
			return nil
		}
		if m.ID = id; r.sort(m.Role, coverage) {
			at.ref = placed(id, m.Time.Completed) // after its parts
			at.ended(m)
		}
	case "part":
		p := part{
			role: row.Text("role"), mode: row.Text("mode"), done: row.Int("completed") > 0, made: row.Int("message_created"),
			trigger: trigger(row.Int("auto") != 0),
		}
		if !decode([]byte(row.Text("data")), &p) {
			coverage.Records++
			coverage.Broken++
			return nil
		}
		if p.ID = id; r.sort(p.Type, coverage) {
			at.read(p, coverage)
		}
	}
	return at.events
}
