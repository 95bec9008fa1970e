package session

import (
	"context"
	"fmt"

	"github.com/carryover-go/carryover/modules/ledger"
)

// building is a fold in the making, for all who ask for it. It is made to its end
// though who asked first gives up: a hook waits for a quarter of a second, and the fold
// of a long session takes seconds.
type building struct {
	done chan struct{}
	fold *fold
	err  error
}

// with looks at the fold of a session, which is made when it is not in memory.
func (s *Folds) with(ctx context.Context, session ledger.Session, look func(*fold)) error {
	s.mu.Lock()
	if f := s.folds[session.SessionKey]; f != nil {
		defer s.mu.Unlock()
		s.clock++
		f.used = s.clock
		look(f)
		return nil
	}
	b, others := s.building[session.SessionKey], true
	if b == nil {
		b, others = &building{done: make(chan struct{})}, false
		s.building[session.SessionKey] = b
		go s.build(context.WithoutCancel(ctx), session, b)
	}
	s.mu.Unlock()
	select {
	case <-b.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	if b.err != nil {
		return b.err
	}
	s.mu.Lock()
	if others && s.folds[session.SessionKey] != b.fold { // what came meanwhile made it no good for who asked later
		s.mu.Unlock()
		return s.with(ctx, session, look)
	}
	defer s.mu.Unlock()
	look(b.fold)
	return nil
}

// build makes a fold for those who wait for it.
func (s *Folds) build(ctx context.Context, session ledger.Session, b *building) {
	defer func() {
		if fault := recover(); fault != nil {
			b.err = fmt.Errorf("session %s of %s cannot be folded: %v", session.ID, session.Tool, fault)
		}
		s.mu.Lock()
		delete(s.building, session.SessionKey)
		s.mu.Unlock()
		close(b.done)
	}()
	b.fold, b.err = s.rebuild(ctx, session)
}
