package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/fileevents"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/toolspecs"
)

// errNewSpecs ends the services of a daemon whose specs changed: others begin with
// the new ones, in the same process and within a moment.
var errNewSpecs = errors.New("the specs changed")

// specsQuiet is how long the folder of specs must be quiet before it is read.
const specsQuiet = 200 * time.Millisecond

// specs are those in force, and the files they were read from.
type specs struct {
	table *toolspecs.Table
	files string
}

// specFiles says which files of specs there are and when they were written, so that
// a change is noticed that came before they were watched.
func specFiles(dir home.Dir) string {
	var all strings.Builder
	_ = fs.WalkDir(os.DirFS(dir.Toolspecs()), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return nil // a folder that is not there has no files
		}
		if info, err := entry.Info(); err == nil {
			fmt.Fprintln(&all, name, info.Size(), info.ModTime().UnixNano())
		}
		return nil
	})
	return all.String()
}

// loadSpecs reads the specs in force. What cannot be used is named in the log.
func loadSpecs(dir home.Dir, log *zap.Logger) *toolspecs.Table {
	table, failed := toolspecs.Load(os.DirFS(dir.Toolspecs()))
	for _, err := range failed {
		log.Warn("spec left aside", zap.Error(err))
	}
	return table
}

// watchSpecs waits until the folder of overrides or the installed bundle changes,
// and returns errNewSpecs then; nil when the context ends. read are the files as they
// were when they were read.
func watchSpecs(ctx context.Context, dir home.Dir, read string, log *zap.Logger) error {
	installed := filepath.Dir(filepath.Join(dir.Toolspecs(), filepath.FromSlash(toolspecs.BundleFile)))
	watcher, err := fileevents.New(nil)
	if err == nil {
		defer func() { _ = watcher.Close() }()
		err = errors.Join(os.MkdirAll(installed, 0o700), watcher.Add(dir.Toolspecs()), watcher.Add(installed))
	}
	if err != nil {
		log.Warn("changed specs are read at the next start only", zap.Error(err))
		return nil
	}
	var quiet <-chan time.Time
	if specFiles(dir) != read {
		quiet = time.After(specsQuiet)
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case event, ok := <-watcher.Events:
			if !ok {
				return nil
			}
			if filepath.Ext(event.Name) == ".json" {
				quiet = time.After(specsQuiet)
			}
		case <-watcher.Lost:
			quiet = time.After(specsQuiet)
		case <-quiet:
			return errNewSpecs
		}
	}
}
