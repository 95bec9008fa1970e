package daemon

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/google/renameio/v2/maybe"
	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/api"
	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/daemon/capture/sqlitesource"
	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/hookstats"
	"github.com/carryover-go/carryover/modules/daemon/version"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// quiet is how long a session must write nothing before its handoff is
// published without a hook having said that the turn ended.
const quiet = 30 * time.Second

// Options of a daemon.
type Options struct {
	Home       home.Dir
	Foreground bool // log to stderr too
	// Page makes what a browser is shown, until the context ends; nil serves
	// none. It lies above this package, which knows nothing of pages.
	Page func(ctx context.Context, d *Daemon, browsers *api.Browsers) http.Handler
}

// Daemon is a running daemon: the pipeline, with all that drives it.
type Daemon struct {
	*Pipeline
	server  *api.Server
	hub     hub
	feed    feed
	watcher *capture.Watcher
	fired   *hookstats.Book
	started time.Time

	mu        sync.Mutex
	installed time.Time
	due       map[ledger.SessionKey]*time.Timer
	owed      map[ledger.SessionKey]string // sessions whose long document is to be written with the next handoff: the trigger of a snapshot, or ""
	warms     map[ledger.SessionKey]warming
	unknown   map[string]int             // hooks that no spec knows, "tool event"
	history   map[ledger.SessionKey]bool // sessions to publish once history is read; nil when it is
	work      sync.WaitGroup
}

// Run serves one home until the context ends. It returns ErrRunning when
// another daemon does so already.
func Run(ctx context.Context, options Options) error {
	dir := options.Home
	if err := dir.Make("run", "spool", "handoffs", "log", "bin"); err != nil {
		return err
	}
	release, err := lockHome(dir)
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
	table, overrideErrs := toolspecs.Load(os.DirFS(dir.Toolspecs()))
	for _, err := range overrideErrs {
		log.Warn("toolspec override left aside", zap.Error(err))
	}
	store, err := openOrRebuild(dir, log)
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }()
	token, err := api.Token(dir)
	if err != nil {
		return err
	}
	d := &Daemon{
		Pipeline: NewPipeline(dir, choices, table, store, log),
		started:  time.Now(), fired: hookstats.Open(dir), due: map[ledger.SessionKey]*time.Timer{}, owed: map[ledger.SessionKey]string{}, warms: map[ledger.SessionKey]warming{},
	}
	d.running = d.hub.projects
	d.server = &api.Server{Home: dir, Listen: choices.Listen, Token: token, Backend: d, Agents: d, Log: log}
	if err := d.server.Open(); err != nil {
		return err
	}
	if options.Page != nil {
		d.server.Page = options.Page(ctx, d, d.server.Browsers)
	}
	return d.serve(ctx)
}

// openOrRebuild opens the ledger. A damaged one is set aside, never deleted;
// the transcripts still on disk fill a new one.
func openOrRebuild(dir home.Dir, log *zap.Logger) (ledger.Log, error) {
	store, err := OpenLedger(dir)
	if !errors.Is(err, ledger.ErrCorrupt) {
		return store, err
	}
	aside, renameErr := setAside(dir, time.Now())
	if renameErr != nil {
		return nil, errors.Join(err, renameErr)
	}
	log.Error("the ledger was damaged; it is set aside and made anew from the transcripts", zap.String("aside", aside), zap.Error(err))
	return OpenLedger(dir)
}

