package extract_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func TestNext_IsWhatWasAgreedToWhileItIsBeingDone(t *testing.T) {
	s := session().User("Move the importer to the new parser").Edit(root+"/importer.go").Shell("go vet ./...", 1, "importer.go:3: undefined: parse").
		Agent("The importer uses the new parser.").User("did you commit?").Agent("No, I didn't commit the importer. Would you like me to?").User("yes").
		Call(transcript.CallInfo{Name: "Bash", Meaning: transcript.Shell, Command: "git status"})
	if next := fold(s).Next; next == nil || !strings.Contains(next.Text, "agreed to") || !strings.Contains(next.Text, "commit") {
		t.Errorf("next: %+v", next)
	}
}

func TestRequest_ASlashCommandWithoutArgumentsIsOne(t *testing.T) {
	s := session().User("Move the importer to the new parser").Edit(root + "/importer.go").Agent("Done.").
		User("<command-message>review-pr</command-message>\n<command-name>/review-pr</command-name>").Agent("Looking at the comments.").
		Call(transcript.CallInfo{Name: "Bash", Meaning: transcript.Shell, Command: "gh pr view"})
	f := fold(s)
	if n := len(f.Requests); n != 2 || f.Requests[1].Text != "run /review-pr" {
		t.Errorf("requests: %+v", f.Requests)
	}
}

func TestFailures_ACommitThatFailedIsSolvedByOneThatDidNot(t *testing.T) {
	s := session().User("Commit it").Shell("git add a.go && git commit -m 'Add it'", 128, "error: Signing file failed").
		Shell("git commit -m 'Add it, unsigned'", 0, "[main abc1234] Add it, unsigned")
	for _, fl := range fold(s).Failures {
		if fl.Ended == "" {
			t.Errorf("open: %+v", fl)
		}
	}
}

func TestVerify_ALookThatHasNoResultYetIsNothingToCheck(t *testing.T) {
	s := session().User("Explain the importer").Call(transcript.CallInfo{Name: "Read", Meaning: transcript.Read, Paths: []string{root + "/importer.go"}})
	f := fold(s)
	if tells(f.Verify, "no result yet") || f.Next == nil || !strings.Contains(f.Next.Text, "Explain the importer") {
		t.Errorf("to check %+v, next %+v", f.Verify, f.Next)
	}
}

func TestConstraints_WhatStandsAsADecisionIsNotSaidTwice(t *testing.T) {
	s := session().User("Write the exporter").Edit(root + "/export.go").Agent("It writes CSV.").User("No, never write CSV, write JSON instead")
	f := fold(s)
	if len(f.Decisions) != 1 || tells(f.Constraints, "JSON") {
		t.Errorf("decisions %+v, constraints %+v", f.Decisions, f.Constraints)
	}
}

func TestNext_AReviewHasNothingToMakePass(t *testing.T) {
	s := session().User("Review the changes of this branch").Shell("go test ./...", 1, "--- FAIL: TestCart (0.00s)\nFAIL").Agent("One finding: the cart drops its last row.").Ends(transcript.TurnCompleted)
	if next := fold(s).Next; next == nil || strings.Contains(next.Text, "ake this pass") {
		t.Errorf("next: %+v", next)
	}
	s = session().User("Mend the cart").Edit(root+"/cart.go").Shell("go test ./...", 1, "--- FAIL: TestCart (0.00s)\nFAIL").Agent("It fails still.").Ends(transcript.TurnCompleted)
	if next := fold(s).Next; next == nil || !strings.Contains(next.Text, "ake this pass") {
		t.Errorf("next: %+v", next)
	}
}

func TestNext_IsTheSecondOfTwoStepsOnceTheFirstIsCommitted(t *testing.T) {
	s := session().User("Make a pull request of the importer").Edit(root+"/importer.go").
		Agent("I'm going to commit it now, then I'll push and open the pull request.").
		Shell("git commit -am 'Add the importer'", 0, "[topic abc1234] Add the importer")
	if next := fold(s).Next; next == nil || !strings.Contains(next.Text, "push and open the pull request") || strings.Contains(next.Text, "commit it now") {
		t.Errorf("next: %+v", next)
	}
}

func TestAsking_AListBehindAYesOrNoIsNoChoice(t *testing.T) {
	s := session().User("Review the cart").Agent("Two things:\n\n1. The last row is dropped\n2. The total is rounded twice\n\nShall I fix these?")
	if a := fold(s).Turn.Asked; a == nil || !a.Listed || len(a.Options) != 2 {
		t.Errorf("asked: %+v", a)
	}
	s = session().User("Review the cart").Agent("1. Fix the rows\n2. Fix the total\n\nWhich one?")
	if a := fold(s).Turn.Asked; a == nil || a.Listed || len(a.Options) != 2 {
		t.Errorf("asked: %+v", a)
	}
}

func TestNext_AnotherRequestAgreesToNothing(t *testing.T) {
	s := session().User("Rebase the topic").Edit(root+"/importer.go").
		Agent("The topic is rebased. Force-push needed to update the pull request: let me know when you want me to do that.").
		User("can you now also do a rebase for the exporter").Shell("git stash push", 0, "Saved working directory")
	if f := fold(s); f.Next == nil || strings.Contains(f.Next.Text, "agreed") || len(f.Decisions) != 0 {
		t.Errorf("next %+v, decisions %+v", f.Next, f.Decisions)
	}
}
