package restore

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/contextusage"
	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/session"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
)

// Store is what a hook's answer needs of the ledger.
type Store interface {
	session.Store
	session.Turns
	Project(ctx context.Context, identity ledger.ProjectIdentity) (ledger.Project, error)
	RecordRestore(ctx context.Context, restore ledger.Restore) error
}

// Ingester stores what a hook says, and what it says is new.
type Ingester interface {
	KeepFacts(ctx context.Context, hook capture.Hook) error
	TakePayload(ctx context.Context, hook capture.Hook) error
	TakeHook(ctx context.Context, hook capture.Hook) error
	TakeFile(ctx context.Context, tool, path string)
	RecordHead(ctx context.Context, key ledger.SessionKey, at gitrepo.Checkout) error
	InsideSubagent(hook capture.Hook) bool
	Holds(tool, path string) bool
}

// Options are what answering hooks needs.
type Options struct {
	Home     home.Dir
	Projects config.Projects
	Table    *toolspecs.Table
	Store    Store
	Sessions *session.Service
	Ingest   Ingester
	Gauges   *contextusage.Gauges
	Logger   *zap.Logger
	// Flush reads what agents wrote a moment ago, wherever it is watched; nil
	// without a watcher.
	Flush func(ctx context.Context)
	// ReadsFile says whether a tool reads the published file by itself; nil: none does.
	ReadsFile func(tool string) bool
	Look      func(dir string) gitrepo.Checkout // gitrepo.Look, but for tests that count
}

// Service answers hooks: it says what reaches the model, or nothing.
type Service struct {
	Options
	unrecorded unrecorded
}

// maxUnrecorded bounds the decisions that wait in memory for room on the disk.
const maxUnrecorded = 256

// unrecorded are decisions that the ledger could not take: nothing is delivered
// twice because of that.
type unrecorded struct {
	mu   sync.Mutex
	list []ledger.Restore
}

func (u *unrecorded) add(decision ledger.Restore) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.list = append(u.list, decision); len(u.list) > maxUnrecorded {
		u.list = u.list[1:]
	}
}

// of are those of a session, newest first.
func (u *unrecorded) of(key ledger.SessionKey) (list []ledger.Restore) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, decision := range slices.Backward(u.list) {
		if decision.Session == key {
			list = append(list, decision)
		}
	}
	return list
}

// past are the decisions about a session, newest first; never nil.
func (s *Service) past(ctx context.Context, key ledger.SessionKey) ([]ledger.Restore, error) {
	recorded, err := s.Store.Restores(ctx, key, 0)
	return append(append([]ledger.Restore{}, s.unrecorded.of(key)...), recorded...), err
}

// NewService makes the service.
func NewService(o Options) *Service {
	if o.Look == nil {
		o.Look = gitrepo.Look
	}
	return &Service{Options: o}
}

// Reply is what a hook answers: a text for the model, and a line that the person
// sees where the tool shows one.
type Reply struct{ Text, Seen string }

// Answer handles one call of a hook and returns what is to reach the model. A
// hook is a signal: it makes its transcript be read; a session start is answered,
// and a prompt or the end of a call where the spec says that something is given
// there. Hooks of one session are answered one at a time: calls that ran side by
// side must not both be given the same.
func (s *Service) Answer(ctx context.Context, hook capture.Hook) (Reply, error) {
	if hook.Session != "" {
		defer s.Sessions.Answering.Lock(hook.Key())()
		if spec, err := s.Table.Lookup(hook.Tool); err == nil && hook.Agent == "" {
			s.Sessions.Presence.Note(spec, hook.Key(), hook.Role, hook.Time)
		}
	}
	if err := s.Ingest.KeepFacts(ctx, hook); err != nil {
		return Reply{}, err
	}
	if hook.Payload != nil {
		return Reply{}, s.Ingest.TakePayload(ctx, hook)
	}
	switch hook.Role {
	case "session_start":
		if !hook.Hook.Gives(toolspecs.AtStart) {
			return Reply{}, s.Ingest.TakeHook(ctx, hook)
		}
		return s.start(ctx, hook, s.Look(hook.Cwd), nil)
	case "prompt":
		return s.prompt(ctx, hook)
	case "post_tool":
		return s.toolEnd(ctx, hook)
	case "pre_compact":
		return s.beforeCompaction(ctx, hook)
	case "turn_end", "post_compact", "session_end", "interrupt":
		return Reply{}, s.Ingest.TakeHook(ctx, hook)
	}
	return Reply{}, nil
}

