// Package daemon is Carryover's body: it notices what agents write, carries it
// into the ledger and gives it to the next session.
package daemon

import (
	"context"
	"errors"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/agents"
	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/contextusage"
	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/ingest"
	"github.com/carryover-go/carryover/modules/daemon/maintain"
	"github.com/carryover-go/carryover/modules/daemon/memory"
	"github.com/carryover-go/carryover/modules/daemon/publish"
	"github.com/carryover-go/carryover/modules/daemon/query"
	"github.com/carryover-go/carryover/modules/daemon/restore"
	"github.com/carryover-go/carryover/modules/daemon/session"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite"
	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// The services that answer view.Service together.
type (
	queries     = query.Service
	memories    = memory.Service
	maintenance = maintain.Service
	namedAgents = agents.Service
)

// Services is the services over one ledger:
//
//	ingest → session → publish, restore
//
// The commands use the same ones, without the watcher.
type Services struct {
	*queries
	*memories
	*maintenance
	*namedAgents

	Home    home.Dir
	Choices config.Choices
	Table   *toolspecs.Table
	Store   ledger.Store
	Logger  *zap.Logger
	Now     func() time.Time

	projects  config.Projects
	sessions  *session.Service
	gauges    *contextusage.Gauges
	ingest    *ingest.Service
	publisher *publish.Service
	restore   *restore.Service

	feed feed // who hears of changes
}

// Driver is what a daemon adds to the services. The zero value is none: a command
// works without.
type Driver struct {
	Report  func(err error)                   // is notified of a broken configuration of a project; nil logs it
	Changed func(events []transcript.Located) // is notified of new events
	Recheck func(tool, path string)           // has a source read again a moment later
	Flush   func(ctx context.Context)         // reads what agents wrote a moment ago

	Imported     func(ctx context.Context)  // goes on with what an import brought
	Degraded     func() []string            // what the daemon does without
	Damaged      func()                     // checks the ledger, and rebuilds it when it is damaged
	UnknownHooks func() map[string]int      // counts the hooks that no spec knows
	Vanished     func() map[string][]string // kinds of events that a tool's newest version no longer gives
}

// NewServices makes the services over an open ledger.
func NewServices(dir home.Dir, choices config.Choices, table *toolspecs.Table, log ledger.Store, logger *zap.Logger, driver Driver) *Services {
	if driver.Report == nil {
		driver.Report = func(err error) { logger.Warn("project configuration left aside", zap.Error(err)) }
	}
	p := &Services{
		Home: dir, Choices: choices, Table: table, Store: log, Logger: logger, Now: time.Now,
		projects: config.Projects{Choices: choices, Report: driver.Report}, sessions: session.New(log),
		gauges: &contextusage.Gauges{
			Windows: contextusage.Open(dir), Limits: contextusage.Limits{Notice: choices.ContextUsage.Notice, Snapshot: choices.ContextUsage.Snapshot},
		},
	}
	p.ingest = ingest.New(ingest.Options{
		Table: table, Store: log, Sessions: p.sessions, Logger: logger, Now: p.Now, Fresh: choices.StaleAfter, Changed: driver.Changed,
		Recheck: driver.Recheck, KeepOriginals: choices.KeepTranscripts,
	})
	p.publisher = publish.NewService(publish.Options{
		Home: dir, Projects: p.projects, Table: table, Store: log, Sessions: p.sessions, Git: p.ingest, Gauges: p.gauges, Now: p.Now,
	})
	p.restore = restore.NewService(restore.Options{
		Home: dir, Projects: p.projects, Table: table, Store: log, Sessions: p.sessions, Ingest: p.ingest,
		Gauges: p.gauges, Logger: logger, Flush: driver.Flush,
		ReadsFile: func(tool string) bool { return publish.ReadsContext(dir, table, tool) },
	})
	p.answer(driver)
	return p
}

// answer makes the services that answer what is asked.
func (p *Services) answer(driver Driver) {
	p.queries = query.New(query.Options{
		Home: p.Home, Projects: p.projects, Table: p.Table, Store: p.Store, Sessions: p.sessions, Reports: p.publisher,
		Windows: p.gauges.Windows, Now: p.Now, UnknownHooks: driver.UnknownHooks, Degraded: driver.Degraded, Vanished: driver.Vanished,
	})
	p.memories = memory.New(memory.Options{Store: p.Store, Query: p.queries, Sessions: p.sessions, Edits: p.ingest, Now: p.Now})
	p.maintenance = maintain.New(maintain.Options{
		Home: p.Home, Store: p.Store, Sessions: p.sessions, Ingest: p.ingest, Publisher: p.publisher,
		Query: p.queries, Logger: p.Logger, Now: p.Now, Keep: p.Choices.KeepSessions, Imported: driver.Imported,
		Damaged: driver.Damaged,
		Mirrors: func(ctx context.Context) (int, error) { return p.ReadMirrors(ctx) },
	})
	p.namedAgents = agents.New(agents.Options{
		Home: p.Home, Projects: p.projects, Table: p.Table, Store: p.Store, Sessions: p.sessions, Query: p.queries,
		Flush: driver.Flush, Logger: p.Logger, Now: p.Now,
	})
}

// Distil folds a session's events, on top of the facts of the one it continues.
func (p *Services) Distil(ctx context.Context, session ledger.Session) (distiller.Facts, error) {
	return p.sessions.Facts(ctx, session)
}

// Standing is the session whose handoff is the current one of those that pass a
// filter. found is false while none of them has a request to hand over.
func (p *Services) Standing(ctx context.Context, filter ledger.SessionFilter) (session ledger.Session, found bool, err error) {
	return p.sessions.Standing(ctx, filter)
}

// DistilFile reads one transcript. tool "" recognises it; untilLine > 0 reads
// the lines up to that one only, as a compaction there would.
func (p *Services) DistilFile(path, tool string, untilLine int64) (ingest.FileFacts, error) {
	facts, err := p.ingest.DistilFile(path, tool, untilLine)
	return facts, fileError(err)
}

// LatestTranscript is the transcript that any agent wrote last on this machine, and
// its tool. Without any it is CodeNotFound.
func (p *Services) LatestTranscript(ctx context.Context) (tool, path string, err error) {
	tool, path, err = p.ingest.Latest(ctx)
	return tool, path, fileError(err)
}

// FileEvents are the events of one transcript as the distiller sees them, in
// order, and the tool that wrote it. tool "" recognises it.
func (p *Services) FileEvents(path, tool string) ([]transcript.Located, string, error) {
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

// identify tells the ledger which project a directory belongs to.
func identify(cwd string) (ledger.ProjectIdentity, bool) { return gitrepo.Identity(cwd) }

// OpenLedger opens the ledger of a home for writing.
func OpenLedger(dir home.Dir) (*sqlite.Store, error) { return openLedger(dir, nil) }

// openLedger is OpenLedger; damaged is told when a change meets a damaged page.
func openLedger(dir home.Dir, damaged func()) (*sqlite.Store, error) {
	return sqlite.Open(dir.Ledger(), sqlite.Options{Identify: identify, Same: gitrepo.SameProject, Damaged: damaged})
}
