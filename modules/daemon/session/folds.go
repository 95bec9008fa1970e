package session

import (
	"context"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// keptFolds is how many sessions' folds stay in memory. More are rarely alive
// at once, and a dropped one costs a re-read of its events.
const keptFolds = 16

// Store is what this package reads of the ledger.
type Store interface {
	Events(ctx context.Context, session ledger.SessionKey) iter.Seq2[transcript.Located, error]
	Session(ctx context.Context, key ledger.SessionKey) (ledger.Session, bool, error)
	Sessions(ctx context.Context, filter ledger.SessionFilter) ([]ledger.Session, error)
	Restores(ctx context.Context, session ledger.SessionKey, limit int) ([]ledger.Restore, error)
	Scrub(event *transcript.Event)
}

// Folds are the folded states of the sessions at work, so that one more event
// costs one more step and not the whole session again.
type Folds struct {
	store Store

	mu       sync.Mutex
	folds    map[ledger.SessionKey]*fold
	building map[ledger.SessionKey]*building
	replays  map[ledger.SessionKey][]*pendingReplay
	clock    int64
}

// NewFolds keeps folds of what a store holds.
func NewFolds(store Store) *Folds {
	return &Folds{
		store: store, folds: map[ledger.SessionKey]*fold{}, building: map[ledger.SessionKey]*building{},
		replays: map[ledger.SessionKey][]*pendingReplay{},
	}
}

// Stored adds events that were just kept to the folds in memory. An event that
// belongs elsewhere (an earlier place, another source but a subagent's) drops
// the fold; it is made again when it is asked for.
func (s *Folds) Stored(_ context.Context, source ledger.Source, events []transcript.Located) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range events {
		event := events[i]
		key := ledger.SessionKey{Tool: event.Tool, ID: event.Session}
		f, replays := s.folds[key], s.replays[key]
		if f == nil && len(replays) == 0 {
			continue
		}
		s.store.Scrub(&event.Event)
		ledger.Prepare(&event.Event)
		for _, r := range replays {
			r.enqueue(source.Path, event)
		}
		if f != nil && !f.add(source.Path, event) {
			delete(s.folds, key)
		}
	}
}

// Recorded adds an event of our own, like one of git, to the fold in memory:
// it has no place in a transcript that it could be out of.
func (s *Folds) Recorded(key ledger.SessionKey, event transcript.Located) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.markStale(key)
	if f := s.folds[key]; f != nil && !f.state.Add(event) {
		delete(s.folds, key)
	}
}

// Facts are those of a session on top of its predecessors'.
func (s *Folds) Facts(ctx context.Context, session ledger.Session) (facts distiller.Facts, err error) {
	err = s.with(ctx, session, func(f *fold) { facts = f.state.Facts() })
	return ended(facts, session), err
}

// ended corrects when a session ended: the ledger takes no time of the future.
func ended(facts distiller.Facts, session ledger.Session) distiller.Facts {
	if !session.Last.IsZero() && facts.Updated.After(session.Last.Add(maxAhead)) {
		facts.Updated = session.Last
	}
	return facts
}

// maxAhead is how much later than in the ledger a transcript may say that a session
// ended: what was written since the row was read.
const maxAhead = 10 * time.Minute

// FactsAlone are those of a session's own events, on top of nothing. They are not
// kept: many sessions are looked at this way, one after another.
func (s *Folds) FactsAlone(ctx context.Context, session ledger.Session) (distiller.Facts, error) {
	if facts, ok := s.aloneInMemory(session.SessionKey); ok {
		return facts, nil
	}
	var last int64
	var failed error
	events := s.main(ctx, session.SessionKey, 0, &last, &failed)
	state := extract.Replay(distiller.Facts{}, extract.Options{Root: session.Worktree, Subagent: session.How == "subagent"}, events)
	return state.Facts(), failed
}

// aloneInMemory are the facts of a session at work, where it was folded on top of nothing.
func (s *Folds) aloneInMemory(key ledger.SessionKey) (facts distiller.Facts, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.folds[key]
	if f == nil || f.carries || f.unordered {
		return facts, false
	}
	return f.state.Facts(), true
}

// FactsAndTrail are the facts of a session and how it ends.
func (s *Folds) FactsAndTrail(ctx context.Context, session ledger.Session) (facts distiller.Facts, trail distiller.Trail, err error) {
	err = s.with(ctx, session, func(f *fold) { facts, trail = f.state.Facts(), f.state.Trail() })
	return ended(facts, session), trail, err
}

// FactsAndTrailAfter are those in the moment of a hook that comes with the result
// of a call: that call, known by its id or by its name, is not waiting for one.
func (s *Folds) FactsAndTrailAfter(ctx context.Context, session ledger.Session, callID, name string) (facts distiller.Facts, trail distiller.Trail, err error) {
	err = s.with(ctx, session, func(f *fold) { facts, trail = f.state.After(callID, name) })
	return facts, trail, err
}

