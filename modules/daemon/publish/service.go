package publish

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/contextusage"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/session"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Store is what publishing reads of the ledger.
type Store interface {
	Session(ctx context.Context, key ledger.SessionKey) (ledger.Session, bool, error)
	Restores(ctx context.Context, session ledger.SessionKey, limit int) ([]ledger.Restore, error)
}

// GitRecorder stores where the repository of a session stands.
type GitRecorder interface {
	RecordGit(ctx context.Context, session ledger.Session, began time.Time) (recorded bool, err error)
}

// Options are what publishing needs.
type Options struct {
	Home     home.Dir
	Projects config.Projects
	Table    *toolspecs.Table
	Store    Store
	Sessions *session.Service
	Git      GitRecorder
	Gauges   *contextusage.Gauges
	Now      func() time.Time
}

// Service writes handoffs and session reports where other programs read them.
type Service struct {
	home     home.Dir
	projects config.Projects
	table    *toolspecs.Table
	store    Store
	sessions *session.Service
	git      GitRecorder
	gauges   *contextusage.Gauges
	now      func() time.Time

	publishing session.Locks[string] // by worktree
}

// NewService makes the service. It writes nothing.
func NewService(o Options) *Service {
	return &Service{
		home: o.Home, projects: o.Projects, table: o.Table, store: o.Store, sessions: o.Sessions, git: o.Git, gauges: o.Gauges, now: o.Now,
	}
}

// Publish writes the session's handoff where other programs read it, if it is
// the current one of its worktree and ran after the install: nothing is
// written into a project before that. For a session without work of its own the
// current handoff is written, as it was.
func (s *Service) Publish(ctx context.Context, key ledger.SessionKey, installed time.Time) error {
	unlock, err := s.lock(ctx, key)
	if err != nil {
		return err
	}
	defer unlock()
	current, choices, ok, err := s.publishable(ctx, key)
	if err != nil || !ok {
		return err
	}
	own := current.SessionKey == key
	if choices.Excluded(current.Worktree) { // captured and searchable, but delivered to no agent
		return s.withdraw(current.Worktree, excludedText)
	}
	if dismissed, err := session.Dismissed(ctx, s.store, current); err != nil || dismissed {
		return err // withdrawn when it was dismissed
	}
	facts, err := s.sessions.Facts(ctx, current)
	if err != nil {
		return err
	}
	if own { // where the repository stands now is no news of a session that is not at work
		if current, facts, err = s.withGit(ctx, current, facts); err != nil {
			return err
		}
	}
	parts := render.Split(facts, render.Options{Mode: render.Mode(choices.Resume)})
	if err := s.publishOwn(ctx, current, facts, parts, choices); err != nil {
		return err
	}
	if installed.IsZero() || current.Last.Before(byToolClock(installed, facts)) {
		return nil
	}
	return s.publishProject(ctx, current, facts, parts, choices)
}

// Republish is Publish, after what was published was removed.
func (s *Service) Republish(ctx context.Context, key ledger.SessionKey) error {
	record, _, err := wiring.ReadRecord(s.home)
	if err != nil {
		return err
	}
	return s.Publish(ctx, key, record.Installed)
}

// lock lets one handoff of a worktree be published at a time: which one is the
// current one must not change between the look and the writing.
func (s *Service) lock(ctx context.Context, key ledger.SessionKey) (unlock func(), err error) {
	session, _, err := s.store.Session(ctx, key)
	if err != nil {
		return nil, err
	}
	return s.publishing.Lock(session.Worktree), nil
}

// byToolClock is a moment as the tool would have written it down: one that names no
// zone shows the clock on the wall, to the second. A session that begins in the
// second of the installation is not before it.
func byToolClock(t time.Time, facts distiller.Facts) time.Time {
	if !facts.Civil {
		return t
	}
	_, offset := t.Local().Zone()
	return t.Add(time.Duration(offset) * time.Second).Truncate(time.Second)
}

// publishable is the session whose files are written after something happened in
// one: itself while its own handoff is the current one of its worktree, the current
// one when it only hands on, none when nothing there has a request, or it is stale.
func (s *Service) publishable(ctx context.Context, key ledger.SessionKey) (current ledger.Session, choices config.Choices, ok bool, err error) {
	own, found, err := s.store.Session(ctx, key)
	if err != nil || !found || own.Worktree == "" || own.Subagent || s.isStale(own) {
		return own, choices, false, err
	}
	current, found, err = s.sessions.Standing(ctx, ledger.SessionFilter{Worktree: own.Worktree})
	if err != nil || !found || current.SessionKey != key && s.sessions.HasWorked(key) {
		return own, choices, false, err
	}
	return current, s.projects.Of(current.Worktree), !s.isStale(current), nil
}

func (s *Service) isStale(session ledger.Session) bool {
	return s.now().Sub(session.Last) > s.projects.Choices.StaleAfter
}

