package daemon

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/daemon/restore"
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/modules/ledger"
)

// toolRan answers in mid-turn: with what a cut took away, in those tools that
// tell of a cut in no other way, or with the notice that the context fills up.
func (p *Pipeline) toolRan(ctx context.Context, hook capture.Hook) (string, error) {
	if err := p.takeHook(ctx, hook); err != nil {
		return "", err
	}
	if err := p.lookAtHead(ctx, hook); err != nil {
		return "", err
	}
	if hook.Session == "" || hook.Hook.Output == "none" || p.insideSubagent(hook) {
		return "", nil
	}
	defer p.sessions.answer(ledger.SessionKey{Tool: hook.Tool, ID: hook.Session})()
	source, err := p.sourceOf(ctx, hook)
	switch {
	case err != nil:
		return "", err
	case source != "":
		hook.Source = source
		return p.sessionStarts(ctx, hook)
	case !p.Choices.Fullness.MidTurn:
		return "", nil
	}
	return p.notice(ctx, hook)
}

// notice tells a session, once for each time it goes over the threshold, how
// full its context is.
func (p *Pipeline) notice(ctx context.Context, hook capture.Hook) (string, error) {
	key := ledger.SessionKey{Tool: hook.Tool, ID: hook.Session}
	usage, first, due := p.gauges.Due(key)
	if !due || hook.Hook.Output == "none" {
		return "", nil
	}
	session, found, err := p.Log.Session(ctx, key)
	if err != nil || !found || p.projectChoices(session.Worktree).Excluded(session.Worktree) {
		return "", err
	}
	if first {
		if told, err := p.toldBefore(ctx, key); err != nil || told {
			p.gauges.Told(key)
			return "", err
		}
	}
	text := render.Notice(distiller.Usage{Context: usage.Context, Window: usage.Window, Model: usage.Model})
	p.gauges.Told(key)
	return text, p.Log.RecordRestore(ctx, ledger.Restore{
		Session: key, From: key, Project: session.Project.ID, Event: hook.Event, Decision: restore.Notice,
		Reason: fmt.Sprintf("the context is %d %% full", usage.Context*100/usage.Window),
		Lines:  strings.Count(text, "\n"), Bytes: len(text), Time: hook.Time.UTC(),
	})
}

// toldBefore says whether an earlier run of the daemon has told the session
// since its last cut.
func (p *Pipeline) toldBefore(ctx context.Context, key ledger.SessionKey) (bool, error) {
	cut, err := p.sessions.lastCut(ctx, key)
	if err != nil {
		return false, err
	}
	list, err := p.Log.Restores(ctx, key, 0)
	for _, r := range list {
		if r.Decision == restore.Notice && r.Time.After(cut) {
			return true, err
		}
	}
	return false, err
}

// answer lets one hook of a session be answered at a time: calls that ran side
// by side must not both be told the same. The returned function ends it.
func (s *sessions) answer(key ledger.SessionKey) (done func()) {
	s.mu.Lock()
	if s.answers[key] == nil {
		s.answers[key] = &sync.Mutex{}
	}
	one := s.answers[key]
	s.mu.Unlock()
	one.Lock()
	return one.Unlock
}
