package extract_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller/internal/script"
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

// TestNext_WhatIsProvedDoneIsNotAnnounced holds that an announced check that has
// passed, and an announced commit that was made and pushed, are not next.
func TestNext_WhatIsProvedDoneIsNotAnnounced(t *testing.T) {
	for name, tt := range map[string]struct {
		session func(*script.Session)
		want    string
	}{
		"a check": {func(s *script.Session) {
			s.Agent("All tests pass. Let me also run the linter one more time:").Shell("golangci-lint run ./...", 0, "0 issues.")
		}, "See what is left of the request, then report; uncommitted changes"},
		"a check that failed": {func(s *script.Session) {
			s.Agent("All tests pass. Let me also run the linter one more time:").Shell("golangci-lint run ./...", 1, "cart.go:3:1: unused (lint)")
		}, "Make this pass: golangci-lint run ./..."},
		"a commit and a push": {func(s *script.Session) {
			s.Agent("All tests pass. Let me commit and push this:").Shell("git commit -am total", 0, "[fix 1a2b3c4] total\n 1 file changed").Shell("git push", 0, "Everything up-to-date")
		}, "What was announced is done; see what is left of the request"},
		"a commit and a push, where CI runs": {func(s *script.Session) {
			s.Read(root+"/.github/workflows/test.yml").Agent("All tests pass. Let me commit and push this:").Shell("git commit -am total", 0, "[fix 1a2b3c4] total\n 1 file changed").Shell("git push", 0, "Everything up-to-date")
		}, "See what is left of the request, then see how the CI run"},
	} {
		t.Run(name, func(t *testing.T) {
			s := session().User("mend the total of the cart").Edit(root+"/cart.go").Shell("go test ./...", 0, "ok  \tshop\t0.1s")
			tt.session(s)
			if got := fold(s).Next.Text; !strings.HasPrefix(got, tt.want) {
				t.Errorf("next is %q", got)
			}
		})
	}
}

// TestNext_OfAReplyEndsWithALaterRequest holds that a stated next step outlives
// an empty turn, and no request that was answered since.
func TestNext_OfAReplyEndsWithALaterRequest(t *testing.T) {
	s := session().User("audit the modules of the shop").Agent("Audited.\n\nNext steps:\n- Add the missing cart modules")
	if got := fold(s).Next.Text; got != "Add the missing cart modules" {
		t.Errorf("next is %q", got)
	}
	s.User("List the two places in which the cart total is rounded").Agent("It is rounded in `total.go` and `view.go`.")
	if got := fold(s).Next.Text; strings.Contains(got, "missing cart modules") {
		t.Errorf("next is %q", got)
	}
}

// TestConstraints_OfALongPromptAreItsOwnWords holds that the demands in a report
// that a prompt carries are none of the user's.
func TestConstraints_OfALongPromptAreItsOwnWords(t *testing.T) {
	report := strings.Repeat("The reader must never close the pack before the last frame was read, see the second review.\n\n", 40)
	s := session().User("put these reviews into the memo, and only there:\n\n## Review\n\n" + report + "\nThanks")
	for _, c := range fold(s).Constraints {
		if strings.Contains(c.Text, "must never") && !strings.Contains(c.Text, "memo") {
			t.Errorf("demands %q", c.Text)
		}
	}
}

// TestNext_AStepThatRunsChecksEndsWithThem holds that the last step of a list is
// done once the checks that it names have passed, and another step is not.
func TestNext_AStepThatRunsChecksEndsWithThem(t *testing.T) {
	for step, want := range map[string]string{
		"Run fmt, lint and tests": "See what is left of the request, then report; uncommitted changes", "Run tests to verify changes": "See what is left of the request, then report; uncommitted changes",
		"Describe the total in the docs": "Describe the total in the docs", "Add tests of the refund and run them": "Add tests of the refund and run them",
	} {
		s := session().User("mend the total of the cart").Todo(transcript.Item{Text: "Mend the total", State: "done"}, transcript.Item{Text: step, State: "doing"})
		s.Edit(root+"/cart.go").Shell("mise run fmt && mise run lint", 0, "0 issues.").Shell("mise run test", 0, "ok  \tshop\t0.1s")
		if got := fold(s).Next.Text; !strings.HasPrefix(got, want) {
			t.Errorf("%q: next is %q", step, got)
		}
	}
}

// What was announced after the list was brought up to date, with nothing called since, is what the
// agent is at; a check that passes since may have been the step.
func TestNext_TellsWhereAListStands(t *testing.T) {
	doing := func() *script.Session {
		return session().User("make the importer stream").Edit(root+"/a.go").Shell("go build ./...", 1, "./a.go:3:2: undefined: rows").
			Todo(transcript.Item{Text: "Match the interface of the rows", State: "doing"}, transcript.Item{Text: "Describe the import", State: "todo"})
	}
	if next := fold(doing().Agent("Let me run the tests of the parser first.")).Next; next == nil || next.Text != "Go on with what the agent announced: Let me run the tests of the parser first; then, by its list: Match the interface of the rows" {
		t.Errorf("after an announcement: %+v", next)
	}
	if next := fold(doing().Edit(root+"/a.go").Shell("go build ./...", 0, "")).Next; next == nil || !strings.HasPrefix(next.Text, "Match the interface of the rows (`go build ./...` passes since: see whether it is done); then, by its list: Describe the import") {
		t.Errorf("after a check that passes: %+v", next)
	}
	if next := fold(doing().Edit(root+"/a.go").Shell("go build ./...", 0, "").Edit(root + "/b.go")).Next; next == nil || strings.Contains(next.Text, "passes since") {
		t.Errorf("after one more edit: %+v", next)
	}
}

