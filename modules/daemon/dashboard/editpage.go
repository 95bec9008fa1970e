package dashboard

import (
	"context"
	"errors"
	"net/http"

	"github.com/carryover-go/carryover/modules/daemon/dashboard/timeline"
	"github.com/carryover-go/carryover/modules/daemon/dashboard/words"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Edits tells a session as its transcript does, with the texts of edits, which no ledger
// keeps.
type Edits interface {
	EachEvent(ctx context.Context, session ledger.Session, visit func(transcript.Located)) error
}

// edits is the page of what some calls of a session changed. The page of the session
// loads it after itself, and puts each difference below its call.
type edits struct {
	Session string // address of its page
	Edits   []shownEdit
}

// shownEdit is one, with the place that waits for it.
type shownEdit struct {
	timeline.Edit
	Index int
}

// edits compares the texts of the calls in a part of a session.
func (p sessionPages) edits(r *http.Request) (screen, error) {
	of, _, err := p.sessionNamed(r)
	if err != nil {
		return screen{}, err
	}
	window := windowOf(r.URL.Query())
	part, err := p.Ledger.EventPart(r.Context(), of.SessionKey, window)
	if err != nil {
		return screen{}, err
	}
	data := edits{Session: words.SessionURL(of.Tool, of.ID)}
	waiting := map[string]int{}
	for _, event := range part.Events {
		if call := event.Call; call != nil && call.ID != "" && (call.Meaning == transcript.Edit || call.Meaning == transcript.Write) {
			waiting[call.ID] = event.Index
		}
	}
	// The transcript is read no further than to the last of the calls.
	ctx, stop := context.WithCancel(r.Context())
	defer stop()
	err = p.Edits.EachEvent(ctx, of, func(event transcript.Located) {
		if event.Call == nil || event.Edit == nil {
			return
		}
		index, waits := waiting[event.Call.ID]
		if !waits {
			return
		}
		data.Edits = append(data.Edits, shownEdit{timeline.EditOf(*event.Edit), index})
		if delete(waiting, event.Call.ID); len(waiting) == 0 {
			stop()
		}
	})
	if errors.Is(err, context.Canceled) && r.Context().Err() == nil {
		err = nil
	}
	return screen{template: "edits", title: "Edits", at: "sessions", data: data}, err
}
