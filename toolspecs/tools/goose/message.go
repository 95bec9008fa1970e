package goose

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// message tells of a message: a list of parts. Where messages have an end, one that is
// still being written ends no turn.
func (r *Reader) message(row transcript.Row, coverage *transcript.Coverage) []transcript.Located {
	var parts []part
	if data := row.Text("data"); data == "" || json.Unmarshal([]byte(data), &parts) != nil {
		kit.Broken(coverage)
		return nil
	}
	role := row.Text("role")
	if !r.Count(role, coverage) {
		return nil
	}
	session, id := row.Text("session_id"), row.Text("id")
	if id == "" { // numbered alone
		id = strconv.FormatInt(row.Int("key"), 10)
	}
	rec := &kit.Message{
		Tables: r.Tables, Session: session, ID: session + "/" + id,
		Record: kit.Record{Ref: transcript.Ref{Offset: row.Int("key")}}, Time: kit.Stamp(row.Int("created_at")),
	}
	text := said(parts)
	if role == "assistant" {
		rec.Reply(text)
	}
	for n, part := range parts {
		if call, ok := part.call(); ok {
			rec.Call("c"+strconv.Itoa(n), call.id, call.name, call.input, coverage)
		}
		if result, ok := part.result(); ok {
			rec.Emit("r"+strconv.Itoa(n), transcript.Event{Kind: transcript.Result, Result: result})
		}
	}
	switch {
	case role == "user" && !slices.ContainsFunc(parts, part.answers):
		rec.Prompt(text)
	case role == "assistant" && ended(parts) && !slices.ContainsFunc(parts, part.calls):
		rec.Completed()
	}
	return rec.Events
}

// ended says that a message is complete: Crush marks it with a part of its own.
func ended(parts []part) bool {
	return !slices.ContainsFunc(parts, part.ofCrush) || slices.ContainsFunc(parts, part.ends)
}
