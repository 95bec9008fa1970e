package quality

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/home"
)

// Sessions yields every transcript in a folder that a reader knows, in the
// order of the paths; files nobody knows are passed over.
func Sessions(root string, yield func(*Session) error) error {
	var files []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("look through %s: %w", root, err)
	}
	slices.Sort(files)
	temp, err := os.MkdirTemp("", "carryover-quality-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	pipeline := daemon.Offline(home.Dir(temp), func(error) {})
	for _, file := range files {
		events, tool, err := pipeline.FileEvents(file, "")
		if errors.Is(err, daemon.ErrForeign) || errors.Is(err, daemon.ErrNothing) {
			continue
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", file, err)
		}
		name, _ := filepath.Rel(root, file)
		if err := yield(&Session{Name: name, Tool: tool, Events: events}); err != nil {
			return err
		}
	}
	return nil
}

// Measure scores every session in a folder.
func Measure(folder string) (*Table, error) {
	table := &Table{}
	err := Sessions(folder, func(s *Session) error { table.Add(s); return nil })
	return table, err
}
