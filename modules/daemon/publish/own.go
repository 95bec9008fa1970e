package publish

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2/maybe"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/regularfile"
)

// Fallback keeps what the hook client may give out while the daemon is away.
func Fallback(dir home.Dir, worktree string, fallback home.Fallback) error {
	data, err := json.Marshal(fallback)
	if err != nil {
		return fmt.Errorf("encode fallback: %w", err)
	}
	return own(fallbackPath(dir, worktree), data)
}

func fallbackPath(dir home.Dir, worktree string) string {
	return filepath.Join(dir.Handoffs(), home.ProjectKey(worktree)+".json")
}

// LastFallback is what the hook client would give out now; ok is false when
// there is nothing that can be read.
func LastFallback(dir home.Dir, worktree string) (fallback home.Fallback, ok bool) {
	return readFallback(fallbackPath(dir, worktree))
}

func readFallback(path string) (fallback home.Fallback, ok bool) {
	data, err := regularfile.ReadOwn(path)
	return fallback, err == nil && json.Unmarshal(data, &fallback) == nil
}

// Forget removes what the hook client could give out in a worktree: the
// project was excluded.
func Forget(dir home.Dir, worktree string) error {
	err := os.Remove(fallbackPath(dir, worktree))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove fallback: %w", err)
	}
	return nil
}

// Person writes the copy of the newest handoff of any project, headed by the
// project's path, for the person. No hook reads it: it would carry one project
// into another.
func Person(dir home.Dir, worktree, text string) error {
	return own(dir.Handoff(), []byte("Project: "+worktree+"\n\n"+text))
}

// own replaces a file of our own in one step when its bytes change.
func own(path string, data []byte) error {
	if old, err := regularfile.ReadOwn(path); err == nil && string(old) == string(data) {
		return nil
	}
	if err := maybe.WriteFile(path, data, 0o600); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
