// Package capture notices that agents have written something: by file system
// events, by hooks, and by what hooks left in the spool.
package capture

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/fileevents"
)

// debounce is how long a file must be quiet before it is read: agents write a
// turn as several appends, and one transaction should take them all. A file that
// is never quiet is read latest after its first change all the same.
const (
	debounce = 10 * time.Millisecond
	latest   = 40 * time.Millisecond
)

// Root is a folder below which a tool keeps transcripts. It may not exist yet.
type Root struct {
	Tool string
	Path string
	Flat bool // its folders are not watched
}

// Watcher reports changed files below its roots. It never drops a change
// silently: when the kernel's queue overflows, or a folder appears with files
// already in it, it asks for a rescan.
type Watcher struct {
	Roots   []Root
	Changed func(ctx context.Context, tool, path string)
	Rescan  func(ctx context.Context, root Root)
	Logger  *zap.Logger
	// Watching is closed when all roots are watched: what is read after that,
	// or changes after that, is not missed. Nil when nobody waits for it.
	Watching chan struct{}
	// PollEvery is how often the roots are read that cannot be watched; 0 is once
	// a minute.
	PollEvery time.Duration

	mu     sync.Mutex
	events *fileevents.Watcher // nil where the system gives none
	reason string              // why not all folders are watched; "" when they are
	polled map[string]Root     // roots with folders that are not
	due    map[string]*pending
	files  map[string]string // outside the roots: path → tool
}

type pending struct {
	tool   string
	timer  *time.Timer
	latest time.Time // when it is reported although it is not quiet
}

// pollEvery is how often folders are read that cannot be watched, where PollEvery
// does not say it.
const pollEvery = time.Minute

// Run watches until the context ends. Where the system's limits do not let a
// folder be watched, its root is read once a minute instead (Degraded).
func (w *Watcher) Run(ctx context.Context) error {
	changes, lost, closeEvents := w.begin()
	defer closeEvents()
	if w.Watching != nil {
		close(w.Watching)
	}
	defer w.stop()
	every := cmp.Or(w.PollEvery, pollEvery)
	poll := time.NewTicker(every)
	poll.Stop() // an idle daemon sleeps
	defer poll.Stop()
	for polls := false; ; {
		if roots := w.pollRoots(); len(roots) > 0 && !polls {
			poll.Reset(every)
			polls = true
		}
		select {
		case <-ctx.Done():
			return nil
		case <-poll.C:
			for _, root := range w.pollRoots() {
				w.Rescan(ctx, root)
			}
		case event := <-changes:
			w.handle(ctx, event)
		case <-lost:
			w.rescanAll(ctx)
		}
	}
}

// begin watches the roots, and the files that Watch was notified of before. Where the
// system gives no file events at all, the channels are nil.
func (w *Watcher) begin() (changes <-chan fsnotify.Event, lost <-chan struct{}, end func()) {
	events, err := fileevents.New(func(err error) { w.Logger.Debug("a file event came to nothing", zap.Error(err)) })
	w.mu.Lock()
	w.due = map[string]*pending{}
	if err == nil {
		w.events = events
		for path := range w.files {
			w.addFile(path)
		}
	}
	w.mu.Unlock()
	if err != nil {
		w.Logger.Warn("no file events; all folders are read once a minute", zap.Error(err))
		for _, root := range w.Roots {
			w.unwatched(root, err)
		}
		return nil, nil, func() {}
	}
	for _, root := range w.Roots {
		w.addRoot(root)
	}
	return events.Events, events.Lost, func() { _ = events.Close() }
}

// unwatched notes that a folder of a root cannot be watched.
func (w *Watcher) unwatched(root Root, why error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.polled == nil {
		w.polled = map[string]Root{}
	}
	w.polled[root.Tool+" "+root.Path], w.reason = root, why.Error()
}

func (w *Watcher) isPolled(root Root) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, polled := w.polled[root.Tool+" "+root.Path]
	return polled
}

func (w *Watcher) pollRoots() []Root {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Collect(maps.Values(w.polled))
}

// Degraded says why folders are read once a minute instead of at once, "" while
// all are watched.
func (w *Watcher) Degraded() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.reason
}

// Watch adds one file that lies outside the roots. Only its writing is noticed,
// so one that was deleted and created again must be notified of again.
func (w *Watcher) Watch(tool, path string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.files == nil {
		w.files = map[string]string{}
	}
	w.files[path] = tool
	if w.events != nil {
		w.addFile(path)
	}
}

// Watches says whether Watch was notified of a file.
func (w *Watcher) Watches(path string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, ok := w.files[path]
	return ok
}

func (w *Watcher) addFile(path string) {
	if err := w.events.Add(path); err != nil {
		w.Logger.Warn("cannot watch file; it is read at the next rescan", zap.String("path", path), zap.Error(err))
	}
}

// Flush reports every file that is waiting, now: a session start
// must not miss what was written a moment ago.
func (w *Watcher) Flush(ctx context.Context) {
	w.mu.Lock()
	waiting := w.due
	w.due = map[string]*pending{}
	w.mu.Unlock()
	for path, p := range waiting {
		p.timer.Stop()
		w.Changed(ctx, p.tool, path)
	}
}

