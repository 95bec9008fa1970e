package daemon_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon"
)

// What is older than one chose to keep is forgotten, and stays so although its
// transcript is still there.
func TestOldSessionsAreForgotten(t *testing.T) {
	const old, young = "0a000000-0000-4000-8000-000000000001", "0b000000-0000-4000-8000-000000000002"
	w := newWorld(t)
	w.works(old, w.project, "Teach the parser to read dates.")
	text, err := os.ReadFile(w.transcript(old))
	if err != nil {
		t.Fatal(err)
	}
	w.write(w.transcript(old), strings.ReplaceAll(string(text), time.Now().UTC().Format("2006-"), "2019-"))
	w.works(young, w.project, "Write the release notes.")
	w.start()
	w.eventually("both are read", func() bool { return w.knows(old) && w.knows(young) })
	w.stop()

	w.write(w.home.Config(), "[retention]\nsessions = \"365d\"\n")
	w.start()
	w.eventually("the old one is forgotten", func() bool { return !w.knows(old) })
	w.stop()
	w.start()
	w.eventually("the young one is there", func() bool { return w.knows(young) })
	if w.knows(old) {
		t.Error("the old one was read again")
	}
}

// knows says whether the ledger has a session.
func (w *world) knows(session string) bool {
	w.t.Helper()
	pipeline, err := daemon.OpenReadOnly(w.home, func(error) {})
	if err != nil {
		return false
	}
	defer func() { _ = pipeline.Store.Close() }()
	_, err = pipeline.SessionNamed(w.t.Context(), session)
	return err == nil
}
