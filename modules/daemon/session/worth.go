package session

import (
	"context"
	"sync"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Worth is what a session has to hand over.
type Worth int

// What a session can have to hand over, in rising order.
const (
	NoRequest Worth = iota // neither it nor what it began with has a request
	HandedOn               // nothing was worked on: it hands on what it was given
	OwnWork                // a request was worked on in it
)

// Standings knows which session's handoff is the current one: what each has to
// hand over is remembered.
type Standings struct {
	store Store
	folds *Folds

	mu     sync.Mutex
	worked map[ledger.SessionKey]bool // sessions in which a request was worked on
	idle   map[ledger.SessionKey]idle // sessions without work of their own
}

// NewStandings begins with nothing known.
func NewStandings(store Store, folds *Folds) *Standings {
	return &Standings{store: store, folds: folds, worked: map[ledger.SessionKey]bool{}, idle: map[ledger.SessionKey]idle{}}
}

// Stored follows events that were just stored: turns that are taken back may be
// all of the work.
func (s *Standings) Stored(events []transcript.Located) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range events {
		if events[i].Kind == transcript.Rollback {
			delete(s.worked, ledger.SessionKey{Tool: events[i].Tool, ID: events[i].Session})
		}
	}
}

// Reset forgets everything: what it was made of has changed.
func (s *Standings) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.worked)
	clear(s.idle)
}

// Drop forgets a session whose predecessor became known only now.
func (s *Standings) Drop(key ledger.SessionKey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.idle, key)
}

// WorthOf is asked for every session that is newer than the last work. Whether a
// request was worked on shows at the beginning of a session, so a long one is
// not read to its end for it; what was given is looked at only where the session
// itself shows nothing.
func (s *Standings) WorthOf(ctx context.Context, session ledger.Session) (Worth, error) {
	if s.HasWorked(session.SessionKey) {
		return OwnWork, nil
	}
	if s.folds.Has(session.SessionKey) {
		return s.worthWhole(ctx, session)
	}
	if value, known := s.idleSince(session); known {
		return value, nil
	}
	alone, err := s.worthAlone(ctx, session)
	if err != nil || alone == OwnWork {
		return alone, err
	}
	before, err := s.folds.predecessors(ctx, session)
	if err != nil {
		return alone, err
	}
	if len(before) > 0 {
		if alone, err = s.worthWhole(ctx, session); err != nil || alone == NoRequest {
			return alone, err // the one before may still be worked on
		}
	}
	s.noteIdle(session, alone)
	return alone, nil
}

// idle is what a session without work of its own had to hand over when it had
// so many events.
type idle struct {
	events int
	value  Worth
}

// idleSince is what is known of a session that did nothing since it was looked
// at.
func (s *Standings) idleSince(session ledger.Session) (value Worth, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	idle, known := s.idle[session.SessionKey]
	return idle.value, known && idle.events == session.Events
}

// maxIdle bounds the idle sessions that are remembered.
const maxIdle = 4096

func (s *Standings) noteIdle(session ledger.Session, value Worth) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if value == OwnWork {
		return
	}
	if len(s.idle) >= maxIdle {
		clear(s.idle)
	}
	s.idle[session.SessionKey] = idle{session.Events, value}
}

// worthWhole is the worth of a session on top of what it was given.
func (s *Standings) worthWhole(ctx context.Context, session ledger.Session) (value Worth, err error) {
	err = s.folds.with(ctx, session, func(f *fold) {
		switch {
		case f.state.Facts().Worked:
			value = OwnWork
		case f.carries:
			value = HandedOn
		}
	})
	if value == OwnWork {
		s.noteWorked(session.SessionKey)
	}
	return value, err
}

// worthAlone is the worth of a session without what it was given. Facts are made
// after the first, second, fourth, eighth … reply or result, so that a long
// session without work costs twice its reading and not its square.
func (s *Standings) worthAlone(ctx context.Context, session ledger.Session) (Worth, error) {
	state := extract.New(distiller.Facts{}, extract.Options{Root: session.Worktree})
	answers, next := 0, 1
	for event, err := range s.store.Events(ctx, session.SessionKey) {
		if err != nil {
			return NoRequest, err
		}
		if !state.Add(event) { // turns were taken back
			return s.worthWhole(ctx, session)
		}
		if event.Kind != transcript.Reply && event.Kind != transcript.Result {
			continue
		}
		if answers++; answers < next {
			continue
		}
		next *= 2
		if state.Facts().Worked {
			break
		}
	}
	if !state.Facts().Worked {
		return NoRequest, nil
	}
	s.noteWorked(session.SessionKey)
	return OwnWork, nil
}

func (s *Standings) noteWorked(key ledger.SessionKey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.worked[key] = true
}

// HasWorked says whether a request is known to have been worked on in a session.
func (s *Standings) HasWorked(key ledger.SessionKey) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.worked[key]
}

// maxPassed is how many sessions that only hand on are passed over in the search
// for work.
const maxPassed = 256

// StandingWorth is the session whose handoff stands for those that pass a filter,
// and what it has to hand over: the newest with work of its own, else the newest
// that hands on what it was given, else the newest. A session that is only
// opened, greeted and closed does not take the place of the work before it.
func (s *Standings) StandingWorth(ctx context.Context, filter ledger.SessionFilter) (ledger.Session, Worth, bool, error) {
	return s.StandingBut(ctx, filter, nil, func(ledger.Session) (pass, take bool) { return false, false })
}

// StandingBut is StandingWorth with a say in each session, newest first: it is passed
// over, or taken at once whatever its worth. first are the newest sessions of the
// filter where the caller has them already.
func (s *Standings) StandingBut(ctx context.Context, filter ledger.SessionFilter, first []ledger.Session, say func(ledger.Session) (pass, take bool)) (best ledger.Session, value Worth, found bool, err error) {
	filter.Limit = keptFolds
	for passed, list := 0, first; passed < maxPassed; list = nil {
		if list == nil {
			if list, err = s.store.Sessions(ctx, filter); err != nil {
				return best, value, found, err
			}
		}
		for _, session := range list {
			filter.After = session.Mark()
			passed++
			if pass, take := say(session); take {
				return session, OwnWork, true, nil
			} else if pass {
				continue
			}
			w, err := s.WorthOf(ctx, session)
			if err != nil {
				return best, value, found, err
			}
			if !found || w > value {
				best, value, found = session, w, true
			}
			if w == OwnWork {
				return best, value, true, nil
			}
		}
		if len(list) < filter.Limit {
			break
		}
	}
	return best, value, found, nil
}

// Standing is the session whose handoff stands for those that pass a filter.
// found is false while none of them has a request to hand over.
func (s *Standings) Standing(ctx context.Context, filter ledger.SessionFilter) (session ledger.Session, found bool, err error) {
	session, value, found, err := s.StandingWorth(ctx, filter)
	return session, found && value != NoRequest, err
}
