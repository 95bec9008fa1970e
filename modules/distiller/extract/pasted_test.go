package extract_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// What programs and files say in a prompt is neither what the person asks nor what they
// demand, although line by line it reads like that.
func TestPrompt_WhatWasPastedIsNotTheirs(t *testing.T) {
	for name, paste := range map[string]string{
		"a terminal from its prompt on": "➜  shop git:(main) ✗ npm test\n\n> test\n> turbo run test\n\n• Packages in scope: api, web\n• Never cache this run\nTasks are always run in order\n\nerror: command finished with error: exit 1",
		"lines marked by their runner":  "web:lint: The name is assigned but never used.\nweb:lint: Tags must not be empty\nweb:lint: You should always set a key",
		"a comment of code":             "/**\n * Main entry of the shop, for the till only.\n * Never import it from a worker.\n */\nexport * from './till.js';\nthrow new Error('the till must not be empty');",
	} {
		t.Run(name, func(t *testing.T) {
			f := fold(session().User("I see this at the root, keep fixing\n\n" + paste))
			if len(f.Constraints) != 0 || !strings.HasPrefix(f.Task.Text, "I see this at the root, keep fixing") || strings.Contains(f.Task.Text, "Packages") {
				t.Errorf("task %q, constraints %+v", f.Task.Text, f.Constraints)
			}
		})
	}
}

// The last paragraph behind a pasted terminal may be the person's.
func TestPrompt_GoesOnBehindATerminal(t *testing.T) {
	f := fold(session().User("$ make\ncc -c a.c\ncc -c b.c\nlinking the shop\nusing the old linker\nStop.\n\nWhy does it use the old linker? Never install one."))
	if f.Task == nil || !strings.Contains(f.Task.Text, "Why does it use the old linker?") {
		t.Errorf("task %+v", f.Task)
	}
}

// The command of a pasted terminal is told without the prompt before it.
func TestPrompt_ThePastedCommand(t *testing.T) {
	s := session().User("keep fixing\n➜  shop git:(main) npm run lint\nnpm error Lifecycle script `lint` failed with error:\nnpm error code 1")
	if f := fold(s); !strings.Contains(f.Task.Text, "(and pasted: npm run lint → ") {
		t.Errorf("task %q", f.Task.Text)
	}
	f := fold(s.Edit(root+"/a.ts").Shell("npm run lint", 0, "no warnings"))
	if len(f.Failures) != 1 || f.Failures[0].Ended != "solved" {
		t.Errorf("failures: %+v", f.Failures)
	}
}

// A request with steps of its own answers no question, and its first step is no decision.
func TestDecisions_NotTheStepsOfARequest(t *testing.T) {
	f := fold(session().User("What is missing in the shop?").Agent("The till has no tests and no docs. I can add both. Would you like to proceed with these changes?").
		User("Scaffold the till\n\nPlease do the following:\n\n1. Create a folder for the till\n2. Add an index to it\n3. Export the till from the shop"))
	if len(f.Decisions) != 0 {
		t.Errorf("decided %+v", f.Decisions)
	}
}

// A run that began anew knows nothing of the question of the one before: what it is asked
// first answers none. Until then the question waits.
func TestDecisions_NoAnswerToARunThatIsOver(t *testing.T) {
	s := session().User("how do I add the files?").Agent("With /add. Would you like me to create a small example instead?")
	s.ID = "another"
	if f := fold(s.Event(transcript.Event{Kind: transcript.Session, Start: &transcript.Start{Version: "1.0.0"}})); f.Turn.Asked == nil && !strings.Contains(f.Turn.Text, "Would you like") {
		t.Errorf("turn %+v", f.Turn)
	}
	if f := fold(s.User("cls")); len(f.Decisions) != 0 || len(f.Questions) != 0 {
		t.Errorf("decided %+v, open %+v", f.Decisions, f.Questions)
	}
}

// A request that the model's server refused and that is stopped while the tool tries again
// was stopped by the error; said once more it stands once.
func TestRequest_StoppedByAnErrorAndThenByThePerson(t *testing.T) {
	failed := transcript.Event{Kind: transcript.Turn, Text: transcript.TurnFailed, Result: &transcript.ResultInfo{Failed: true, Text: "RateLimitError: quota exceeded"}}
	s := session().User("Look through the files of the shop").Event(failed).Ends(transcript.TurnInterrupted).
		User("Look through the files of the shop").Event(failed).Ends(transcript.TurnInterrupted)
	f := fold(s)
	if want := "stopped by an error: RateLimitError: quota exceeded"; f.Turn.Text != want || len(f.Requests) != 1 || f.Requests[0].Outcome != want {
		t.Errorf("turn %+v, requests %+v", f.Turn, f.Requests)
	}
	f = fold(session().User("Look through the files of the shop").Event(failed))
	if !tells(f.Verify, "stopped by an error: RateLimitError: quota exceeded: see that it is gone") {
		t.Errorf("to check: %+v", f.Verify)
	}
}
