package wrap

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/daemon/fileevents"
	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/publish"
)

// outbox is a folder for agents that cannot print: each file in it that was
// made since the wrapper began is read as if it had been printed, and removed.
type outbox struct {
	worktree string
	dir      string
	since    time.Time
	mu       sync.Mutex
}

// maxOutbox bounds a file in the outbox, in bytes.
const maxOutbox = 1 << 20

// openOutbox makes the folder in the worktree of a directory.
func openOutbox(directory string) (*outbox, error) {
	identity, ok := gitrepo.Identity(directory)
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
	return &outbox{worktree: identity.Worktree, dir: filepath.Join(identity.Worktree, publish.Dir, "outbox"), since: time.Now().Add(-time.Second)}, nil
}

// quietFor is how long a file must be left alone to be whole.
const outboxDebounce = 150 * time.Millisecond

// watch reads files as they come, until the context ends.
func (o *outbox) watch(ctx context.Context, take func(continuity.Command)) {
	watcher, err := fileevents.New(nil)
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
				quiet.Reset(outboxDebounce)
			}
		case <-watcher.Lost:
			quiet.Reset(outboxDebounce)
		case <-quiet.C:
			o.sweep(take)
		}
	}
}

// sweep reads and removes every message that is there. The project is checked
// each time: what was a folder may be a link by now.
func (o *outbox) sweep(take func(continuity.Command)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	project, err := publish.Open(o.worktree)
	if err != nil {
		return
	}
	defer func() { _ = project.Close() }()
	project.TakeMessages(o.since, maxOutbox, func(text string) {
		for _, command := range continuity.Mail(text) {
			take(command)
		}
	})
}