// maxTries bounds how often a root is looked for again, because a folder on
// the way to it was made just before that was watched.
const maxTries = 8

// addRoot watches a root with all its folders, or, until it exists, the
// nearest folder above that does.
func (w *Watcher) addRoot(root Root) {
	for range maxTries {
		if w.watched(root) {
			return
		}
	}
}

// watched is one try of addRoot; false when a folder nearer to the root has
// appeared meanwhile, of which no event will tell.
func (w *Watcher) watched(root Root) bool {
	if root.Flat && w.add(root, root.Path) == nil {
		return true
	}
	if !root.Flat && w.addTree(root) == nil {
		return true
	}
	for below, dir := root.Path, filepath.Dir(root.Path); filepath.Dir(dir) != dir; below, dir = dir, filepath.Dir(dir) {
		if w.add(root, dir) == nil {
			return !isDir(below)
		}
	}
	return true
}

// add watches one folder. A limit of the system is no reason to look further: the
// root is polled.
func (w *Watcher) add(root Root, dir string) error {
	err := w.events.Add(dir)
	if !isLimit(err) {
		return err
	}
	w.unwatched(root, err)
	w.Logger.Warn("cannot watch a folder; it is read once a minute", zap.String("path", dir), zap.Error(err))
	return nil
}

// isLimit says whether a folder is not watched because the system has no watches,
// files or memory left for it.
func isLimit(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM)
}

func (w *Watcher) addTree(root Root) error {
	dir := root.Path
	return walk(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			if path == dir {
				return err
			}
			return nil // a folder that went away meanwhile
		}
		if !entry.IsDir() {
			return nil
		}
		if w.add(root, path) == nil && w.isPolled(root) {
			return fs.SkipAll // no folder more can be watched; one line in the log is enough
		}
		return nil
	})
}

func (w *Watcher) handle(ctx context.Context, event fsnotify.Event) {
	if event.Has(fsnotify.Chmod) && !event.Has(fsnotify.Write) {
		return
	}
	if event.Has(fsnotify.Create) {
		w.appeared(ctx, event.Name)
	}
	if event.Has(fsnotify.Remove) || event.Has(fsnotify.Rename) {
		w.vanished(event.Name)
	}
	root, ok := w.rootOf(event.Name)
	if !ok || !event.Has(fsnotify.Create) && !event.Has(fsnotify.Write) {
		return
	}
	w.Later(ctx, root.Tool, event.Name, debounce)
}

// appeared handles a new folder: whatever was put into it before we watched it
// has raised no event, so the root is scanned again.
func (w *Watcher) appeared(ctx context.Context, path string) {
	for _, root := range w.Roots {
		inside := within(root.Path, path)
		if !inside && !within(path, root.Path) {
			continue
		}
		if inside && !isDir(path) || inside && root.Flat && path != root.Path {
			continue
		}
		w.addRoot(root)
		if isDir(root.Path) {
			w.Rescan(ctx, root)
		}
	}
}

// vanished handles a root that was deleted or moved away: the folder above is
// watched until there is one again.
func (w *Watcher) vanished(path string) {
	for _, root := range w.Roots {
		if path == root.Path && !isDir(path) {
			w.Logger.Warn("a folder of transcripts is gone", zap.String("tool", root.Tool), zap.String("path", path))
			w.addRoot(root)
		}
	}
}

// rescanAll reads everything that changed unnoticed.
func (w *Watcher) rescanAll(ctx context.Context) {
	w.Logger.Warn("file events were lost; reading everything that changed")
	for _, root := range w.Roots {
		w.Rescan(ctx, root)
	}
}

// Later reports a file once nothing more is heard of it for a while, and soon
// after the first change when it never is quiet.
func (w *Watcher) Later(ctx context.Context, tool, path string, wait time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.due == nil { // not watching yet, or no more
		return
	}
	end := time.Now().Add(max(wait, latest))
	if p, waiting := w.due[path]; waiting {
		if wait > latest {
			p.latest = end
		}
		p.timer.Reset(min(wait, time.Until(p.latest)))
		return
	}
	w.due[path] = &pending{tool: tool, latest: end, timer: time.AfterFunc(wait, func() {
		w.mu.Lock()
		_, waiting := w.due[path]
		delete(w.due, path)
		w.mu.Unlock()
		if waiting && ctx.Err() == nil {
			w.Changed(ctx, tool, path)
		}
	})}
}

func (w *Watcher) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.due {
		p.timer.Stop()
	}
}

func (w *Watcher) rootOf(path string) (Root, bool) {
	w.mu.Lock()
	tool, ok := w.files[path]
	w.mu.Unlock()
	if ok {
		return Root{Tool: tool, Path: path}, true
	}
	for _, root := range w.Roots {
		if within(root.Path, path) {
			return root, true
		}
	}
	return Root{}, false
}

func within(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(rel)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
