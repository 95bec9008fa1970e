package cursor

import (
	"strconv"
	"strings"
	"time"

	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// bubble is a message of a session.
type bubble struct {
	ID      string `json:"bubbleId"`
	Type    int    `json:"type"`
	Text    string `json:"text"`
	Created string `json:"createdAt"` // RFC 3339; since autumn 2025
	Timing  struct {
		Start float64 `json:"clientStartTime"`
	} `json:"timingInfo"`
	Tool *tool `json:"toolFormerData"`
}

// Types of a bubble.
const (
	typeUser      = 1
	typeAssistant = 2
)

// kinds are the names of the types as records of the spec.
var kinds = map[int]string{typeUser: "user", typeAssistant: "assistant"}

// bubble maps a message. Its number in the session places it where it has no
// time.
func (r *Reader) bubble(session string, b bubble, number int64, coverage *transcript.Coverage) []transcript.Located {
	kind, known := kinds[b.Type]
	if !known {
		kind = "bubble " + strconv.Itoa(b.Type)
	}
	if !r.Count(kind, coverage) {
		return nil
	}
	made, when := int64(0), at(int64(b.Timing.Start))
	if created, err := time.Parse(time.RFC3339, b.Created); err == nil {
		made, when = created.UnixMilli(), created.UTC()
	}
	rec := &record{Reader: r, session: session, Record: kit.Record{Ref: placed(b.ID, made, number+1)}, time: when}
	switch {
	case b.Type == typeUser:
		rec.prompt(b.ID+"#0", b.Text)
	case b.Tool != nil:
		rec.reply(b)
		rec.tool(b, coverage)
	default:
		rec.reply(b)
	}
	return rec.Events
}

func (r *record) prompt(id, text string) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
	case transcript.Ours(text):
		r.emit(transcript.Event{ID: id, Kind: transcript.Restored})
	case r.Spec.MachinePrompt(text):
		r.emit(transcript.Event{ID: id, Kind: transcript.Prompt, Text: text, Origin: transcript.Machine})
	default:
		r.emit(transcript.Event{ID: id, Kind: transcript.Prompt, Text: text, Origin: transcript.Typed})
	}
}

func (r *record) reply(b bubble) {
	text := strings.TrimSpace(b.Text)
	if text == "" {
		return
	}
	event := r.emit(transcript.Event{ID: b.ID + "#0", Kind: transcript.Reply, Text: text}).Event
	r.Decisions(event, text)
}
