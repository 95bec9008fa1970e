package extract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func TestWhatOnlyLeadsToTheNextCallConcludesNothing(t *testing.T) {
	s := session().User("make the export of orders stream its rows").Edit(root + "/b.go").
		Agent("The writer in `b.go` kept all rows. Now the `colors.go` test, which needs confirmation:").Edit(root + "/colors.go")
	f := fold(s)
	told := fmt.Sprint(f.Requests[0].Concluded, f.Questions)
	if !strings.Contains(told, "kept all rows") || strings.Contains(told, "colors.go") {
		t.Errorf("got %s", told)
	}
}

func TestAFailedCheckComesBeforeTheListOfSteps(t *testing.T) {
	s := session().User("make the export of orders stream its rows").
		Todo(transcript.Item{Text: "stream the rows", State: "doing"}, transcript.Item{Text: "write the docs", State: "todo"}).
		Edit(root+"/b.go").Agent("Now I'll run the tests:").Shell("go test ./...", 1, "--- FAIL: TestRows (0.00s)\nFAIL")
	if next := fold(s).Next; next == nil || next.Text != "Make this pass: go test ./...; then stream the rows" {
		t.Errorf("got %+v", next)
	}
}

func TestAListThatNothingTouchedForLongIsLeftBehind(t *testing.T) {
	s := session().User("find out what the search tools of the shop get wrong").
		Todo(transcript.Item{Text: "search for the order", State: "doing"}, transcript.Item{Text: "write the report", State: "todo"})
	for range 6 {
		s.Call(transcript.CallInfo{Name: "mcp__shop__search"}).Result(transcript.ResultInfo{Text: "order 7"})
	}
	s.Agent("Let me create an order and change it:")
	if next := fold(s).Next; next == nil || strings.Contains(next.Text, "search for the order") {
		t.Errorf("got %+v", next)
	}
}

func TestOfSeveralChecksThatPassInOneCallNoneFailed(t *testing.T) {
	s := session().User("make the export of orders stream its rows").Edit(root+"/b.go").
		Shell("mise run lint", 1, "b.go:7:2: string has 4 occurrences (goconst)").Edit(root+"/b.go").
		Shell("go test ./... && mise run lint", 0, "ok  \tshop/b\t0.1s\n0 issues.").Agent("The export streams now.")
	if outcome := fold(s).Requests[0].Outcome; !strings.Contains(outcome, "passed") || strings.Contains(outcome, "failed") {
		t.Errorf("got %q", outcome)
	}
}

func TestAScriptIsTheSameHoweverItIsRun(t *testing.T) {
	s := session().User("try the export on a fresh machine").Write(root+"/smoke.sh").
		Shell("chmod +x smoke.sh\n./smoke.sh", 1, "error: no such table").Edit(root+"/smoke.sh").
		Shell("bash smoke.sh 2>&1", 0, "12 checks passed")
	if failures := fold(s).Failures; len(failures) != 1 || failures[0].Ended == "" {
		t.Errorf("got %+v", failures)
	}
}

func TestAStepBeingDoneSaysThatTheAgentHasNotFinished(t *testing.T) {
	s := session().User("make the export of orders stream its rows").
		Todo(transcript.Item{Text: "stream the rows", State: "doing"}).Edit(root + "/b.go").Agent("Good, the buffer is gone.")
	if turn := fold(s).Turn; turn == nil || !strings.Contains(turn.Text, "in the middle") {
		t.Errorf("got %+v", turn)
	}
}

func TestAnAnnouncementThatSaysNothingIsReadWithWhatFollows(t *testing.T) {
	s := session().User("the default should be the plain command").
		Agent("Let me fix that. Only the local mode should use the `wrapper.sh` script.").Edit(root + "/b.go")
	if next := fold(s).Next; next == nil || !strings.Contains(next.Text, "wrapper.sh") {
		t.Errorf("got %+v", next)
	}
}

func TestWhatWasAgreedToIsGoneOnWith(t *testing.T) {
	s := session().User("look at the writer of the export").Read(root + "/b.go").
		Agent("The buffer has no bound. Shall I bound the buffer of the writer to four kilobytes?").User("yes").Edit(root + "/b.go")
	if next := fold(s).Next; next == nil || !strings.HasPrefix(next.Text, "Go on with what the user agreed to") {
		t.Errorf("got %+v", next)
	}
}

func TestTheStepThatTheAgentSpokeOfIsNext(t *testing.T) {
	s := session().User("move the commands of the tool to the new library").
		Todo(transcript.Item{Text: "scaffold the root command", State: "doing"}, transcript.Item{Text: "port bootstrap, probe and fetch", State: "todo"}).
		Write(root + "/root.go").Agent("Now bootstrap, probe, fetch.").Write(root + "/bootstrap.go")
	if next := fold(s).Next; next == nil || !strings.HasPrefix(next.Text, "Port bootstrap, probe and fetch") {
		t.Errorf("got %+v", next)
	}
}

func TestTellingSomethingAfterAQuestionSpeaksToIt(t *testing.T) {
	for said, open := range map[string]bool{
		"I pushed, and then the hook gave up":          false,
		"can you look at the hooks of the repository?": true,
	} {
		s := session().User("the index of the repository is broken").Read(root + "/a").
			Agent("It works again. What were you doing when the index broke, a checkpoint or something in the editor?").User(said).Agent("I see.")
		if got := len(fold(s).Questions) > 0; got != open {
			t.Errorf("%q: open %v, want %v", said, got, open)
		}
	}
}

func TestACommentOfAPullRequestNamesTheRequest(t *testing.T) {
	s := session().User("push and comment on the pull request").Edit(root+"/a.go").
		Shell("git commit -am fix", 0, "[main 1234567] fix").Shell("git push", 0, "").
		Shell("gh pr comment 191 -b done", 0, "https://github.com/shop/orders/pull/191#issuecomment-52").Agent("Commented.")
	if next := fold(s).Next; next == nil || !strings.Contains(next.Text, "PR #191 ended") {
		t.Errorf("got %+v", next)
	}
}

func TestAnEntryThatWaitsIsOpen(t *testing.T) {
	s := session().User("look at the comments of the pull request").Read(root + "/a.go").
		Agent("Here is where they stand:\n\n- ✅ the name of the flag is settled\n- ⏳ the thread on signed tags is unresolved until the reviewer has looked again")
	if f := fold(s); len(f.Questions) != 1 || !strings.Contains(f.Questions[0].Text, "signed tags") {
		t.Errorf("got %+v", f.Questions)
	}
}

func TestWhatWasChosenJustNowIsGoneOnWith(t *testing.T) {
	s := session().User("clean up the settings of the agents").Read(root+"/settings.json").
		Agent("One question on what to clean up:").Asks("Which groups go?", "Hooks", "Plugins").
		Decides(transcript.Decision{Question: "Which groups go?", Chosen: []string{"Plugins"}, Kind: transcript.DecisionAsked})
	if next := fold(s).Next; next == nil || next.Text != "Go on with what the user chose: Which groups go? → Plugins" {
		t.Errorf("got %+v", next)
	}
	s.Agent("Then the plugins go.").Edit(root + "/settings.json")
	if next := fold(s).Next; next == nil || strings.Contains(next.Text, "chose") {
		t.Errorf("got %+v", next)
	}
}