// withGit records where the repository stands, and returns the session and its
// facts as they are then.
func (s *Service) withGit(ctx context.Context, session ledger.Session, facts distiller.Facts) (ledger.Session, distiller.Facts, error) {
	began := session.First
	if facts.Civil { // a clock without a zone may be off by hours
		began = time.Time{}
	}
	if recorded, err := s.git.RecordGit(ctx, session, began); err != nil || !recorded {
		return session, facts, err
	}
	session, _, err := s.store.Session(ctx, session.SessionKey) // one event longer
	if err == nil {
		facts, err = s.sessions.Facts(ctx, session)
	}
	return session, facts, err
}

// publishOwn writes below Carryover's home: the hook client's fallback and,
// for the newest session of all, the person's copy.
func (s *Service) publishOwn(ctx context.Context, own ledger.Session, facts distiller.Facts, parts render.Parts, choices config.Choices) error {
	err := Fallback(s.home, own.Worktree, home.Fallback{
		Heads: map[string]string{"mode": parts.Head, "silent": render.Head(facts, render.Silent)},
		Body:  parts.Body, Answers: startAnswers(s.table), Tool: own.Tool, Session: own.ID,
		Part:    string(session.WorkedPart(own, facts, choices.Parts)),
		Updated: own.Last.Unix(), Events: own.Events, Limit: int64(choices.StaleAfter / time.Second),
	})
	newest, found, findErr := s.sessions.Standing(ctx, ledger.SessionFilter{})
	if findErr != nil || !found || newest.SessionKey != own.SessionKey {
		return errors.Join(err, findErr)
	}
	return errors.Join(err, Person(s.home, own.Worktree, parts.Head+parts.Body))
}

// publishProject writes into the worktree: the handoff, and the block in the
// context files of the wired tools that points to it.
func (s *Service) publishProject(ctx context.Context, own ledger.Session, facts distiller.Facts, parts render.Parts, choices config.Choices) error {
	if _, err := os.Stat(own.Worktree); err != nil {
		return nil // the worktree is gone
	}
	project, err := Open(own.Worktree)
	if err != nil {
		return err
	}
	defer func() { _ = project.Close() }()
	if _, err := project.Handoff(parts.Head + parts.Body); err != nil {
		return fmt.Errorf("publish handoff: %w", err)
	}
	wired := wiredTools(s.home, s.table)
	if readsContext(wired) {
		head, err := s.contextHead(ctx, own, facts)
		if err != nil {
			return err
		}
		if _, err := project.Context(head + parts.Body); err != nil {
			return fmt.Errorf("publish context: %w", err)
		}
	}
	return changeProjectFiles(project, choices.ProjectFiles, s.home, s.table)
}

// changeProjectFiles changes the project's own files as the user chose.
func changeProjectFiles(project *Project, choice string, dir home.Dir, table *toolspecs.Table) error {
	if choice == config.ProjectFilesAlways {
		if err := project.Ignore(); err != nil {
			return err
		}
	}
	rules := pointerRules(choice, dir, table)
	if _, err := project.Point(rules, choice == config.ProjectFilesAlways); err != nil {
		return fmt.Errorf("publish pointer: %w", err)
	}
	return nil
}

// contextHead is the header of the file that a tool reads at every message: it
// must not say each time to ask. From a compaction until a turn has ended it is
// the only way in which such a tool hears of it. The file is read a moment
// after the summary is there, so it has to say so when that is still made.
func (s *Service) contextHead(ctx context.Context, own ledger.Session, facts distiller.Facts) (string, error) {
	silent := render.Shared(render.Head(facts, render.Silent))
	if spec, err := s.table.Lookup(own.Tool); err != nil || spec.WiresHooks() {
		return silent, nil
	}
	trail, err := s.sessions.Trail(ctx, own)
	if err != nil {
		return "", err
	}
	pending := s.sessions.Compactions.LastAnnounced(own.SessionKey).Pending
	if pending || trail.Compaction != nil && !trail.Compaction.Ended {
		return render.Shared(s.sessions.CompactionHead(own.SessionKey, facts, trail)), nil
	}
	if usage, _, due := s.gauges.Due(own.SessionKey); due && s.projects.Choices.ContextUsage.MidTurn {
		silent += render.SharedNotice(distiller.Usage{Context: usage.Context, Window: usage.Window, Model: usage.Model})
	}
	return silent, nil
}

// dismissedText stands in the place of a handoff that was dismissed, for
// agents that read the file.
const dismissedText = transcript.Sentinel + " The user dismissed the handoff of the last session. There is nothing to take up.\n"

// excludedText stands in the place of a handoff in a project that was excluded
// since.
const excludedText = transcript.Sentinel + " This project is excluded from handoffs. There is nothing to take up.\n"

// Withdraw removes a dismissed handoff from where agents find it. A project that
// was never written into stays so.
func (s *Service) Withdraw(worktree string) error { return s.withdraw(worktree, dismissedText) }

// withdraw leaves a line in the place of a project's handoff.
func (s *Service) withdraw(worktree, line string) error {
	if err := Forget(s.home, worktree); err != nil {
		return err
	}
	if _, err := os.Stat(worktree); err != nil {
		return nil // the worktree is gone
	}
	project, err := Open(worktree)
	if err != nil {
		return err
	}
	defer func() { _ = project.Close() }()
	if err := project.Withdraw(line); err != nil {
		return fmt.Errorf("withdraw handoff: %w", err)
	}
	return nil
}
