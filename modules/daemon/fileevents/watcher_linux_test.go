package fileevents_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/fileevents"
)

// A watched folder that is moved away and deleted there gives an error, since its
// watch is gone with it. Whoever adds folders meanwhile is not held up.
func TestAdd_DoesNotWaitForAnErrorToBeRead(t *testing.T) {
	dir, away := t.TempDir(), t.TempDir()
	failed := make(chan error, 100)
	w, err := fileevents.New(func(err error) { failed <- err })
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Add(dir); err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		folder := filepath.Join(dir, fmt.Sprint(i))
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := w.Add(folder); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 100 { // nobody reads the events: the first of them waits until all of this is done
		folder := filepath.Join(away, fmt.Sprint(i))
		if err := os.Rename(filepath.Join(dir, fmt.Sprint(i)), folder); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(folder); err != nil {
			t.Fatal(err)
		}
	}
	added := make(chan error)
	go func() {
		for range w.Events { // as a program that adds a folder for each event
			added <- w.Add(dir)
		}
	}()
	for range 100 {
		select {
		case err := <-added:
			if err != nil {
				t.Fatal(err)
			}
		case <-time.After(10 * time.Second):
			t.Fatal("Add waits for ever")
		}
	}
	if err := <-failed; err == nil {
		t.Error("no error: the system behaves otherwise now")
	}
	if err := w.Close(); err != nil { // not when the test fails: it would wait for ever, too
		t.Error(err)
	}
}
