package effect_test

import (
	"slices"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/effect"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// script is a session: reads, a command that fails, then an edit, a minute each.
func script(reads []string, command string, edits bool) func(yield func(transcript.Located) bool) {
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	var events []transcript.Located
	add := func(e transcript.Event) {
		e.Time, at = at, at.Add(time.Minute)
		events = append(events, transcript.Located{Event: e})
	}
	add(transcript.Event{Kind: transcript.Prompt, Origin: transcript.Typed, Text: "Parse the dates"})
	for _, path := range reads {
		add(transcript.Event{Kind: transcript.Call, Call: &transcript.CallInfo{ID: path, Meaning: transcript.Read, Paths: []string{path}}})
	}
	add(transcript.Event{Kind: transcript.Call, Call: &transcript.CallInfo{ID: "c", Meaning: transcript.Shell, Command: command}})
	add(transcript.Event{Kind: transcript.Result, Result: &transcript.ResultInfo{CallID: "c", Failed: true}})
	if edits {
		add(transcript.Event{Kind: transcript.Call, Call: &transcript.CallInfo{ID: "e", Meaning: transcript.Edit, Paths: []string{"a.go"}}})
		add(transcript.Event{Kind: transcript.Call, Call: &transcript.CallInfo{ID: "r", Meaning: transcript.Read, Paths: []string{"a.go"}}})
	}
	return slices.Values(events)
}

// A month of scripted sessions, counted by hand: without a handoff a session reads two
// known files and runs the failing test again, with one it edits at once.
func TestEffects_AgreeWithACountByHand(t *testing.T) {
	first := effect.Count(script([]string{"a.go", "b.go"}, "go test ./...", true), nil)
	if first.Follows || first.Calls != 3 || first.Wait != 5*time.Minute || first.Repeated != 0 || first.ReadAgain != 0 {
		t.Errorf("the first session counts %+v", first)
	}
	var known *effect.Memory
	known = known.Add(first)
	var sessions []effect.Session
	for i := range 24 {
		var s effect.Session
		if i%2 == 0 {
			s = effect.Count(script([]string{"a.go", "b.go", "new.go"}, "go test ./...", true), known)
		} else {
			s = effect.Count(script(nil, "go vet ./...", true), known)
			s.Given, s.Bytes = true, 4000
		}
		s.Tool, s.Project = "codex", "/work/p"
		sessions = append(sessions, s)
	}
	sessions = append(sessions, effect.Count(script(nil, "ls", false), known)) // no edit: not counted
	effects := effect.Of(sessions)
	if len(effects) != 3 {
		t.Fatalf("%d groups, want all, the tool and the project", len(effects))
	}
	for _, e := range effects {
		if e.TooFew || e.With.Sessions != 12 || e.Without.Sessions != 12 || e.Bytes != 48000 || e.Tokens != 12000 {
			t.Errorf("%+v", e)
		}
		if e.Without.Calls.Median != 4 || e.Without.Minutes.Median != 6 || e.Without.ReadAgain.Median != 2 || e.Without.Repeated.Median != 1 {
			t.Errorf("without a handoff: %+v", e.Without)
		}
		if e.With.Calls.Median != 1 || e.With.Minutes.Median != 3 || e.With.ReadAgain.High != 0 || e.With.Repeated.Median != 0 {
			t.Errorf("with a handoff: %+v", e.With)
		}
	}
	if few := effect.Of(sessions[:19]); !few[0].TooFew {
		t.Errorf("9 sessions on a side are enough: %+v", few[0])
	}
}