func (d *Daemon) serve(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	d.readInstalled()
	d.ingest.Stored = func(reading context.Context, source ledger.Source, events []transcript.Located) {
		d.sessions.stored(reading, source, events)
		d.changed(ctx, events) // published when the hook or the import that had it read is over
	}
	places := d.places()
	d.watcher = &capture.Watcher{
		Roots: roots(places), Log: d.Zap, Watching: make(chan struct{}),
		Changed: d.fileChanged, Rescan: func(ctx context.Context, root capture.Root) { d.scan(ctx, root.Path) },
	}
	d.Flush = func(ctx context.Context) {
		d.watcher.Flush(ctx)
		d.scan(ctx, "") // a new file in a new folder may not have been noticed yet
	}
	if err := d.writeState(); err != nil {
		return err
	}
	defer func() { _ = os.Remove(d.Home.State()) }()
	d.Zap.Info("started", zap.String("listen", d.server.Address()), zap.String("version", version.Version))

	failed := make(chan error, 2)
	d.work.Go(func() { failed <- d.server.Serve(ctx) })
	d.work.Go(func() { failed <- d.watcher.Run(ctx) })
	d.work.Go(func() { d.readHistory(ctx); d.retain(ctx) })
	err := <-failed
	stop()
	d.stopTimers()
	d.work.Wait()
	if err := d.fired.Close(); err != nil {
		d.Zap.Warn("hooks not counted", zap.Error(err))
	}
	d.Zap.Info("stopped")
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

// readInstalled learns since when projects may be written into.
func (d *Daemon) readInstalled() time.Time {
	record, ok, err := wiring.ReadRecord(d.Home)
	if err != nil {
		d.Zap.Warn("install record not read", zap.Error(err))
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if ok {
		d.installed = record.Installed
	}
	return d.installed
}

// scan reads every transcript below the places that root holds ("" for all).
// Unchanged ones are not opened.
func (d *Daemon) scan(ctx context.Context, root string) {
	for _, place := range d.places() {
		if root != "" && place.Root != root {
			continue
		}
		files, err := place.Files(ctx)
		if err != nil && ctx.Err() == nil {
			d.Zap.Warn("place not read", zap.String("path", place.Root), zap.Error(err))
		}
		for _, path := range files {
			if ctx.Err() != nil {
				return
			}
			d.fileChanged(ctx, place.Tool, path)
		}
	}
	if root == "" {
		d.scanProjects(ctx)
	}
}

// scanProjects reads the transcripts that tools keep in projects, and has them
// watched: no hook tells of them.
func (d *Daemon) scanProjects(ctx context.Context) {
	for _, place := range d.inProjects(ctx) {
		d.watcher.Watch(place.Tool, place.Path())
		d.takeFile(ctx, place.Tool, place.Path())
	}
}

// fileChanged reads a file, if it is a transcript. The log of a database is the
// database.
func (d *Daemon) fileChanged(ctx context.Context, tool, path string) {
	path = sqlitesource.Main(path)
	for _, place := range d.places() {
		if place.Tool == tool && place.Holds(path) {
			d.takeFile(ctx, tool, path)
			return
		}
	}
	if d.watcher.Watches(path) { // one that lies in a project
		d.takeFile(ctx, tool, path)
	}
}

// takeFile reads a transcript; what goes wrong is said in the log.
func (p *Pipeline) takeFile(ctx context.Context, tool, path string) {
	if _, err := p.Take(ctx, tool, path); err != nil && ctx.Err() == nil && !errors.Is(err, fs.ErrNotExist) {
		p.Zap.Warn("transcript not read", zap.String("tool", tool), zap.String("path", path), zap.Error(err))
	}
}

// drainSpool handles what hooks left while there was no daemon. The scan
// before it has read the transcripts; what remains is what was given out.
func (d *Daemon) drainSpool(ctx context.Context) {
	spooled, err := capture.ReadSpool(d.Home)
	if err != nil {
		d.Zap.Warn("spool not read", zap.Error(err))
		return
	}
	for _, envelope := range spooled.Envelopes {
		hook := capture.FromEnvelope(d.Table, envelope)
		d.countFired(hook)
		if err := d.takeHook(ctx, hook); err != nil {
			d.Zap.Warn("spooled hook not handled", zap.String("tool", envelope.Tool), zap.Error(err))
		}
		if err := d.spoolGiven(ctx, envelope); err != nil {
			d.Zap.Warn("spooled restore not recorded", zap.String("tool", envelope.Tool), zap.Error(err))
		}
	}
	if ctx.Err() == nil {
		spooled.Remove()
	}
	if n := len(spooled.Envelopes); n > 0 || spooled.Lost > 0 {
		d.Zap.Info("spool drained", zap.Int("hooks", n), zap.Int64("lost", spooled.Lost), zap.Int("broken", spooled.Broken))
	}
}

// readHistory takes what was written while there was no daemon, then publishes
// the sessions of it that are still of use.
func (d *Daemon) readHistory(ctx context.Context) {
	d.mu.Lock()
	d.history = map[ledger.SessionKey]bool{}
	d.mu.Unlock()
	select { // what is written between reading and watching would be missed
	case <-d.watcher.Watching:
	case <-ctx.Done():
	}
	d.scan(ctx, "")
	d.drainSpool(ctx)
	d.drainAgents(ctx)
	d.mu.Lock()
	read := d.history
	d.history = nil
	d.mu.Unlock()
	d.addUnpublished(ctx, read)
	for key := range read {
		if ctx.Err() == nil {
			d.publishOwed(ctx, key)
		}
	}
	// Reading years of history needs more than watching ever will.
	debug.FreeOSMemory()
}

// publishAfter publishes a session once; a later call moves the time.
func (d *Daemon) publishAfter(ctx context.Context, key ledger.SessionKey, wait time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if timer := d.due[key]; timer != nil {
		timer.Stop()
	}
	d.due[key] = time.AfterFunc(wait, func() {
		d.mu.Lock()
		delete(d.due, key)
		d.mu.Unlock()
		if ctx.Err() == nil {
			d.publishOwed(ctx, key)
		}
	})
}

// publishDue publishes the sessions that wait for some quiet.
func (d *Daemon) publishDue(ctx context.Context) {
	d.mu.Lock()
	keys := slices.Collect(maps.Keys(d.due))
	d.mu.Unlock()
	for _, key := range keys {
		d.publishAfter(ctx, key, 0)
	}
}

// publishOwed publishes the handoff of a session, and its long document where
// that is owed.
func (d *Daemon) publishOwed(ctx context.Context, key ledger.SessionKey) {
	d.mu.Lock()
	trigger, owed := d.owed[key]
	delete(d.owed, key)
	d.mu.Unlock()
	d.settle(ctx, key)
	d.publishNow(ctx, key)
	if owed {
		d.writeLedger(ctx, key, trigger)
	}
	d.takeTrajectories(ctx, key)
}

// owe has the long document written with the session's next handoff, with a
// snapshot when there is a trigger for one.
func (d *Daemon) owe(key ledger.SessionKey, trigger string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.owed[key] = cmp.Or(trigger, d.owed[key])
}

func (d *Daemon) publishNow(ctx context.Context, key ledger.SessionKey) {
	if err := d.Publish(ctx, key, d.readInstalled()); err != nil && ctx.Err() == nil {
		d.Zap.Warn("handoff not published", zap.String("tool", key.Tool), zap.String("session", key.ID), zap.Error(err))
	}
}

func (d *Daemon) stopTimers() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, timer := range d.due {
		timer.Stop()
	}
	for _, w := range d.warms {
		if w.timer != nil {
			w.timer.Stop()
		}
	}
}

func roots(places []capture.Place) []capture.Root {
	var list []capture.Root
	seen := map[string]bool{}
	for _, place := range places {
		if !seen[place.Tool+place.Root] {
			seen[place.Tool+place.Root] = true
			list = append(list, capture.Root{Tool: place.Tool, Path: place.Root, Flat: place.Flat()})
		}
	}
	return list
}
