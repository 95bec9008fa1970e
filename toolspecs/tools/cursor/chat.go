package cursor

import (
	"cmp"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// chat is a session of the chat panel of 2024, which stood in the database of
// its workspace.
type chat struct {
	ID      string    `json:"tabId"`
	Title   string    `json:"chatTitle"`
	Sent    int64     `json:"lastSendTime"` // milliseconds, of the newest message
	Bubbles []message `json:"bubbles"`
}

// message is one of the user ("user") or of the model ("ai").
type message struct {
	ID   string `json:"id"`
	Type string `json:"type"`
	Text string `json:"text"`
	Raw  string `json:"rawText"`
}

// chat tells of such a session. Only the time of its newest message is known.
func (r *Reader) chat(c chat, cwd string, coverage *transcript.Coverage) []transcript.Located {
	if c.ID == "" {
		kit.Broken(coverage)
		return nil
	}
	opening := &record{Reader: r, session: c.ID, Record: kit.Record{Ref: placed(c.ID, 0, 0)}}
	event := transcript.Event{ID: c.ID + "#start", Kind: transcript.Session, Start: &transcript.Start{}}
	if cwd != "" {
		event.WorkDir = &transcript.WorkDir{Cwd: cwd}
	}
	opening.emit(event)
	if title := strings.TrimSpace(c.Title); title != "" {
		opening.emit(transcript.Event{ID: c.ID + "#title", Kind: transcript.Title, Text: title})
	}
	events := opening.Events
	newest := 0
	for i, m := range c.Bubbles {
		if m.Type == "user" && m.text() != "" {
			newest = i
		}
	}
	for i, m := range c.Bubbles {
		said := &record{Reader: r, session: c.ID, Record: kit.Record{Ref: placed(cmp.Or(m.ID, c.ID), 0, int64(i+1))}}
		if i == newest {
			said.time = at(c.Sent)
		}
		said.message(c.ID, m, coverage)
		events = append(events, said.Events...)
	}
	return events
}

func (m message) text() string { return strings.TrimSpace(cmp.Or(m.Text, m.Raw)) }

// message tells what one message says. An empty one is the box to write in.
func (r *record) message(session string, m message, coverage *transcript.Coverage) {
	kind, known := map[string]string{"user": "user", "ai": "assistant"}[m.Type]
	if !known {
		kind = "message " + m.Type
	}
	if !r.Count(kind, coverage) || m.ID == "" {
		return
	}
	id := session + "/" + m.ID
	if kind == "user" {
		r.prompt(id+"#0", m.text())
		return
	}
	r.reply(bubble{ID: id, Text: m.text()})
}
