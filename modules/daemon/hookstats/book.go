// Package hookstats remembers which hooks have come and when: that, beside the
// transcripts, is how one knows which of them work.
package hookstats

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/google/renameio/v2/maybe"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/regularfile"
)

// WriteEvery bounds how often the book is written while hooks come: what Read says may be
// older by so much.
const WriteEvery = time.Minute

// Seen is how often one hook came.
type Seen struct {
	Count int       `json:"count"`
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
	Took  Latencies `json:"took,omitzero"`
}

// Counts are the hooks that came, by tool and by event in lower case.
type Counts map[string]map[string]Seen

// Of is what came of one hook.
func (c Counts) Of(tool, event string) Seen { return c[tool][strings.ToLower(event)] }

// Read reads what was written last; nothing when no hook ever came.
func Read(dir home.Dir) (Counts, error) {
	data, err := regularfile.ReadOwn(dir.HookStats())
	if errors.Is(err, fs.ErrNotExist) {
		return Counts{}, nil
	}
	if err != nil {
		return Counts{}, fmt.Errorf("read which hooks came: %w", err)
	}
	counts := Counts{}
	if err := json.Unmarshal(data, &counts); err != nil {
		return Counts{}, fmt.Errorf("read which hooks came, %s: %w", dir.HookStats(), err)
	}
	return counts, nil
}

// Book counts hooks as they come. Only one process keeps it: the daemon.
type Book struct {
	dir home.Dir

	mu      sync.Mutex
	counts  Counts
	changed bool
	written time.Time
	timer   *time.Timer // writes what was counted since; nil while nothing waits
}

// Open goes on with what was written. A file that cannot be read is started over:
// the next hooks fill it.
func Open(dir home.Dir) *Book {
	counts, _ := Read(dir)
	return &Book{dir: dir, counts: counts}
}

// Note counts a hook, and how long the daemon took to answer it,
// negative when nobody waited for an answer. The first of its kind is written at once, others at most
// once a minute and at Close.
func (b *Book) Note(tool, event string, at time.Time, took time.Duration) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	event = strings.ToLower(event)
	if b.counts[tool] == nil {
		b.counts[tool] = map[string]Seen{}
	}
	seen := b.counts[tool][event]
	if seen.Count == 0 || at.Before(seen.First) {
		seen.First = at.UTC()
	}
	if at.After(seen.Last) {
		seen.Last = at.UTC()
	}
	seen.Count++
	if took >= 0 {
		seen.Took.add(took)
	}
	b.counts[tool][event], b.changed = seen, true
	if seen.Count > 1 && at.Sub(b.written) < WriteEvery {
		b.writeLater()
		return nil
	}
	b.written = at
	return b.write()
}

// writeLater has the last counts of a run of hooks written too.
func (b *Book) writeLater() {
	if b.timer == nil {
		b.timer = time.AfterFunc(WriteEvery, func() { _ = b.Close() }) // tried again with the next hook
	}
}

// Counts are those of now.
func (b *Book) Counts() Counts {
	b.mu.Lock()
	defer b.mu.Unlock()
	counts := Counts{}
	for tool, events := range b.counts {
		counts[tool] = maps.Clone(events)
	}
	return counts
}

// Close writes what was counted since the last writing.
func (b *Book) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.timer != nil {
		b.timer.Stop()
		b.timer = nil
	}
	return b.write()
}

func (b *Book) write() error {
	if !b.changed {
		return nil
	}
	data, err := json.MarshalIndent(b.counts, "", "  ")
	if err != nil {
		return fmt.Errorf("encode which hooks came: %w", err)
	}
	if err := maybe.WriteFile(b.dir.HookStats(), append(data, '\n'), 0o600); err != nil {
		return fmt.Errorf("write which hooks came: %w", err)
	}
	b.changed = false
	return nil
}
