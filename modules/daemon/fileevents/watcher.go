// Package fileevents tells what happens to files. It is fsnotify, whose errors are
// read at all times.
package fileevents

import (
	"errors"

	"github.com/fsnotify/fsnotify"
)

// Watcher reports changes of the folders and files that were added to it.
type Watcher struct {
	Events <-chan fsnotify.Event
	// Lost says that there were more events than the system keeps: anything may
	// have changed since.
	Lost <-chan struct{}

	files *fsnotify.Watcher
}

// New makes a watcher. other is notified of what went wrong besides lost events, in
// a goroutine of its own; nil does not want to know.
//
// fsnotify 1.10.1 on Linux gives out an error while it holds the lock that Add needs:
// for one, when a watched folder is moved and then deleted. A program that reads its
// errors and adds folders in one goroutine, and is just adding one, waits for ever.
func New(other func(error)) (*Watcher, error) {
	files, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	lost := make(chan struct{}, 1)
	go func() {
		for err := range files.Errors { // Close closes it
			switch {
			case !errors.Is(err, fsnotify.ErrEventOverflow):
				if other != nil {
					other(err)
				}
			case len(lost) == 0:
				lost <- struct{}{}
			}
		}
	}()
	return &Watcher{Events: files.Events, Lost: lost, files: files}, nil
}

// Add watches a file, or a folder with what is directly in it.
func (w *Watcher) Add(path string) error { return w.files.Add(path) }

// Close ends it, and closes Events.
func (w *Watcher) Close() error { return w.files.Close() }
