// Package daemon is Carryover's body: it notices what agents write, carries it
// through the pipeline and gives it to the next session.
package daemon

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/contextusage"
	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/publish"
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite"
	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/readers"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Pipeline is the way of the data, stage by stage:
//
//	capture → normalize → ledger → distil → render → publish → restore
//
// The commands use the same one, without the watcher: `import` fills the
// ledger through it, `handoff` reads from it.
type Pipeline struct {
	Home    home.Dir
	Choices config.Choices
	Table   *toolspecs.Table
	Log     ledger.Log
	Zap     *zap.Logger
	Now     func() time.Time
	Flush   func(ctx context.Context) // reads what the watcher still waits with; nil without one

	ingest   *capture.Ingester
	sessions *sessions
	gauges   *contextusage.Gauges
	presence presence

	publishing sync.Map // worktree → *sync.Mutex
	warn       Warn     // of the command that made the pipeline; nil in the daemon

	keeperOnce sync.Once
	keeper     *continuity.Keeper
	running    func(agent string) []string // projects in which a wrapper runs an agent; nil without a daemon

	placesOnce sync.Once
	placeList  []capture.Place
}

// NewPipeline lays the stages out over an open ledger.
func NewPipeline(dir home.Dir, choices config.Choices, table *toolspecs.Table, log ledger.Log, zapLog *zap.Logger) *Pipeline {
	p := &Pipeline{Home: dir, Choices: choices, Table: table, Log: log, Zap: zapLog, Now: time.Now}
	p.sessions = newSessions(log)
	p.gauges = &contextusage.Gauges{
		Windows: contextusage.Open(dir), Limits: contextusage.Limits{Notice: choices.Fullness.Notice, Snapshot: choices.Fullness.Snapshot},
	}
	p.ingest = &capture.Ingester{
		Log: log, Readers: p.reader, Beside: p.beside, StandIn: p.standIn, StandIns: p.standIns, Stored: p.sessions.stored,
		Annotate: p.annotate,
	}
	return p
}

func (p *Pipeline) reader(tool string) (transcript.Reader, error) {
	spec, err := p.Table.Lookup(tool)
	if err != nil {
		return nil, err
	}
	return readers.For(spec)
}

// Take is capture, normalize and ledger: what is new in a source becomes
// events that are kept.
func (p *Pipeline) Take(ctx context.Context, tool, path string) (capture.Taken, error) {
	return p.ingest.Read(ctx, tool, path)
}

// Distil folds a session's events, on top of the facts of the one it continues.
func (p *Pipeline) Distil(ctx context.Context, session ledger.Session) (distiller.Facts, error) {
	return p.sessions.facts(ctx, session)
}

// Render is the handoff of a session in the mode configured for its project.
func (p *Pipeline) Render(facts distiller.Facts, choices config.Choices) render.Parts {
	return render.Split(facts, render.Options{Mode: render.Mode(choices.Resume)})
}

// Publish writes the session's handoff where other programs read it, if it is
// the one that stands in its worktree and ran after the install: nothing is
// written into a project before that. For a session without work of its own the
// handoff is written that stands, as it was.
func (p *Pipeline) Publish(ctx context.Context, key ledger.SessionKey, installed time.Time) error {
	done, err := p.publishAlone(ctx, key)
	if err != nil {
		return err
	}
	defer done()
	session, choices, ok, err := p.publishable(ctx, key)
	if err != nil || !ok {
		return err
	}
	own := session.SessionKey == key
	if choices.Excluded(session.Worktree) { // captured and searchable, but handed to nobody
		return publish.Forget(p.Home, session.Worktree)
	}
	if gone, err := p.Dismissed(ctx, session); err != nil || gone {
		return err // withdrawn when it was dismissed
	}
	facts, err := p.Distil(ctx, session)
	if err != nil {
		return err
	}
	if own { // what moved since belongs to nobody who only looked in
		if session, facts, err = p.withGit(ctx, session, facts); err != nil {
			return err
		}
	}
	parts := p.Render(facts, choices)
	if err := p.publishOwn(ctx, session, facts, parts, choices); err != nil {
		return err
	}
	if installed.IsZero() || session.Last.Before(asTold(installed, facts)) {
		return nil
	}
	return p.publishProject(ctx, session, facts, parts, choices)
}

// publishAlone lets one handoff of a worktree be published at a time: which one
// stands must not change between the look and the writing. The returned function
// ends it.
func (p *Pipeline) publishAlone(ctx context.Context, key ledger.SessionKey) (done func(), err error) {
	session, _, err := p.Log.Session(ctx, key)
	if err != nil {
		return nil, err
	}
	lock, _ := p.publishing.LoadOrStore(session.Worktree, &sync.Mutex{})
	mutex := lock.(*sync.Mutex)
	mutex.Lock()
	return mutex.Unlock, nil
}

