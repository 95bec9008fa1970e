package wrap

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/daemon/publish"
	"github.com/carryover-go/carryover/modules/daemon/repo"
)

// outbox is a folder for agents that cannot print: each file in it that was
// made since the wrapper began is read as if it had been printed, and removed.
type outbox struct {
	dir   string
	since time.Time
	mu    sync.Mutex
}

// maxOutbox bounds a file in the outbox, in bytes.
const maxOutbox = 1 << 20

// openOutbox makes the folder in the worktree of a directory.
func openOutbox(directory string) (*outbox, error) {
	identity, ok := repo.Identity(directory)
	if !ok {
		return nil, os.ErrNotExist
	}
	project, err := publish.Open(identity.Worktree)
	if err != nil {
		return nil, err
	}
	defer func() { _ = project.Close() }()
	if err := project.Outbox(); err != nil {
		return nil, err
	}
	// File systems keep times to the second at worst.
	return &outbox{dir: filepath.Join(identity.Worktree, publish.Dir, "outbox"), since: time.Now().Add(-time.Second)}, nil
}

// settled is how long a file must be left alone to be whole.
const settled = 150 * time.Millisecond

// watch reads files as they come, until the context ends.
func (o *outbox) watch(ctx context.Context, take func(continuity.Command)) {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return // they are read when the program ends
	}
	defer func() { _ = watcher.Close() }()
	if watcher.Add(o.dir) != nil {
		return
	}
	o.sweep(take)
	quiet := time.NewTimer(time.Hour)
	quiet.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case event, ok := <-watcher.Events:
			if !ok {
				return
			}
			if !event.Has(fsnotify.Remove) {
				quiet.Reset(settled)
			}
		case <-quiet.C:
			o.sweep(take)
		}
	}
}

// sweep reads and removes every file that is there.
func (o *outbox) sweep(take func(continuity.Command)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	root, err := os.OpenRoot(o.dir)
	if err != nil {
		return
	}
	defer func() { _ = root.Close() }()
	entries, err := os.ReadDir(o.dir)
	if err != nil {
		return
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || !info.Mode().IsRegular() || info.ModTime().Before(o.since) || info.Size() == 0 || info.Size() > maxOutbox ||
			!strings.HasSuffix(entry.Name(), ".md") || strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		data, err := root.ReadFile(entry.Name())
		if err != nil {
			continue
		}
		for _, command := range continuity.Mail(string(data)) {
			take(command)
		}
		_ = root.Remove(entry.Name())
	}
}
