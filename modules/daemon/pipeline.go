// Package daemon is Carryover's body: it notices what agents write, carries it
// through the pipeline and gives it to the next session.
package daemon

import (
	"context"
	"errors"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/contextusage"
	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/ingest"
	"github.com/carryover-go/carryover/modules/daemon/publish"
	"github.com/carryover-go/carryover/modules/daemon/restore"
	"github.com/carryover-go/carryover/modules/daemon/session"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite"
	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Pipeline is the services over one ledger:
//
//	ingest → session → publish, restore
//
// The commands use the same ones, without the watcher.
type Pipeline struct {
	Home    home.Dir
	Choices config.Choices
	Table   *toolspecs.Table
	Log     ledger.Log
	Zap     *zap.Logger
	Now     func() time.Time

	projects  config.Projects
	sessions  *session.Service
	gauges    *contextusage.Gauges
	ingest    *ingest.Service
	publisher *publish.Service
	restore   *restore.Service

	keeperOnce sync.Once
	keeper     *continuity.Keeper
	driver     Driver
	hub        hub  // wrappers that run; none without a daemon
	feed       feed // who hears of changes
}

// Driver is what a daemon adds to the services. The zero value is none: a command
// works without.
type Driver struct {
	Report  func(err error)                   // is told of a broken configuration of a project; nil logs it
	Changed func(events []transcript.Located) // is told of new events
	Recheck func(tool, path string)           // has a source read again a moment later
	Flush   func(ctx context.Context)         // reads what agents wrote a moment ago
}

// NewPipeline makes the services over an open ledger.
func NewPipeline(dir home.Dir, choices config.Choices, table *toolspecs.Table, log ledger.Log, logger *zap.Logger, driver Driver) *Pipeline {
	if driver.Report == nil {
		driver.Report = func(err error) { logger.Warn("project configuration left aside", zap.Error(err)) }
	}
	p := &Pipeline{
		Home: dir, Choices: choices, Table: table, Log: log, Zap: logger, Now: time.Now, driver: driver,
		projects: config.Projects{Choices: choices, Report: driver.Report}, sessions: session.New(log),
		gauges: &contextusage.Gauges{
			Windows: contextusage.Open(dir), Limits: contextusage.Limits{Notice: choices.Fullness.Notice, Snapshot: choices.Fullness.Snapshot},
		},
	}
	p.ingest = ingest.New(ingest.Options{
		Table: table, Store: log, Sessions: p.sessions, Logger: logger, Now: p.Now, Fresh: choices.StaleAfter, Changed: driver.Changed,
		Recheck: driver.Recheck,
	})
	p.publisher = publish.NewService(publish.Options{
		Home: dir, Projects: p.projects, Table: table, Store: log, Sessions: p.sessions, Git: p.ingest, Gauges: p.gauges, Now: p.Now,
	})
	p.restore = restore.NewService(restore.Options{
		Home: dir, Projects: p.projects, Table: table, Store: log, Sessions: p.sessions, Ingest: p.ingest,
		Gauges: p.gauges, Logger: logger, Flush: driver.Flush,
	})
	return p
}

// Distil folds a session's events, on top of the facts of the one it continues.
func (p *Pipeline) Distil(ctx context.Context, session ledger.Session) (distiller.Facts, error) {
	return p.sessions.Facts(ctx, session)
}

// Standing is the session whose handoff is the current one of those that pass a
// filter. found is false while none of them has a request to hand over.
func (p *Pipeline) Standing(ctx context.Context, filter ledger.SessionFilter) (session ledger.Session, found bool, err error) {
	return p.sessions.Standing(ctx, filter)
}

// Render is the handoff of a session in the mode configured for its project.
func (p *Pipeline) Render(facts distiller.Facts, choices config.Choices) render.Parts {
	return render.Split(facts, render.Options{Mode: render.Mode(choices.Resume)})
}

// projectChoices are the choices as a project may narrow them.
func (p *Pipeline) projectChoices(worktree string) config.Choices { return p.projects.Of(worktree) }

// DistilFile reads one transcript. tool "" recognises it; untilLine > 0 reads
// the lines up to that one only, as a compaction there would.
func (p *Pipeline) DistilFile(path, tool string, untilLine int64) (ingest.FileFacts, error) {
	facts, err := p.ingest.DistilFile(path, tool, untilLine)
	return facts, fileError(err)
}

// FileEvents are the events of one transcript as the distiller sees them, in
// order, and the tool that wrote it. tool "" recognises it.
func (p *Pipeline) FileEvents(path, tool string) ([]transcript.Located, string, error) {
	events, tool, err := p.ingest.FileEvents(path, tool)
	return events, tool, fileError(err)
}

// fileError gives an error about a file its kind.
func fileError(err error) error {
	switch {
	case errors.Is(err, ingest.ErrEmpty):
		return view.NotFound(err.Error())
	case errors.Is(err, ingest.ErrFolder):
		return view.Invalid(err.Error())
	}
	return err
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