// asTold is a moment as the tool would have written it down: one that names no
// zone shows the clock on the wall, to the second. A session that begins in the
// second of the installation is not before it.
func asTold(t time.Time, facts distiller.Facts) time.Time {
	if !facts.Civil {
		return t
	}
	_, offset := t.Local().Zone()
	return t.Add(time.Duration(offset) * time.Second).Truncate(time.Second)
}

// publishable is the session whose files are written after something happened in
// one: itself while its own handoff stands in its worktree, the one that stands
// when it only hands on, none when nothing there has a request, or it is stale.
func (p *Pipeline) publishable(ctx context.Context, key ledger.SessionKey) (session ledger.Session, choices config.Choices, ok bool, err error) {
	session, found, err := p.Log.Session(ctx, key)
	if err != nil || !found || session.Worktree == "" || session.Subagent || p.Now().Sub(session.Last) > p.Choices.StaleAfter {
		return session, choices, false, err
	}
	stands, found, err := p.Standing(ctx, ledger.SessionFilter{Worktree: session.Worktree})
	if err != nil || !found || stands.SessionKey != key && p.sessions.hasWorked(key) {
		return session, choices, false, err
	}
	fresh := p.Now().Sub(stands.Last) <= p.Choices.StaleAfter
	return stands, p.projectChoices(stands.Worktree), fresh, nil
}

// projectChoices are the choices as a project may narrow them. A broken
// .carryover.toml is named, to the person at the command or in the log, and
// left aside.
func (p *Pipeline) projectChoices(worktree string) config.Choices {
	choices, err := p.Choices.ForProject(worktree)
	switch {
	case err != nil && p.warn != nil:
		p.warn(fmt.Errorf("defaults are used: %w", err))
	case err != nil:
		p.Zap.Warn("project configuration left aside", zap.Error(err))
	}
	return choices
}

// publishOwn writes below Carryover's home: the hook client's fallback and,
// for the newest session of all, the person's copy.
func (p *Pipeline) publishOwn(ctx context.Context, session ledger.Session, facts distiller.Facts, parts render.Parts, choices config.Choices) error {
	err := publish.Fallback(p.Home, session.Worktree, home.Fallback{
		Heads: map[string]string{"mode": parts.Head, "silent": render.Head(facts, render.Silent)},
		Body:  parts.Body, Answers: startAnswers(p.Table), Tool: session.Tool, Session: session.ID,
		Updated: session.Last.Unix(), Events: session.Events, Limit: int64(choices.StaleAfter / time.Second),
	})
	stands, found, findErr := p.Standing(ctx, ledger.SessionFilter{})
	if findErr != nil || !found || stands.SessionKey != session.SessionKey {
		return errors.Join(err, findErr)
	}
	return errors.Join(err, publish.Person(p.Home, session.Worktree, parts.Head+parts.Body))
}

// startAnswers are the forms in which the tools take a handoff at a start.
func startAnswers(table *toolspecs.Table) map[string]string {
	answers := map[string]string{}
	for _, spec := range table.All() {
		for _, hook := range spec.Hooks {
			if !hook.Wired || !hook.Gives(toolspecs.AtStart) {
				continue
			}
			name := strings.ToLower(spec.Tool + "/" + hook.Event)
			if answers[name] = ""; hook.Output == "json" {
				answers[name] = hook.Field
			}
		}
	}
	return answers
}

// publishProject writes into the worktree: the handoff, and the block in the
// context files of the wired tools that points to it.
func (p *Pipeline) publishProject(ctx context.Context, session ledger.Session, facts distiller.Facts, parts render.Parts, choices config.Choices) error {
	if _, err := os.Stat(session.Worktree); err != nil {
		return nil // the worktree is gone
	}
	project, err := publish.Open(session.Worktree)
	if err != nil {
		return err
	}
	defer func() { _ = project.Close() }()
	if _, err := project.Handoff(parts.Head+parts.Body, publish.Ignore(choices.Ignore)); err != nil {
		return fmt.Errorf("publish handoff: %w", err)
	}
	if p.readsContext() {
		head, err := p.contextHead(ctx, session, facts)
		if err != nil {
			return err
		}
		if _, err := project.Context(head + parts.Body); err != nil {
			return fmt.Errorf("publish context: %w", err)
		}
	}
	if _, err := project.Point(publish.Pointer(choices.Pointer), p.contextRules()); err != nil {
		return fmt.Errorf("publish pointer: %w", err)
	}
	return nil
}

func (p *Pipeline) newest(ctx context.Context, filter ledger.SessionFilter) (ledger.Session, bool, error) {
	filter.Limit = 1
	list, err := p.Log.Sessions(ctx, filter)
	if err != nil || len(list) == 0 {
		return ledger.Session{}, false, err
	}
	return list[0], true, nil
}

// identify tells the ledger which project a directory belongs to.
func identify(cwd string) (ledger.ProjectIdentity, bool) { return gitrepo.Identity(cwd) }

// OpenLedger opens the ledger of a home for writing.
func OpenLedger(dir home.Dir) (*sqlite.Log, error) {
	return sqlite.Open(dir.Ledger(), sqlite.Options{Identify: identify})
}
