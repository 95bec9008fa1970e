// Package capture notices that agents have written something: by file system
// events, by hooks, and by what hooks left in the spool.
package capture

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
	"go.uber.org/zap"
)

// debounce is how long a file must be quiet before it is read: agents write a
// turn as several appends, and one transaction should take them all.
const debounce = 40 * time.Millisecond

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

	mu     sync.Mutex
	events *fsnotify.Watcher
	due    map[string]*pending
	files  map[string]string // outside the roots: path → tool
}

type pending struct {
	tool  string
	timer *time.Timer
}

// Run watches until the context ends.
func (w *Watcher) Run(ctx context.Context) error {
	events, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	defer func() { _ = events.Close() }()
	w.begin(events)
	for _, root := range w.Roots {
		w.addRoot(root)
	}
	if w.Watching != nil {
		close(w.Watching)
	}
	defer w.stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case event, ok := <-events.Events:
			if !ok {
				return nil
			}
			w.handle(ctx, event)
		case err, ok := <-events.Errors:
			if !ok {
				return nil
			}
			w.failed(ctx, err)
		}
	}
}

// begin takes the kernel's events in hand, for the files too that Watch was told
// of before.
func (w *Watcher) begin(events *fsnotify.Watcher) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events, w.due = events, map[string]*pending{}
	for path := range w.files {
		w.addFile(path)
	}
}

// Watch adds one file that lies outside the roots. Only its writing is noticed,
// so one that was deleted and made anew must be told of again.
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

// Watches says whether Watch was told of a file.
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
	if root.Flat && w.events.Add(root.Path) == nil {
		return true
	}
	if !root.Flat && w.addTree(root.Path) == nil {
		return true
	}
	for below, dir := root.Path, filepath.Dir(root.Path); filepath.Dir(dir) != dir; below, dir = dir, filepath.Dir(dir) {
		if w.events.Add(dir) == nil {
			return !isDir(below)
		}
	}
	return true
}

func (w *Watcher) addTree(dir string) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			if path == dir {
				return err
			}
			return nil // a folder that went away meanwhile
		}
		if !entry.IsDir() {
			return nil
		}
		if err := w.events.Add(path); err != nil {
			w.Logger.Warn("cannot watch folder; it is read at the next rescan", zap.String("path", path), zap.Error(err))
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

func (w *Watcher) failed(ctx context.Context, err error) {
	w.Logger.Warn("file events were lost; reading everything that changed", zap.Error(err))
	if !errors.Is(err, fsnotify.ErrEventOverflow) {
		return
	}
	for _, root := range w.Roots {
		w.Rescan(ctx, root)
	}
}

// Later reports a file once nothing more is heard of it for a while.
func (w *Watcher) Later(ctx context.Context, tool, path string, wait time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.due == nil { // not watching yet, or no more
		return
	}
	if p, waiting := w.due[path]; waiting {
		p.timer.Reset(wait)
		return
	}
	w.due[path] = &pending{tool: tool, timer: time.AfterFunc(wait, func() {
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
