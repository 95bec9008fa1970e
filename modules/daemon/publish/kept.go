package publish

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/ledger"
)

// keptEnd is how the names of handoffs end that Keep puts aside. They begin like the
// other files of their worktree, so that they are forgotten with them.
const keptEnd = ".kept.md"

// Keep puts the last handoffs aside whose sessions are not known any more, before those of
// the next sessions take their place, and returns the files.
func Keep(dir home.Dir, known func(ledger.SessionKey) (bool, error)) (files []string, err error) {
	list, err := filepath.Glob(filepath.Join(dir.Handoffs(), "*.json"))
	if err != nil {
		return nil, err
	}
	var failed []error
	for _, path := range list {
		last, ok := readFallback(path)
		if !ok || last.Session == "" || last.Body == "" {
			continue
		}
		if found, err := known(ledger.SessionKey{Tool: last.Tool, ID: last.Session}); found || err != nil {
			failed = append(failed, err)
			continue
		}
		kept := fmt.Sprintf("%s.%d%s", strings.TrimSuffix(path, ".json"), last.Updated, keptEnd)
		if err := own(kept, []byte(last.Heads["mode"]+last.Body)); err != nil {
			failed = append(failed, err)
			continue
		}
		files = append(files, kept)
	}
	return files, errors.Join(failed...)
}
