package daemon

import (
	"cmp"
	"context"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// beforeCut reads the transcript to its end and answers a tool that lets a
// hook tell its summariser what to keep.
func (p *Pipeline) beforeCut(ctx context.Context, hook capture.Hook) (string, error) {
	if err := p.takeHook(ctx, hook); err != nil {
		return "", err
	}
	key := ledger.SessionKey{Tool: hook.Tool, ID: hook.Session}
	p.sessions.announce(key, hook.Trigger, hook.Time)
	if hook.Hook.Output == "none" || hook.Agent != "" {
		return "", nil
	}
	session, found, err := p.Log.Session(ctx, key)
	if err != nil || !found || p.projectChoices(session.Worktree).Excluded(session.Worktree) {
		return "", err
	}
	facts, err := p.Distil(ctx, session)
	return render.Keep(facts), err
}

// cutComes publishes before a cut: the handoff first, it is what the session
// is given back, then the long document with its snapshot.
func (d *Daemon) cutComes(ctx context.Context, hook capture.Hook) {
	key := ledger.SessionKey{Tool: hook.Tool, ID: hook.Session}
	d.publishNow(ctx, key)
	d.writeLedger(ctx, key, cmp.Or(hook.Trigger, "before a cut"))
}

func (d *Daemon) writeLedger(ctx context.Context, key ledger.SessionKey, trigger string) {
	if err := d.PublishLedger(ctx, key, d.readInstalled(), trigger); err != nil && ctx.Err() == nil {
		d.Zap.Warn("long document not published", zap.String("tool", key.Tool), zap.String("session", key.ID), zap.Error(err))
	}
}

// announced is a cut that a hook or a record told of before it came.
type announced struct {
	trigger string // who asked for it; some transcripts do not say
	comes   bool   // its record has not been read yet
	at      time.Time
}

func (s *sessions) announce(key ledger.SessionKey, trigger string, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.told[key] = announced{trigger: trigger, comes: true, at: at}
}

// turnEnded gives up the cut that was told of and has not come by then.
func (s *sessions) turnEnded(key ledger.SessionKey, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if told := s.told[key]; told.comes && at.After(told.at) {
		s.told[key] = announced{trigger: told.trigger}
	}
}

// announcedCut is the cut that was told of last, zero when none was.
func (s *sessions) announcedCut(key ledger.SessionKey) announced {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.told[key]
}

// cutAnnounced says, once for each cut, whether the one whose record was just
// read had been told of.
func (s *sessions) cutAnnounced(key ledger.SessionKey) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	told := s.told[key]
	s.told[key] = announced{trigger: told.trigger}
	return told.comes
}

// lastCut is when the session's context was last cut, as its tool says; zero
// when it never was. A session is searched once; after that the events that
// come in tell it.
func (s *sessions) lastCut(ctx context.Context, key ledger.SessionKey) (time.Time, error) {
	s.mu.Lock()
	cut, known := s.cuts[key]
	s.mu.Unlock()
	if known {
		return cut, nil
	}
	for event, err := range s.log.Events(ctx, key) {
		if err != nil {
			return time.Time{}, err
		}
		if isCut(event.Event) {
			cut = event.Time
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if seen, ok := s.cuts[key]; !ok || seen.Before(cut) {
		s.cuts[key] = cut
	}
	return s.cuts[key], nil
}

// triggerOf is who asked for a cut, as its record says.
func triggerOf(event transcript.Event) string {
	if event.Compaction == nil {
		return ""
	}
	return event.Compaction.Trigger
}

func isCut(event transcript.Event) bool {
	return event.Kind == transcript.Compacted && !event.Subagent && !event.Withdrawn
}
