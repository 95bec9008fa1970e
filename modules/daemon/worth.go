package daemon

import (
	"context"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// worth is what a session has to hand over.
type worth int

const (
	noRequest worth = iota // neither it nor what it began with has a request
	handedOn               // nothing was worked on: it hands on what it was given
	ownWork                // a request was worked on in it
)

// worth is asked for every session that is newer than the last work. Whether a
// request was worked on shows at the beginning of a session, so a long one is
// not read to its end for it; what was given is looked at only where the session
// itself shows nothing.
func (s *sessions) worth(ctx context.Context, session ledger.Session) (worth, error) {
	if s.hasWorked(session.SessionKey) {
		return ownWork, nil
	}
	if s.folded(session.SessionKey) {
		return s.worthWhole(ctx, session)
	}
	if value, known := s.idleSince(session); known {
		return value, nil
	}
	alone, err := s.worthAlone(ctx, session)
	if err != nil || alone == ownWork {
		return alone, err
	}
	before, err := s.predecessors(ctx, session)
	if err != nil {
		return alone, err
	}
	if len(before) > 0 {
		if alone, err = s.worthWhole(ctx, session); err != nil || alone == noRequest {
			return alone, err // the one before may still be worked on
		}
	}
	s.noteIdle(session, alone)
	return alone, nil
}

// idling is what a session without work of its own had to hand over when it had
// so many events.
type idling struct {
	events int
	value  worth
}

// idleSince is what is known of a session that did nothing since it was looked
// at.
func (s *sessions) idleSince(session ledger.Session) (value worth, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	idle, known := s.idle[session.SessionKey]
	return idle.value, known && idle.events == session.Events
}

// maxIdle bounds the idle sessions that are remembered.
const maxIdle = 4096

func (s *sessions) noteIdle(session ledger.Session, value worth) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if value == ownWork {
		return
	}
	if len(s.idle) >= maxIdle {
		clear(s.idle)
	}
	s.idle[session.SessionKey] = idling{session.Events, value}
}

// worthWhole is the worth of a session on top of what it was given.
func (s *sessions) worthWhole(ctx context.Context, session ledger.Session) (value worth, err error) {
	err = s.with(ctx, session, func(f *fold) {
		switch {
		case f.state.Facts().Worked:
			value, s.worked[session.SessionKey] = ownWork, true
		case f.carries:
			value = handedOn
		}
	})
	return value, err
}

// worthAlone is the worth of a session without what it was given. Facts are made
// after the first, second, fourth, eighth … reply or result, so that a long
// session without work costs twice its reading and not its square.
func (s *sessions) worthAlone(ctx context.Context, session ledger.Session) (worth, error) {
	state := extract.New(distiller.Facts{}, extract.Options{Root: session.Worktree})
	answers, next := 0, 1
	for event, err := range s.log.Events(ctx, session.SessionKey) {
		if err != nil {
			return noRequest, err
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
		return noRequest, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.worked[session.SessionKey] = true
	return ownWork, nil
}

// hasWorked says whether a request is known to have been worked on in a session.
func (s *sessions) hasWorked(key ledger.SessionKey) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.worked[key]
}

// maxPassed is how many sessions that only hand on are passed over in the search
// for work.
const maxPassed = 256

// standing is the session whose handoff stands for those that pass a filter,
// and what it has to hand over: the newest with work of its own, else the newest
// that hands on what it was given, else the newest. A session that is only
// opened, greeted and closed does not take the place of the work before it.
func (p *Pipeline) standing(ctx context.Context, filter ledger.SessionFilter) (ledger.Session, worth, bool, error) {
	return p.standingBut(ctx, filter, nil)
}

// standingBut is standing with a say in each session, newest first: it is passed
// over, or taken at once whatever its worth.
func (p *Pipeline) standingBut(ctx context.Context, filter ledger.SessionFilter, say func(ledger.Session) (pass, take bool)) (best ledger.Session, value worth, found bool, err error) {
	filter.Limit = keptFolds
	for passed := 0; passed < maxPassed; {
		list, err := p.Log.Sessions(ctx, filter)
		if err != nil {
			return best, value, found, err
		}
		for _, session := range list {
			filter.After = session.Mark()
			passed++
			if say != nil {
				pass, take := say(session)
				if take {
					return session, ownWork, true, nil
				}
				if pass {
					continue
				}
			}
			w, err := p.sessions.worth(ctx, session)
			if err != nil {
				return best, value, found, err
			}
			if !found || w > value {
				best, value, found = session, w, true
			}
			if w == ownWork {
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
func (p *Pipeline) Standing(ctx context.Context, filter ledger.SessionFilter) (session ledger.Session, found bool, err error) {
	session, value, found, err := p.standing(ctx, filter)
	return session, found && value != noRequest, err
}
