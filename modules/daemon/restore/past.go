package restore

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// compacted is the source of a start that follows a compaction.
const compacted = "compact"

// sourceOf says what a prompt begins: a session, new or resumed, of which
// nothing was decided before, or what comes after a compaction; "" when it goes
// on. past are the decisions about the session, newest first.
func (s *Service) sourceOf(ctx context.Context, hook capture.Hook) (past []ledger.Restore, source string, err error) {
	if past, err = s.past(ctx, hook.Key()); err != nil {
		return past, "", err
	}
	last, met := lastGiven(past)
	switch {
	case !met && hook.Hook.Gives(toolspecs.AtStart):
		source, err = s.beginning(ctx, hook.Key())
		return past, source, err
	case !met || !hook.Hook.Gives(toolspecs.AfterCompaction):
		return past, "", nil
	}
	at, err := s.Sessions.Compactions.Last(ctx, hook.Key())
	if err != nil || !at.After(last) {
		return past, "", err
	}
	return past, compacted, nil
}

// lastGiven is when the session last had something of ours, or an answer to a
// compaction; else when it was first met: what was compacted before that is old
// history. met is false for a session of which nothing was decided: that the user
// dismissed its handoff or wants it again is no such decision. past has the newest first.
func lastGiven(past []ledger.Restore) (at time.Time, met bool) {
	for _, decision := range past {
		if decision.ByUser() {
			continue
		}
		at, met = decision.Time, true
		if answers(decision) {
			return at, met
		}
	}
	return at, met
}

// answers says that nothing more is due for what was compacted before a decision.
// Nothing, after a compaction, is an answer only where it holds whatever is read: on a
// loaded machine the hook comes before the session's own transcript was read.
func answers(decision ledger.Restore) bool {
	switch decision.Decision {
	case Notice, OverlapNotice:
		return decision.Source == compacted
	case Nothing:
		return decision.Source == compacted && slices.ContainsFunc(Table, func(row Row) bool {
			return row.Why == decision.Reason && slices.Contains(unconditional, row.Name)
		})
	}
	return true
}

// unconditional are the rows that do not depend on what was read of the session.
var unconditional = []string{"subagent", "no project", "excluded", "reads the file"}

// beginning tells a new session from a resumed one: the prompt that is just sent
// stands in no transcript yet.
func (s *Service) beginning(ctx context.Context, key ledger.SessionKey) (source string, err error) {
	for event, err := range s.Store.Events(ctx, key) {
		if err != nil {
			return "", err
		}
		if event.Kind == transcript.Prompt {
			return "resume", nil
		}
	}
	return "startup", nil
}

// notice tells a session, once for each time it goes over the threshold, how
// full its context is.
func (s *Service) notice(ctx context.Context, hook capture.Hook, past []ledger.Restore) (Reply, error) {
	key := hook.Key()
	usage, first, due := s.Gauges.Due(key)
	if !due || hook.Hook.Output == "none" {
		return Reply{}, nil
	}
	session, found, err := s.Store.Session(ctx, key)
	if err != nil || !found || s.Projects.Of(session.Worktree).Excluded(session.Worktree) {
		return Reply{}, err
	}
	if first {
		if noticed, err := s.noticedBefore(ctx, key, past); err != nil || noticed {
			s.Gauges.Notified(key)
			return Reply{}, err
		}
	}
	text := render.Notice(distiller.Usage{Context: usage.Context, Window: usage.Window, Model: usage.Model})
	s.Gauges.Notified(key)
	percent := usage.Context * 100 / usage.Window
	reply := Reply{Text: text, Seen: s.announced(fmt.Sprintf("the context is %d %% full and the agent knows; its work is kept for the next session", percent))}
	return reply, s.Store.RecordRestore(ctx, ledger.Restore{
		Session: key, From: key, Project: session.Project.ID, Event: hook.Event, Decision: Notice,
		Reason: fmt.Sprintf("the context is %d %% full", percent),
		Lines:  strings.Count(text, "\n"), Bytes: len(text), Time: hook.Time.UTC(),
	})
}

// noticedBefore says whether an earlier run of the daemon has given the notice
// since the last compaction.
func (s *Service) noticedBefore(ctx context.Context, key ledger.SessionKey, past []ledger.Restore) (bool, error) {
	last, err := s.Sessions.Compactions.Last(ctx, key)
	if err != nil {
		return false, err
	}
	for _, decision := range past {
		if decision.Decision == Notice && decision.Time.After(last) {
			return true, nil
		}
	}
	return false, nil
}

// markAnswered tells the hook client, should it find no daemon at a later prompt,
// that this session has had its answer.
func (s *Service) markAnswered(hook capture.Hook) {
	given := s.Home.Given(home.ProjectKey(home.WorktreeRoot(hook.Cwd)), hook.Session)
	err := os.MkdirAll(filepath.Dir(given), 0o700)
	if err == nil {
		err = os.WriteFile(given, nil, 0o600)
	}
	if err != nil {
		s.Logger.Warn("given handoff not noted for the hook client", zap.Error(err))
	}
}

// RecordSpooled records what the hook client gave out while there was no daemon.
func (s *Service) RecordSpooled(ctx context.Context, e home.Envelope) error {
	if e.Given == "" {
		return nil
	}
	from, found, err := s.Store.Session(ctx, ledger.SessionKey{Tool: e.Tool, ID: e.Given})
	if err != nil {
		return err
	}
	if !found { // handed over from another tool
		list, err := s.Store.Sessions(ctx, ledger.SessionFilter{IDPrefix: e.Given, Limit: 1})
		if err != nil || len(list) == 0 {
			return err
		}
		from = list[0]
	}
	key := ledger.SessionKey{Tool: e.Tool, ID: e.Session}
	defer s.Sessions.Drop(key) // its predecessor is known now
	return s.Store.RecordRestore(ctx, ledger.Restore{
		Session: key, From: from.SessionKey, Project: from.Project.ID,
		Event: e.Event, Source: e.Source, Decision: Full, Reason: "given by the hook client: the daemon did not answer in time",
		Time: time.UnixMilli(e.Time).UTC(),
	})
}
