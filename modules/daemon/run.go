package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/renameio/v2/maybe"
	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/api"
	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/damage"
	"github.com/carryover-go/carryover/modules/daemon/dashboard"
	"github.com/carryover-go/carryover/modules/daemon/doctor"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/homelock"
	"github.com/carryover-go/carryover/modules/daemon/hookstats"
	"github.com/carryover-go/carryover/modules/daemon/version"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Options of a daemon.
type Options struct {
	Home       home.Dir
	Foreground bool // log to stderr too
}

// Daemon is a running daemon: the services, with all that drives them.
type Daemon struct {
	*Services
	schedule *scheduler
	server   *api.Server
	watcher  *capture.Watcher
	hooks    *hookstats.Book
	started  time.Time

	specFiles string // as they were when they were read
	noState   atomic.Pointer[error]
	spool     sync.Mutex // held while the spool is drained

	mu      sync.Mutex
	unknown map[string]int // hooks that no spec knows, "tool event"
	work    sync.WaitGroup
	fault   faults        // asks for a check of the ledger
	history chan struct{} // closed when what was written without a daemon is read
	drift   drift
}

// Run serves one home until the context ends. It returns homelock.ErrRunning when
// another daemon does so already, and ErrStuck when it did not end within EndWithin:
// what it waits for is in the log then, and nothing is lost if the process exits.
func Run(ctx context.Context, options Options) error {
	dir := options.Home
	if misplaced := dir.Misplaced(); len(misplaced) > 0 {
		return misplaced[0]
	}
	if err := dir.Make("run", "spool", "handoffs", "log", "bin"); err != nil {
		return err
	}
	release, err := homelock.Acquire(dir)
	if err != nil {
		return err
	}
	defer release()
	choices, configErr := config.Load(dir)
	log := newLog(dir, choices.LogLevel, options.Foreground)
	defer func() { _ = log.Sync() }()
	if configErr != nil {
		log.Warn("configuration left aside, defaults are used", zap.Error(configErr))
	}
	return endsWithin(ctx, EndWithin, log, func() error { return runLedgers(ctx, dir, choices, log) })
}

// runLedgers serves the home's ledger, and the one that follows a damaged one, with
// the specs as they are.
func runLedgers(ctx context.Context, dir home.Dir, choices config.Choices, log *zap.Logger) error {
	for {
		read := specFiles(dir) // before the specs: a change in between is read again
		err := runLedger(ctx, dir, choices, specs{loadSpecs(dir, log), read}, log)
		switch {
		case ctx.Err() != nil:
			return err
		case errors.Is(err, errNewSpecs):
			log.Info("the specs changed and are read again")
		case !errors.Is(err, errDamaged):
			return err
		default:
			if err := setAside(dir, err, log); err != nil {
				return err
			}
		}
	}
}

// errDamaged ends a daemon whose ledger was found to be damaged: another one
// begins, with a new ledger.
var errDamaged = errors.New("the ledger is damaged")

// runLedger serves one ledger until the context ends, or the ledger is found
// to be damaged.
func runLedger(ctx context.Context, dir home.Dir, choices config.Choices, in specs, log *zap.Logger) error {
	fault := make(faults, 1)
	store, err := openOrRebuild(dir, log, fault.note)
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }()
	token, err := api.Token(dir)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	d := newDaemon(ctx, dir, choices, in, store, log, fault)
	d.server = &api.Server{Home: dir, Listen: choices.Listen, Token: token, Service: d.Services, Daemon: d, Logger: log}
	if err := d.server.Open(); err != nil {
		return err
	}
	d.server.Page = d.page(ctx)
	return d.serve(ctx, stop)
}

// newDaemon wires the services of a daemon.
func newDaemon(ctx context.Context, dir home.Dir, choices config.Choices, in specs, store ledger.Store, log *zap.Logger, fault faults) *Daemon {
	d := &Daemon{started: time.Now(), specFiles: in.files, hooks: hookstats.Open(dir), history: make(chan struct{}), fault: fault}
	d.Services = NewServices(dir, choices, in.table, store, log, Driver{
		Changed: func(events []transcript.Located) { d.schedule.changed(events) }, Flush: d.flush,
		Recheck:  func(tool, path string) { d.watcher.Later(ctx, tool, path, capture.VisibleAfter) },
		Imported: d.imported, UnknownHooks: d.unknownHooks, Degraded: d.degraded, Vanished: d.drift.read,
		Damaged: fault.note,
	})
	d.schedule = newScheduler(schedulerOptions{
		life: func() context.Context { return ctx }, home: dir, choices: choices, table: in.table, store: store, sessions: d.sessions,
		publisher: d.publisher, gauges: d.gauges, logger: log, now: d.Now,
		noteChange:  func(key ledger.SessionKey) { d.feed.tell(view.Change{Tool: key.Tool, Session: key.ID}) },
		contextFull: d.ContextFull, published: d.TakeTrajectories,
	})
	d.watcher = &capture.Watcher{
		Roots: append(watchedRoots(d.ingest.Roots()), capture.Root{Tool: spoolRoot, Path: dir.Spool(), Flat: true}), Logger: log, Watching: make(chan struct{}),
		Changed: d.fileChanged, Rescan: d.rescan,
	}
	return d
}

