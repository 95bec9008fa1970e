package session

import (
	"context"
	"errors"
	"testing"
)

// A hook gives up long before a long session is folded. The fold is made all the same,
// once for all who ask, and is there for the next one.
func TestFacts_AreFoldedOnceAndToTheEnd(t *testing.T) {
	alone := newWorking(t)
	alone.begins()
	alone.known()
	w := newWorking(t)
	w.begins()
	session := w.session()
	reading, goOn := make(chan struct{}), make(chan struct{})
	w.log.before = func() { close(reading); <-goOn }

	hook, givesUp := context.WithCancel(t.Context())
	first := make(chan error)
	go func() {
		_, err := w.Facts(hook, session)
		first <- err
	}()
	<-reading
	givesUp()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Fatalf("the first was told %v", err)
	}
	second := make(chan error)
	go func() {
		_, err := w.Facts(t.Context(), session)
		second <- err
	}()
	close(goOn)
	if err := <-second; err != nil {
		t.Fatal(err)
	}
	if w.known(); w.log.reads != alone.log.reads {
		t.Errorf("the ledger was read %d times, want %d", w.log.reads, alone.log.reads)
	}
}
