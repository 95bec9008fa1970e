package restore

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/session"
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Material is all that the decision about a session that starts depends on, and
// what its text is made of. It is loaded once.
type Material struct {
	Hook      capture.Hook
	Checkout  gitrepo.Checkout
	Identity  ledger.ProjectIdentity
	InProject bool

	Choices config.Choices
	Broken  error // the project's own configuration was left aside

	Own    ledger.Session      // zero while nothing of it is in the ledger
	Past   []ledger.Restore    // decisions about it, newest first
	Others []ledger.SessionKey // sessions of the worktree that have not ended

	From      ledger.Session // whose handoff would be given
	Found     bool
	NoRequest bool // nothing to hand over
	Opened    bool // `carryover switch` opened the agent with it
	Dismissed bool
	Headless  bool
	ReadsFile bool         // the agent reads the published file by itself, and an editor's connection asks
	OtherPart session.Part // the part of the project that From worked in, where this session is in another

	// Only of a session whose handoff is given.
	Facts distiller.Facts
	Trail distiller.Trail
	Head  string   // of a compaction
	Since []string // what changed on the disk
}

// load collects what the gate depends on. past are the decisions about the
// session where they are known already.
func (s *Service) load(ctx context.Context, hook capture.Hook, at gitrepo.Checkout, past []ledger.Restore) (m Material, err error) {
	m = Material{Hook: hook, Checkout: at, Past: past}
	m.Identity, m.InProject = at.Identity()
	m.Choices, m.Broken = s.Projects.Read(m.Identity.Worktree)
	if !m.InProject {
		return m, nil
	}
	list, err := s.catchUp(ctx, hook, m.Identity.Worktree)
	if err != nil {
		return m, err
	}
	if m.Own, err = s.own(ctx, hook.Key(), list); err != nil {
		return m, err
	}
	if m.Past == nil {
		if m.Past, err = s.past(ctx, hook.Key()); err != nil {
			return m, err
		}
	}
	if err := s.chooseFrom(ctx, &m, list); err != nil || !m.Found {
		return m, err
	}
	m.Headless = s.isHeadless(m)
	m.ReadsFile = isEditors(hook) && s.ReadsFile != nil && s.ReadsFile(hook.Tool)
	if m.Dismissed, err = session.Dismissed(ctx, s.Store, m.From); err != nil {
		return m, err
	}
	m.Others, err = s.atWork(ctx, hook, list)
	return m, err
}

// own is the session that starts, where the ledger has something of it.
func (s *Service) own(ctx context.Context, key ledger.SessionKey, list []ledger.Session) (ledger.Session, error) {
	for _, session := range list {
		if session.SessionKey == key {
			return session, nil
		}
	}
	session, _, err := s.Store.Session(ctx, key)
	return session, err
}

func (m Material) isKnown() bool { return m.Own.ID != "" }

// chooseFrom finds the session that the starting one may continue: itself after a
// compaction, else the newest other one with work of its own of the same part of the
// worktree, else of the project, else one that hands on what it was given. Without any
// it is one of another part, or one without a request. list are the sessions of the
// worktree.
func (s *Service) chooseFrom(ctx context.Context, m *Material, list []ledger.Session) (err error) {
	if m.isKnown() && m.Hook.Source == "compact" {
		return s.chooseOne(ctx, m, m.Own)
	}
	opened, found, err := s.openedWith(ctx, m.Hook)
	if err != nil {
		return err
	}
	if m.Opened = found; found {
		return s.chooseOne(ctx, m, opened)
	}
	parts := s.partsOf(m)
	elsewhere := false
	err = s.choosePast(ctx, m, list, func(other ledger.Session) bool {
		part := parts.other(ctx, other)
		elsewhere = elsewhere || part != ""
		return part != ""
	})
	if err != nil || !elsewhere || m.Found && !m.NoRequest {
		return err
	}
	err = s.choosePast(ctx, m, list, func(ledger.Session) bool { return false })
	m.OtherPart = parts.other(ctx, m.From)
	return err
}

// choosePast is chooseFrom among the sessions that are not passed over.
func (s *Service) choosePast(ctx context.Context, m *Material, list []ledger.Session, pass func(ledger.Session) bool) error {
	resumed := m.isKnown() && m.Hook.Source == "resume"
	say := func(other ledger.Session) (over, take bool) {
		if other.SessionKey == m.Hook.Key() {
			return true, resumed // nothing happened here since
		}
		return pass(other), false
	}
	best, worth, found, err := s.Sessions.StandingBut(ctx, ledger.SessionFilter{Worktree: m.Identity.Worktree}, list, say)
	if err != nil {
		return err
	}
	if found && resumed && best.SessionKey == m.Hook.Key() {
		return s.chooseOne(ctx, m, best)
	}
	if worth != session.OwnWork {
		project, err := s.Store.Project(ctx, m.Identity)
		if err != nil {
			return err
		}
		other, more, any, err := s.Sessions.StandingBut(ctx, ledger.SessionFilter{Project: project.ID}, nil, say)
		if err != nil {
			return err
		}
		if any && resumed && other.SessionKey == m.Hook.Key() {
			return s.chooseOne(ctx, m, other)
		}
		if any && (!found || more > worth) {
			other.Project = project // with every path of it
			best, worth, found = other, more, true
		}
	}
	m.From, m.Found, m.NoRequest = best, found, worth == session.NoRequest
	return nil
}