// page is what a browser is shown. What it has checked ends with the context.
func (d *Daemon) page(ctx context.Context) *api.Page {
	return dashboard.New(ctx, dashboard.Options{
		Service: d.Services, Sessions: d.Services, Ledger: d.Store, Edits: d.ingest, Tools: d.tools(), Openable: d.openable(), Browsers: d.server.Browsers, Now: d.Now, Logger: d.Logger,
		Hooks:   d.hooks.Counts,
		Examine: func(ctx context.Context) doctor.Report { return doctor.Run(ctx, d.Home, d.Table) },
	})
}

// rescan reads everything below a root that may have changed unnoticed.
func (d *Daemon) rescan(ctx context.Context, root capture.Root) {
	if root.Tool == spoolRoot {
		d.fileChanged(ctx, spoolRoot, root.Path)
		return
	}
	d.scan(ctx, root.Path)
}

// degraded says what the daemon does without, for `carryover status`.
func (d *Daemon) degraded() []string {
	var list []string
	if reason := d.watcher.Degraded(); reason != "" {
		list = append(list, "not all folders can be watched ("+reason+"); they are read once a minute")
	}
	if err := d.server.PortError(); err != nil {
		list = append(list, "no dashboard and no API: "+err.Error())
	}
	if err := d.noState.Load(); err != nil {
		list = append(list, "daemon.json cannot be written: "+(*err).Error())
	}
	if d.ingest.NoSpace() {
		list = append(list, "there is no room to store what agents write; it is tried again every second")
	}
	return append(list, d.schedule.refusals.sentences()...)
}

// flush reads what agents wrote a moment ago. A new file in a new folder may not
// have been noticed yet.
func (d *Daemon) flush(ctx context.Context) {
	d.watcher.Flush(ctx)
	d.scan(ctx, "")
}

// openOrRebuild opens the ledger. A damaged one is set aside, never deleted;
// the transcripts still on disk fill a new one.
func openOrRebuild(dir home.Dir, log *zap.Logger, damaged func()) (ledger.Store, error) {
	store, err := openFreed(dir, damaged)
	if !errors.Is(err, ledger.ErrCorrupt) {
		return store, err
	}
	if err := setAside(dir, err, log); err != nil {
		return nil, err
	}
	return openLedger(dir, damaged)
}

// openFreed opens the ledger once the command that writes to it has ended: without a daemon a
// command, or the wrapper of an agent, holds it for a moment.
func openFreed(dir home.Dir, damaged func()) (ledger.Store, error) {
	for began := time.Now(); ; time.Sleep(freedStep) {
		store, err := openLedger(dir, damaged)
		if !errors.Is(err, ledger.ErrLocked) || time.Since(began) > freedWithin {
			return store, err
		}
	}
}

// freedWithin is for how long a daemon that starts waits for a command to end.
const (
	freedWithin = 5 * time.Second
	freedStep   = 50 * time.Millisecond
)

// setAside puts a damaged ledger aside, and says so.
func setAside(dir home.Dir, cause error, log *zap.Logger) error {
	record, err := damage.SetAside(dir, cause, time.Now())
	if err != nil {
		return errors.Join(cause, err)
	}
	log.Error("the ledger was damaged; it is set aside and rebuilt from the transcripts", zap.String("aside", record.Aside), zap.Error(cause))
	return nil
}

// serve runs until the context ends or something fails; stop ends the context.
func (d *Daemon) serve(ctx context.Context, stop func()) error {
	d.schedule.readInstalled()
	if err := d.writeState(); err != nil { // the socket's place is known without it
		d.Logger.Warn("state not written", zap.Error(err))
		d.noState.Store(&err)
	}
	defer func() { _ = os.Remove(d.Home.State()) }()
	if err := d.server.PortError(); err != nil {
		d.Logger.Warn("no dashboard and no API", zap.Error(err))
	}
	d.Logger.Info("started", zap.String("listen", d.server.Address()), zap.String("version", version.Version))

	failed := make(chan error, 4)
	d.work.Go(func() { failed <- d.server.Serve(ctx) })
	d.work.Go(func() { failed <- d.watcher.Run(ctx) })
	d.work.Go(func() { d.readHistory(ctx); d.retain(ctx) })
	d.work.Go(func() { d.compareVersions(ctx) })
	d.work.Go(func() { d.keepOriginals(ctx) })
	d.work.Go(func() {
		if err := watchSpecs(ctx, d.Home, d.specFiles, d.Logger); err != nil {
			failed <- err
		}
	})
	d.work.Go(func() {
		if err := d.watchLedger(ctx); err != nil {
			failed <- err
		}
	})
	err := <-failed
	stop()
	d.schedule.stop()
	d.work.Wait()
	if err := d.hooks.Close(); err != nil {
		d.Logger.Warn("hooks not counted", zap.Error(err))
	}
	d.Logger.Info("stopped")
	return err
}

func (d *Daemon) writeState() error {
	data, err := json.MarshalIndent(home.Running{
		PID: os.Getpid(), Listen: d.server.Address(), Socket: d.Home.Socket(),
		Version: version.Version, Started: d.started.UTC(),
	}, "", "  ")
	if err != nil {
		return err
	}
	return maybe.WriteFile(d.Home.State(), data, 0o600)
}

// watchedRoots are the folders to watch.
func watchedRoots(sourceRoots []capture.SourceRoot) []capture.Root {
	var list []capture.Root
	seen := map[string]bool{}
	for _, root := range sourceRoots {
		if !seen[root.Tool+root.Root] {
			seen[root.Tool+root.Root] = true
			list = append(list, capture.Root{Tool: root.Tool, Path: root.Root, Flat: root.Flat()})
		}
	}
	return list
}
