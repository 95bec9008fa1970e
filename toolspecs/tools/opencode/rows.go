package opencode

import (
	"encoding/json"

	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// MapRows implements transcript.RowReader.
func (r *Reader) MapRows(rows []transcript.Row) ([]transcript.Located, transcript.Coverage) {
	return kit.MapRows(r.Tables, rows, r.row)
}

func (r *Reader) row(row transcript.Row, coverage *transcript.Coverage) []transcript.Located {
	id, made := row.Text("id"), row.Int("time_created")
	at := &record{Reader: r, Record: kit.Record{Ref: placed(id, made)}, session: session{
		id: row.Text("session_id"), parent: row.Text("parent_id"), headless: r.headless([]byte(row.Text("permission"))),
	}}
	switch row.Query {
	case "session":
		r.Count("session", coverage)
		about := info{
			ID: id, Parent: at.session.parent, Directory: row.Text("directory"), Title: row.Text("title"),
			Version: row.Text("version"), Model: json.RawMessage(row.Text("model")),
		}
		about.Time.Created = made
		at.opened(about)
	case "message":
		var m message
		if !decode([]byte(row.Text("data")), &m) {
			kit.Broken(coverage)
			return nil
		}
		if m.ID = id; r.Count(m.Role, coverage) {
			at.Ref = placed(id, m.Time.Completed) // after its parts
			at.ended(m)
		}
	case "part":
		p := part{
			role: row.Text("role"), mode: row.Text("mode"), done: row.Int("completed") > 0, made: row.Int("message_created"),
			trigger: trigger(row.Int("auto") != 0),
		}
		if !decode([]byte(row.Text("data")), &p) {
			kit.Broken(coverage)
			return nil
		}
		if p.ID = id; r.Count(p.Type, coverage) {
			at.read(p, coverage)
		}
	}
	return at.Events
}