// chooseOne takes a session whatever it has to hand over.
func (s *Service) chooseOne(ctx context.Context, m *Material, from ledger.Session) error {
	worth, err := s.Sessions.WorthOf(ctx, from)
	m.From, m.Found, m.NoRequest = from, true, worth == session.NoRequest
	return err
}

// atWork are the other sessions of a worktree that have not ended and in which
// something was worked on. A session that was cleared has ended, whether its
// tool says so or not.
func (s *Service) atWork(ctx context.Context, hook capture.Hook, list []ledger.Session) (others []ledger.SessionKey, err error) {
	cleared := hook.Source == "clear"
	for _, other := range list {
		switch {
		case other.SessionKey == hook.Key():
		case other.Tool == hook.Tool && cleared:
			cleared = false
		case s.Sessions.Presence.Open(other.SessionKey, hook.Time):
			worth, err := s.Sessions.WorthOf(ctx, other)
			if err != nil {
				return others, err
			}
			if worth == session.OwnWork {
				others = append(others, other.SessionKey)
			}
		}
	}
	return others, nil
}

// openedWith is the session whose handoff an agent was opened with, as its
// environment says. That stays when the person clears the session: the first
// prompt tells, where the hook knows it, else the source.
func (s *Service) openedWith(ctx context.Context, hook capture.Hook) (ledger.Session, bool, error) {
	id := hook.Marks[home.OpenedWith]
	first := hook.Source == "startup"
	if hook.Prompt != "" {
		first = transcript.Ours(hook.Prompt)
	}
	if id == "" || !first || strings.ContainsAny(id, "%_") {
		return ledger.Session{}, false, nil
	}
	list, err := s.Store.Sessions(ctx, ledger.SessionFilter{IDPrefix: id, Subagents: true, Limit: maxListed})
	at := slices.IndexFunc(list, func(session ledger.Session) bool { return session.ID == id })
	if err != nil || at < 0 {
		return ledger.Session{}, false, err
	}
	return list[at], true, nil
}

// isHeadless says whether nobody can answer a question in this run.
func (s *Service) isHeadless(m Material) bool {
	spec, err := s.Table.Lookup(m.Hook.Tool)
	if err != nil || m.Hook.Marks[home.InEditor] != "" || isEditors(m.Hook) {
		return false // somebody sits at the editor
	}
	return spec.HeadlessEnv(m.Hook.Marks) || m.Hook.Marks[home.Unattended] != "" || m.Own.Headless
}

// start is the material as the gate sees it.
func (m Material) start() Start {
	start := Start{
		Source: m.Hook.Source, Subagent: m.Hook.Agent != "", NoProject: !m.InProject,
		Excluded: m.Choices.Excluded(m.Identity.Worktree), StaleAfter: m.Choices.StaleAfter, Found: m.Found,
	}
	if !m.Found {
		return start
	}
	start.NoRequest, start.Opened, start.Dismissed, start.Headless = m.NoRequest, m.Opened, m.Dismissed, m.Headless
	start.Own = m.From.SessionKey == m.Hook.Key()
	start.Since = m.isKnown() && m.From.Last.After(m.Own.Last)
	start.Inherited = m.Own.How == "fork"
	start.Age = m.age()
	start.ReadsFile = m.ReadsFile
	start.OtherPart = m.OtherPart != ""
	start.OtherWorktree = isElsewhere(m.From, m.Identity.Worktree)
	start.OtherBranch = m.From.Branch != "" && m.Checkout.Branch != "" && m.Checkout.Branch != m.From.Branch
	start.Given = slices.ContainsFunc(m.Past, func(past ledger.Restore) bool { return past.Begins() || past.Decision == Pointer })
	start.Parallel = len(m.Others) > 0
	return start
}

// age is how long ago the session handed over did something.
func (m Material) age() time.Duration { return m.Hook.Time.Sub(m.From.Last) }

// complete adds what the text of an answer is made of.
func (s *Service) complete(ctx context.Context, m *Material, row Row) (err error) {
	look := s.Sessions.FactsAndTrail
	if m.Hook.Role == "post_tool" { // the call that it came with is not waiting for its result
		look = func(ctx context.Context, from ledger.Session) (distiller.Facts, distiller.Trail, error) {
			return s.Sessions.FactsAndTrailAfter(ctx, from, m.Hook.ToolUse, m.Hook.Called)
		}
	}
	if m.Facts, m.Trail, err = look(ctx, m.From); err != nil || row.Give == Pointer {
		return err
	}
	if row.Head == HeadSeam {
		m.Head = s.Sessions.CompactionHead(m.From.SessionKey, m.Facts, m.Trail)
	}
	delivery := Delivery{
		From: m.From, Facts: m.Facts, Jobs: m.Trail.Jobs, Age: m.age(), Worktree: m.Identity.Worktree, Checkout: m.Checkout,
	}
	if row.Give == Full {
		delivery.Others = m.Others
	}
	m.Since = Since(ctx, delivery)
	return nil
}
