package contextusage

import (
	"sync"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Limits are the thresholds, in percent of the window; 0 is off.
type Limits struct {
	Notice   int // the agent is notified
	Snapshot int // everything is written again
}

// Crossed says which thresholds a session has just gone over.
type Crossed struct{ Notice, Snapshot bool }

// Gauges follow the context usage of the sessions at work.
type Gauges struct {
	Windows *Windows
	Limits  Limits

	mu    sync.Mutex
	gauge map[ledger.SessionKey]*gauge
}

type gauge struct {
	usage    transcript.UsageInfo
	over     Crossed // and not been below since
	notified bool    // of being over the first
	below    bool    // was below it since this program began to follow it
	since    int     // records since it is over
	last     string  // id of the newest record; a database gives one more than once
}

// Add takes events as they are kept. It returns the sessions that went over a
// threshold by them. A compaction of the context, or a record below it, re-arms it.
func (g *Gauges) Add(events []transcript.Located) (map[ledger.SessionKey]Crossed, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	crossed := map[ledger.SessionKey]Crossed{}
	var failed error
	for i := range events {
		event := &events[i].Event
		if event.Subagent || event.Withdrawn {
			continue
		}
		key := ledger.SessionKey{Tool: event.Tool, ID: event.Session}
		switch {
		case event.Kind == transcript.UsageRead && event.Usage != nil:
			failed = g.Windows.Learn(event.Usage.Model, event.Usage.Window)
			now := g.of(key).read(event.ID, *event.Usage, g.Windows.Percent(*event.Usage), g.Limits)
			before := crossed[key]
			crossed[key] = Crossed{before.Notice || now.Notice, before.Snapshot || now.Snapshot}
		case event.Kind == transcript.Compacted:
			failed = g.compacted(key, event)
			delete(crossed, key)
		}
	}
	return crossed, failed
}

func (g *Gauges) of(key ledger.SessionKey) *gauge {
	if g.gauge == nil {
		g.gauge = map[ledger.SessionKey]*gauge{}
	}
	if g.gauge[key] == nil {
		g.gauge[key] = &gauge{}
	}
	return g.gauge[key]
}

func (g *gauge) read(id string, usage transcript.UsageInfo, percent int, limits Limits) (crossed Crossed) {
	g.usage = usage
	now := Crossed{
		Notice:   limits.Notice > 0 && percent >= limits.Notice,
		Snapshot: limits.Snapshot > 0 && percent >= limits.Snapshot,
	}
	crossed = Crossed{Notice: now.Notice && !g.over.Notice, Snapshot: now.Snapshot && !g.over.Snapshot}
	g.over = now
	if id != g.last {
		g.since++
	}
	g.last = id
	if !now.Notice {
		g.notified, g.below, g.since = false, true, 0
	}
	return crossed
}

// compacted empties the gauge. Where a context was compacted automatically its window ends.
func (g *Gauges) compacted(key ledger.SessionKey, event *transcript.Event) error {
	full := g.of(key).usage
	g.gauge[key] = &gauge{below: true}
	if full.Window > 0 || event.Compaction == nil || event.Compaction.Trigger != "auto" {
		return nil
	}
	return g.Windows.Learn(full.Model, max(full.Context, event.Compaction.PreTokens))
}

// Read says that a turn of a session has ended which reads its notice from
// a file: it has it, if it asked its model anything since it went over.
func (g *Gauges) Read(key ledger.SessionKey) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if at := g.gauge[key]; at != nil && at.since > 1 {
		at.notified = true
	}
}

// Due is the usage that a session is to be notified of: it is over the threshold
// and was not notified since it went over. first says that it was over already
// when this program began to follow it: another run may have notified it.
func (g *Gauges) Due(key ledger.SessionKey) (usage transcript.UsageInfo, first, due bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	at := g.gauge[key]
	if at == nil || !at.over.Notice || at.notified {
		return usage, false, false
	}
	usage = at.usage
	usage.Window = g.Windows.Of(usage)
	return usage, !at.below, true
}

// Notified notes that the session was notified, once for each time it goes over.
func (g *Gauges) Notified(key ledger.SessionKey) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.of(key).notified = true
}
