package session

import (
	"context"
	"sync"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Compactions knows which sessions are about to be compacted and when they last
// were.
type Compactions struct {
	store Store

	mu      sync.Mutex
	pending map[ledger.SessionKey]Announced
	last    map[ledger.SessionKey]time.Time // of those sessions that were asked about
}

// Announced is a compaction that a hook or a record announced.
type Announced struct {
	Trigger string // who asked for it; some transcripts do not say
	Pending bool   // its record has not been read yet
	at      time.Time
}

// NewCompactions follows the compactions of the sessions in a store.
func NewCompactions(store Store) *Compactions {
	return &Compactions{store: store, pending: map[ledger.SessionKey]Announced{}, last: map[ledger.SessionKey]time.Time{}}
}

// Announce records that a compaction begins.
func (c *Compactions) Announce(key ledger.SessionKey, trigger string, at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pending[key] = Announced{Trigger: trigger, Pending: true, at: at}
}

// TurnEnded gives up the compaction that was announced and has not come by then.
func (c *Compactions) TurnEnded(key ledger.SessionKey, at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if announced := c.pending[key]; announced.Pending && at.After(announced.at) {
		c.pending[key] = Announced{Trigger: announced.Trigger}
	}
}

// LastAnnounced is the compaction that was announced last, zero when none was.
func (c *Compactions) LastAnnounced(key ledger.SessionKey) Announced {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pending[key]
}

// Arrived says, once for each compaction, whether the one whose record was just
// read had been announced.
func (c *Compactions) Arrived(key ledger.SessionKey) (announced bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.pending[key]
	c.pending[key] = Announced{Trigger: before.Trigger}
	return before.Pending
}

// Stored follows events that were just stored.
func (c *Compactions) Stored(events []transcript.Located) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range events {
		key := ledger.SessionKey{Tool: events[i].Tool, ID: events[i].Session}
		if seen, ok := c.last[key]; ok && IsCompaction(events[i].Event) && events[i].Time.After(seen) {
			c.last[key] = events[i].Time
		}
	}
}

// Last is when the session was last compacted, by its tool's clock; zero when it
// never was. A session is searched once; after that the events that are stored
// tell it.
func (c *Compactions) Last(ctx context.Context, key ledger.SessionKey) (time.Time, error) {
	c.mu.Lock()
	last, known := c.last[key]
	c.mu.Unlock()
	if known {
		return last, nil
	}
	for event, err := range c.store.Events(ctx, key) {
		if err != nil {
			return time.Time{}, err
		}
		if IsCompaction(event.Event) {
			last = event.Time
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if seen, ok := c.last[key]; !ok || seen.Before(last) {
		c.last[key] = last
	}
	return c.last[key], nil
}

// TriggerOf is who asked for a compaction, as its record says.
func TriggerOf(event transcript.Event) string {
	if event.Compaction == nil {
		return ""
	}
	return event.Compaction.Trigger
}

// IsCompaction says whether an event is the compaction of a session's own
// context.
func IsCompaction(event transcript.Event) bool {
	return event.Kind == transcript.Compacted && !event.Subagent && !event.Withdrawn
}
