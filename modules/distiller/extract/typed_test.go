package extract_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Aider's chat takes a file the person adds while the agent's question is open.
func TestTurn_WhatThePersonAddsLeavesTheQuestionOpen(t *testing.T) {
	s := session().User("Reorder the lists").Agent("Which of the two lists do you mean, the rules or the examples?").Ends(transcript.TurnCompleted).
		Call(transcript.CallInfo{Name: "add", Meaning: transcript.Read, Paths: []string{root + "/notes.md"}})
	s.Events[len(s.Events)-1].Origin = transcript.Typed
	if turn := fold(s).Turn; turn == nil || turn.Asked == nil {
		t.Errorf("turn: %+v", turn)
	}
}

// What an agent waits for has come once the person adds a file and goes on.
func TestQuestions_WhatThePersonAddedIsWhatWasAwaited(t *testing.T) {
	for added, open := range map[bool]int{true: 0, false: 1} {
		s := session().User("Reorder the lists").Agent("The lists stand in a file that I can't see. Please add the file of the rules to the chat and let me know which of its sections come first.")
		if added {
			s.Call(transcript.CallInfo{Name: "add", Meaning: transcript.Read, Paths: []string{root + "/rules.md"}})
			s.Events[len(s.Events)-1].Origin = transcript.Typed
		}
		s.User("what does the exporter do with a row that has no total, in the newest release?").Agent("It skips the row.")
		if f := fold(s); len(f.Questions) != open {
			t.Errorf("added %v: %+v", added, f.Questions)
		}
	}
}

// A hook tells of a choice when it is made, the transcript when the record is written.
func TestNext_AChoiceThatIsToldTwiceStandsOnce(t *testing.T) {
	chosen := transcript.Decision{Kind: transcript.DecisionAsked, Question: "Which store?", Chosen: []string{"SQLite"}}
	s := session().User("Keep the dates in a store").Edit(root+"/parser.go").Asks("Which store?", "SQLite", "Files").Decides(chosen).Decides(chosen)
	next := fold(s).Next
	if next == nil || strings.Count(next.Text, "Which store?") != 1 {
		t.Errorf("next: %+v", next)
	}
}

// What the person chose is what is being done, until the agent says something else.
func TestNext_IsWhatWasChosenWhileItIsDone(t *testing.T) {
	s := session().User("The package is not safe, what now?").Agent("The best alternatives are the store or a cask.").
		Asks("How shall it be installed?", "From the store", "As a cask").Decides(transcript.Decision{Kind: transcript.DecisionAsked, Question: "How shall it be installed?", Chosen: []string{"From the store"}}).
		Edit(root + "/apps.nix")
	if next := fold(s).Next.Text; next != "Go on with what the user chose: How shall it be installed? → From the store" {
		t.Errorf("next: %s", next)
	}
	failing := session().User("The package is not safe, what now?").
		Asks("How shall it be installed?", "From the store", "As a cask").Decides(transcript.Decision{Kind: transcript.DecisionAsked, Question: "How shall it be installed?", Chosen: []string{"From the store"}}).
		Edit(root+"/apps.nix").Shell("nix flake check", 1, "error: attribute 'store' missing")
	if next := fold(failing).Next.Text; next != "Make this pass: nix flake check" {
		t.Errorf("once a check failed: %s", next)
	}
	if next := fold(s.Agent("Now the list of the apps:").Edit(root + "/list.nix")).Next.Text; strings.Contains(next, "chose") {
		t.Errorf("once it announced more: %s", next)
	}
}

// TestLimits_WhatThePersonDoesTheAgentMayNot holds that a commit which could not be signed is
// the person's to make, and that their doing so lifts nothing for the agent.
func TestLimits_WhatThePersonDoesTheAgentMayNot(t *testing.T) {
	const commit = "git commit -m 'Mend the total'"
	s := session().User("Commit it").Edit(root+"/cart.go").Shell(commit, 128, "error: Couldn't sign message (signer): agent refused operation?").
		Call(transcript.CallInfo{Name: "bash", Meaning: transcript.Shell, Command: "git add . && " + commit})
	s.Events[len(s.Events)-1].Origin = transcript.Typed
	f := fold(s.Result(transcript.ResultInfo{Text: "[main abc1234] Mend the total\n 1 file changed"}))
	if !tells(f.Limits, "signing: `git commit") || len(f.Failures) != 1 || !strings.HasPrefix(f.Failures[0].Solved, "the user's own ") {
		t.Errorf("limits %+v, failures %+v", f.Limits, f.Failures)
	}
	if f = fold(s.Shell(commit, 0, "[main abc1235] Mend the total\n 1 file changed")); len(f.Limits) != 0 {
		t.Errorf("the agent can: %+v", f.Limits)
	}
}