// What the reply named as next and left to the person is agreed to by a bare word.
func TestNext_SaysThatWhatItWaitsForHasCome(t *testing.T) {
	s := session().User("design the move to the new library").Write(root + "/design.md").Agent("The design is written.\n\nNext: the approval of the design by the owner of the shop").User("approved")
	if next := fold(s).Next; next == nil || !strings.HasPrefix(next.Text, `The user said "approved"; go on: the approval`) {
		t.Errorf("got %+v", next)
	}
}

func TestConstraints_WhatAPersonToldOfThemselvesDemandsNothing(t *testing.T) {
	for said, demands := range map[string]bool{
		"I don't recall adding the flag to the export myself": false,
		"I don't want a flag for the export":                  true,
		"Don't add a flag to the export":                      true,
		"We must not promise a flag to the shop":              true,
	} {
		s := session().User("Write the exporter").Agent("It writes CSV, and has a flag for the header.").User("Write the importer of the orders next. " + said + ".").
			Edit(root + "/import.go").Agent("It reads CSV.").User("How long does each of them take for ten thousand orders?")
		if f := fold(s); tells(f.Constraints, "flag") != demands {
			t.Errorf("%q: %+v", said, f.Constraints)
		}
	}
}

func TestConstraints_AFeatureIsNoLimit(t *testing.T) {
	s := session().User("Add demos").Edit(root + "/demo.tsx").Agent("The page of `demo.tsx` has an interactive control, with buttons for `start` and `end`. The checks of `demo.tsx` are read-only and run together.").
		User("How long does each of them take for ten thousand orders?").Agent("Not long.")
	if f := fold(s); len(f.Constraints) > 0 {
		t.Errorf("constraints: %+v", f.Constraints)
	}
}

func TestConstraints_WhatAPersonQuotesFromTheReplyDemandsNothing(t *testing.T) {
	s := session().User("Switch the machine over").Agent("It is on. The only real issue was `defaultbrowser: command not found`, during activation.").
		User("The only real issue was defaultbrowser: command not found, during activation.\n\nCan we drop it? Keep the other settings in the file.").Edit(root + "/home.nix").Agent("It is gone.").
		User("How long does a switch take?")
	if f := fold(s); tells(f.Constraints, "defaultbrowser") || !tells(f.Constraints, "Keep the other settings") {
		t.Errorf("constraints: %+v", f.Constraints)
	}
}

func TestConstraints_WhatWasFoundTwiceStandsOnce(t *testing.T) {
	s := session().User("Write how the shop is linted").Edit(root + "/README.md").
		Agent("Linting must have Node.js (for eslint) in front and `ruff` behind.").
		User("Now for the tools").Edit(root + "/tools.md").
		Agent("Linting must have Node.js (eslint) in front and `Ruff` behind.").
		User("Add a page of orders").Edit(root + "/orders.ts").Agent("Added `orders.ts`.").
		User("Sort it").Edit(root + "/orders.ts").Agent("Sorted `orders.ts`.")
	if f := fold(s); len(f.Constraints) != 1 || !tells(f.Constraints, "`Ruff`") {
		t.Errorf("constraints: %+v", f.Constraints)
	}
}

// TestConstraints_AnAnnouncementIsNone holds that what a reply ends with before a call is what
// the agent was about to do, whatever words it has; the same at the end of a turn was found.
func TestConstraints_AnAnnouncementIsNone(t *testing.T) {
	const said = "Linting must have Node.js (for eslint) in front and `ruff` behind."
	later := func(s *script.Session) *script.Session {
		return s.User("Sort the list of orders").Edit(root + "/orders.go").Agent("Sorted.")
	}
	if f := fold(later(session().User("Write how it is linted").Read(root + "/lint.go").Agent(said))); !tells(f.Constraints, "must have Node.js") {
		t.Errorf("found: %+v", f.Constraints)
	}
	if f := fold(later(session().User("Write how it is linted").Read(root + "/lint.go").Agent(said).Edit(root + "/README.md").Agent("Written."))); len(f.Constraints) != 0 {
		t.Errorf("announced: %+v", f.Constraints)
	}
}

// Some tools put the project's rules into XML.
func TestConstraints_OfAContextFileAreUnescaped(t *testing.T) {
	s := session().Prompt(transcript.Injected, "<instructions>\n# AGENTS.md\n\n- The time zone of the export must be &quot;Asia/Calcutta&quot;\n</instructions>").
		User("Write the time zone into the export").Edit(root + "/export.go").Agent("It is there.")
	if f := fold(s); !tells(f.Constraints, `must be "Asia/Calcutta"`) {
		t.Errorf("constraints: %+v", f.Constraints)
	}
}

// TestConstraints_ARuleThatPointsBackStandsWithWhatItPointsTo holds that a rule which says
// little without the sentence before it is listed with that.
func TestConstraints_ARuleThatPointsBackStandsWithWhatItPointsTo(t *testing.T) {
	s := session().Prompt(transcript.Injected, "# AGENTS.md\n\nThe copy of the shop in the cloud folder is old. Do not commit from it.\n").
		User("Commit the shop from the cloud folder").Edit(root + "/cart.go").Agent("It is there.")
	if f := fold(s); !tells(f.Constraints, "Do not commit from it (The copy of the shop in the cloud folder is old)") {
		t.Errorf("constraints: %+v", f.Constraints)
	}
}