// Trail is how a session ends.
func (s *Folds) Trail(ctx context.Context, session ledger.Session) (trail distiller.Trail, err error) {
	err = s.with(ctx, session, func(f *fold) { trail = f.state.Trail() })
	return trail, err
}

// Chronicle is the long account of a session.
func (s *Folds) Chronicle(ctx context.Context, session ledger.Session) (chronicle distiller.Chronicle, err error) {
	err = s.with(ctx, session, func(f *fold) { chronicle = f.state.Chronicle() })
	return chronicle, err
}

// unordered says whether a session's fold has events out of the ledger's order.
func (s *Folds) unordered(key ledger.SessionKey) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.folds[key]
	return f != nil && f.unordered
}

// Reorder rebuilds the fold of a session, if it has events out of the ledger's
// order. Until it is rebuilt the one in memory serves those who cannot wait.
func (s *Folds) Reorder(ctx context.Context, key ledger.SessionKey) error {
	if !s.unordered(key) {
		return nil
	}
	session, found, err := s.store.Session(ctx, key)
	if err != nil || !found {
		return err
	}
	_, err = s.rebuild(ctx, session)
	return err
}

// rebuild makes the fold of a session, and keeps it unless what came meanwhile made it
// no good.
func (s *Folds) rebuild(ctx context.Context, session ledger.Session) (*fold, error) {
	meanwhile := &pendingReplay{}
	s.mu.Lock()
	s.replays[session.SessionKey] = append(s.replays[session.SessionKey], meanwhile)
	s.mu.Unlock()

	on := map[ledger.SessionKey]bool{}
	made, err := s.replay(ctx, session, on, 0, meanwhile.markSeen)

	s.mu.Lock()
	defer s.mu.Unlock()
	s.endReplay(session.SessionKey, meanwhile)
	if err != nil {
		return nil, err
	}
	f := &fold{state: made.state, carries: made.carries, path: session.Path, offset: made.last, on: on}
	if meanwhile.mergeInto(f) {
		s.clock++
		f.used = s.clock
		s.folds[session.SessionKey] = f
		s.evict()
	}
	return f, nil
}

// endReplay ends the waiting of a fold in the making; s.mu is held.
func (s *Folds) endReplay(key ledger.SessionKey, done *pendingReplay) {
	s.replays[key] = slices.DeleteFunc(s.replays[key], func(r *pendingReplay) bool { return r == done })
	if len(s.replays[key]) == 0 {
		delete(s.replays, key)
	}
}

// markStale says of the folds in the making that they will be no good; s.mu is
// held.
func (s *Folds) markStale(key ledger.SessionKey) {
	for _, r := range s.replays[key] {
		r.stale = true
	}
}

// Has says whether a session's fold is in memory.
func (s *Folds) Has(key ledger.SessionKey) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.folds[key] != nil
}

// Reset drops every fold, and those in the making: what they are made of has changed.
func (s *Folds) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key := range s.replays {
		s.markStale(key)
	}
	clear(s.folds)
}

// Drop drops a fold: its predecessor became known only now.
func (s *Folds) Drop(key ledger.SessionKey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.markStale(key)
	delete(s.folds, key)
}

func (s *Folds) evict() {
	for len(s.folds) > keptFolds {
		var oldest ledger.SessionKey
		for key, f := range s.folds {
			if o := s.folds[oldest]; o == nil || f.used < o.used {
				oldest = key
			}
		}
		delete(s.folds, oldest)
	}
}

// replay folds a session from the ledger. seen are the sessions that are being
// folded on top of it: two that were handed to each other end there.
// until ends it before that offset of its main source, where another session
// was forked off; 0 takes it whole. had gets each of its events.
func (s *Folds) replay(ctx context.Context, session ledger.Session, seen map[ledger.SessionKey]bool, until int64, had func(transcript.Located)) (made replayedFold, err error) {
	seen[session.SessionKey] = true
	prior, carries, err := s.prior(ctx, session, seen)
	if err != nil {
		return made, err
	}
	made.carries = carries
	var failed error
	events := func(yield func(transcript.Located) bool) {
		for event := range s.main(ctx, session.SessionKey, until, &made.last, &failed) {
			if had(event); !yield(event) {
				return
			}
		}
	}
	made.state = extract.Replay(prior, extract.Options{Root: session.Worktree, Subagent: session.How == "subagent"}, events)
	return made, failed
}

// replayedFold is a session folded from the ledger.
type replayedFold struct {
	state   *extract.State
	last    int64 // offset of the last event of its main source
	carries bool  // it began with work of another session
}

// main yields a session's events and notes the last offset and the error.
func (s *Folds) main(ctx context.Context, key ledger.SessionKey, until int64, last *int64, failed *error) iter.Seq[transcript.Located] {
	return func(yield func(transcript.Located) bool) {
		for event, err := range s.store.Events(ctx, key) {
			if err != nil {
				*failed = err
				return
			}
			if until > 0 && !event.Subagent && event.Ref.Offset >= until {
				continue
			}
			if !event.Subagent { // it has offsets of its own
				*last = max(*last, event.Ref.Offset)
			}
			if !yield(event) {
				return
			}
		}
	}
}
