// Package contextusage says how full the context of a session is: the tokens of
// its newest usage record over the window of its model.
package contextusage

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"github.com/google/renameio/v2/maybe"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/regularfile"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Windows are the context windows that were learnt, in tokens, by model: the
// largest that a record named, or at which a context was compacted automatically. They
// win over a smaller one of a record or spec: a spec may be older than the model.
type Windows struct {
	dir home.Dir

	mu     sync.Mutex
	learnt map[string]int64
}

// Open goes on with what was learnt. A file that cannot be read is started over.
func Open(dir home.Dir) *Windows {
	w := &Windows{dir: dir, learnt: map[string]int64{}}
	if data, err := regularfile.ReadOwn(dir.Windows()); err == nil && json.Unmarshal(data, &w.learnt) != nil {
		w.learnt = map[string]int64{}
	}
	return w
}

// Learn keeps the largest window of a model.
func (w *Windows) Learn(model string, window int64) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if model == "" || window <= w.learnt[model] {
		return nil
	}
	w.learnt[model] = window
	data, err := json.MarshalIndent(w.learnt, "", "  ")
	if err == nil {
		err = maybe.WriteFile(w.dir.Windows(), append(data, '\n'), 0o600)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // without a home nothing is kept
		return fmt.Errorf("write learnt windows: %w", err)
	}
	return nil
}

// Of is the window that a usage record is measured by, 0 when nobody knows it.
// A context that is larger than its window proves a larger one.
func (w *Windows) Of(usage transcript.UsageInfo) int64 {
	w.mu.Lock()
	window := max(usage.Window, w.learnt[usage.Model])
	w.mu.Unlock()
	if window == 0 {
		return 0
	}
	return max(window, usage.Context)
}

// Percent is how full the context is, 0 when the window is not known.
func (w *Windows) Percent(usage transcript.UsageInfo) int {
	window := w.Of(usage)
	if window == 0 {
		return 0
	}
	return int(usage.Context * 100 / window)
}
