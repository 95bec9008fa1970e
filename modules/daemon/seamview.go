package daemon

import (
	"context"
	"iter"

	"github.com/carryover-go/carryover/modules/daemon/session"
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/compaction"
	"github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// SeamView is what the summary of a session's last cut kept and lost
// (docs/json-output.md).
type SeamView struct {
	Schema   int        `json:"schema"`
	Tool     string     `json:"tool"`
	Session  string     `json:"session"`
	Project  string     `json:"project,omitempty"`
	Time     string     `json:"time,omitempty"`
	Trigger  string     `json:"trigger,omitempty"`
	Readable bool       `json:"readable"` // the tool's summary can be read
	Kept     []SeamItem `json:"kept"`
	Lost     []SeamItem `json:"lost"`
}

// SeamItem is one thing that the session held before the cut.
type SeamItem struct {
	Kind   string `json:"kind"` // file, command, error, decision
	Text   string `json:"text"`
	Source Where  `json:"source"`
}

// SeamOf compares a session before its last cut with the tool's summary of it:
// the session named, else the newest of the directory.
func (p *Pipeline) SeamOf(ctx context.Context, directory, id string) (SeamView, error) {
	session, err := p.pick(ctx, directory, HandoffOptions{Session: id})
	if err != nil {
		return SeamView{}, err
	}
	cut, found, err := p.cutOf(ctx, session.SessionKey)
	if err == nil && !found {
		err = nothing("the context of session " + session.ID + " was never cut")
	}
	if err != nil {
		return SeamView{}, err
	}
	return p.SeamAt(ctx, session, cut)
}

// SeamAt compares a session before one of its cuts with the tool's summary of
// it.
func (p *Pipeline) SeamAt(ctx context.Context, of ledger.Session, cut transcript.Located) (SeamView, error) {
	var err error
	state := extract.Replay(distiller.Facts{}, extract.Options{Root: of.Worktree}, p.until(ctx, of.SessionKey, cut.ID, &err))
	if err != nil {
		return SeamView{}, err
	}
	view := SeamView{
		Schema: 1, Tool: of.Tool, Session: of.ID, Project: of.Project.Path, Time: Stamp(cut.Time),
		Trigger: session.TriggerOf(cut.Event), Readable: cut.Text != "", Kept: []SeamItem{}, Lost: []SeamItem{},
	}
	for _, item := range compaction.Compare(state.Facts(), state.Trail(), cut.Text) {
		out := SeamItem{Kind: item.Kind, Text: item.Text, Source: Where{Line: item.Source.Line, Offset: item.Source.Offset}}
		if item.Kept {
			view.Kept = append(view.Kept, out)
		} else {
			view.Lost = append(view.Lost, out)
		}
	}
	return view, nil
}

// cutOf is the last cut of a session.
func (p *Pipeline) cutOf(ctx context.Context, key ledger.SessionKey) (cut transcript.Located, found bool, err error) {
	for event, err := range p.Log.Events(ctx, key) {
		if err != nil {
			return cut, false, err
		}
		if session.IsCompaction(event.Event) {
			cut, found = event, true
		}
	}
	return cut, found, nil
}

// until yields a session's events before one of them.
func (p *Pipeline) until(ctx context.Context, key ledger.SessionKey, id string, failed *error) iter.Seq[transcript.Located] {
	return func(yield func(transcript.Located) bool) {
		for event, err := range p.Log.Events(ctx, key) {
			if err != nil {
				*failed = err
				return
			}
			if event.ID == id || !yield(event) {
				return
			}
		}
	}
}