// prompt answers a prompt in those tools whose session start does not reach
// the model, or does not come after a compaction. It fires for every prompt, so all
// but the first, and the first after a compaction, end here.
func (s *Service) prompt(ctx context.Context, hook capture.Hook) (Reply, error) {
	if isEditors(hook) && s.Flush != nil {
		s.Flush(ctx) // it does not name the transcript of the agent's own
	}
	at, err := s.takeAndLook(ctx, hook)
	if err != nil || hook.Session == "" || hook.Agent != "" {
		return Reply{}, err
	}
	past, source, err := s.sourceOf(ctx, hook)
	if err != nil {
		return Reply{}, err
	}
	if source == "" {
		return s.notices(ctx, hook, at, past)
	}
	hook.Source = source
	s.markAnswered(hook)
	return s.start(ctx, hook, at, past)
}

// isEditors says whether `carryover acp` calls, on behalf of an agent in an editor.
func isEditors(hook capture.Hook) bool { return strings.HasPrefix(hook.Event, "Acp") }

// toolEnd answers in mid-turn: with what a compaction lost, in those tools that
// announce it in no other way, or with the notice that the context fills up.
func (s *Service) toolEnd(ctx context.Context, hook capture.Hook) (Reply, error) {
	at, err := s.takeAndLook(ctx, hook)
	if err != nil || hook.Session == "" || hook.Hook.Output == "none" || s.Ingest.InsideSubagent(hook) {
		return Reply{}, err
	}
	past, source, err := s.sourceOf(ctx, hook)
	switch {
	case err != nil:
		return Reply{}, err
	case source != "":
		hook.Source = source
		return s.start(ctx, hook, at, past)
	case !s.Projects.Choices.ContextUsage.MidTurn:
		return Reply{}, nil
	}
	return s.notices(ctx, hook, at, past)
}

// notices answers a prompt, or the end of a call, that begins nothing: with what
// cannot wait first.
func (s *Service) notices(ctx context.Context, hook capture.Hook, at gitrepo.Checkout, past []ledger.Restore) (Reply, error) {
	if reply, err := s.overlap(ctx, hook, at); err != nil || reply.Text != "" {
		return reply, err
	}
	return s.notice(ctx, hook, past)
}

// takeAndLook reads the transcript to its end and records where HEAD is.
func (s *Service) takeAndLook(ctx context.Context, hook capture.Hook) (at gitrepo.Checkout, err error) {
	if err := s.Ingest.TakeHook(ctx, hook); err != nil {
		return at, err
	}
	at = s.Look(hook.Cwd)
	if hook.Session == "" || hook.Agent != "" {
		return at, nil
	}
	return at, s.Ingest.RecordHead(ctx, hook.Key(), at)
}

// beforeCompaction reads the transcript to its end and answers a tool that lets a
// hook tell its summariser what to keep.
func (s *Service) beforeCompaction(ctx context.Context, hook capture.Hook) (Reply, error) {
	if err := s.Ingest.TakeHook(ctx, hook); err != nil {
		return Reply{}, err
	}
	s.Sessions.Compactions.Announce(hook.Key(), hook.Trigger, hook.Time)
	if hook.Hook.Output == "none" || hook.Agent != "" {
		return Reply{}, nil
	}
	session, found, err := s.Store.Session(ctx, hook.Key())
	if err != nil || !found || s.Projects.Of(session.Worktree).Excluded(session.Worktree) {
		return Reply{}, err
	}
	facts, err := s.Sessions.Facts(ctx, session)
	return Reply{Text: render.Keep(facts)}, err
}

// maxCatchUp bounds how long a session start waits for what was just written.
const maxCatchUp = 150 * time.Millisecond

// maxListed is how many sessions of a worktree are looked at for those that are
// at work, and to be read before another one starts.
const maxListed = 16

// catchUp reads what agents of this project wrote a moment ago, so that the
// session that starts sees the one that ended just before. It returns the
// sessions of the worktree, newest first.
func (s *Service) catchUp(ctx context.Context, hook capture.Hook, worktree string) ([]ledger.Session, error) {
	soon, cancel := context.WithTimeout(ctx, maxCatchUp)
	defer cancel()
	if err := s.Ingest.TakeHook(soon, hook); err != nil {
		s.Logger.Warn("transcript of a starting session not read", zap.String("tool", hook.Tool), zap.Error(err))
	}
	if s.Flush != nil {
		s.Flush(soon)
	}
	list, err := s.Store.Sessions(ctx, ledger.SessionFilter{Worktree: worktree, Limit: maxListed})
	if err != nil {
		return nil, err
	}
	behind := false
	for _, session := range list {
		if session.Path == "" || soon.Err() != nil || s.Flush != nil && s.Ingest.Holds(session.Tool, session.Path) {
			continue // without a path, too late, or just read
		}
		behind = true
		s.Ingest.TakeFile(soon, session.Tool, session.Path)
	}
	if !behind {
		return list, nil
	}
	return s.Store.Sessions(ctx, ledger.SessionFilter{Worktree: worktree, Limit: maxListed})
}
