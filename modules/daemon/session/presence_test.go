package session_test

import (
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/session"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
)

// A session has ended once its tool says so, until another hook of it comes.
func TestPresence_ASessionEndsAndGoesOn(t *testing.T) {
	table, faults := toolspecs.Load(nil)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	spec, err := table.Lookup("claude-code")
	if err != nil {
		t.Fatal(err)
	}
	var presence session.Presence
	key := ledger.SessionKey{Tool: spec.Tool, ID: "s"}
	now := time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC)
	for i, step := range []struct {
		role        string
		open, ended bool
	}{
		{"session_start", true, false}, {"session_end", false, true}, {"prompt", true, false}, {"session_end", false, true},
	} {
		presence.Note(spec, key, step.role, now)
		if open, ended := presence.Open(key, now), presence.HasEnded(key); open != step.open || ended != step.ended {
			t.Errorf("%d, after %s: open %v, ended %v", i, step.role, open, ended)
		}
		now = now.Add(time.Second)
	}
}
