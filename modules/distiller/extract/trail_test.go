package extract_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/modules/distiller/internal/script"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func trail(s *script.Session) distiller.Trail {
	return extract.Replay(distiller.Facts{}, extract.Options{Root: root}, s.All()).Trail()
}

func TestATrailHasTheLastSteps(t *testing.T) {
	s := session().User("Make the importer work").User("yes")
	for range 20 {
		s.Shell("go build ./...", 0, "")
	}
	s.Shell("go test ./...", 1, "--- FAIL: TestStep (0.00s)\n    step_test.go:12: got 1\nFAIL\tshop/src\t0.1s\n")
	s.Edit(root+"/src/step.go", "Run")
	got := trail(s)
	if len(got.Prompts) != 2 || got.Prompts[1].Text != "yes" {
		t.Errorf("the messages are %+v", got.Prompts)
	}
	if len(got.Calls) != 15 {
		t.Fatalf("it has %d calls, want the last 15", len(got.Calls))
	}
	test := got.Calls[13]
	if test.What != "go test ./..." || test.Outcome != "failed" || test.Error == "" {
		t.Errorf("the test run is %+v", test)
	}
	if got.Directories[0] != root+"/src" {
		t.Errorf("the folders are %v", got.Directories)
	}
}

func TestACutIsOpenUntilATurnEnds(t *testing.T) {
	s := session().User("Make the importer work")
	if trail(s).Compaction != nil {
		t.Error("there was no compaction yet")
	}
	s.Event(transcript.Event{Kind: transcript.Call, Call: &transcript.CallInfo{ID: "c9", Name: "Bash", Meaning: transcript.Shell, Command: "make deploy"}})
	s.Event(transcript.Event{Kind: transcript.Compacted, Text: "a summary", Compaction: &transcript.CompactionInfo{Trigger: "auto"}})
	compaction := trail(s).Compaction
	if compaction == nil || compaction.Trigger != "auto" || compaction.Waiting != "make deploy" || compaction.Ended || compaction.Summary != "a summary" {
		t.Fatalf("the compaction is %+v", compaction)
	}
	if trail(s.Ends(transcript.TurnCompleted)).Compaction.Ended {
		t.Error("the end of the turn that compacted does not end it")
	}
	if !trail(s.Agent("Going on.").Ends(transcript.TurnCompleted)).Compaction.Ended {
		t.Error("a turn has ended since")
	}
}

func TestTrail_KeepsJobsLeftInTheBackground(t *testing.T) {
	jobs := func(s *script.Session) []distiller.Job { return trail(s).Jobs }
	s := session().User("Start the servers")
	s.Shell("npm run dev > dev.log 2>&1 & echo $!", 0, "4242\n")
	s.Shell("python3 -m http.server 8000 &", 0, "[1] 4343\n")
	s.Shell("make watch", 0, "Command running in background with ID: b1")
	s.Shell("go build ./... && go vet ./... 2>&1", 0, "12345\n")
	got := jobs(s)
	if len(got) != 3 || got[0].Process != 4242 || got[1].Process != 4343 || got[2].Process != 0 || got[2].What != "make watch" {
		t.Fatalf("left in the background: %+v", got)
	}
	s.Shell("kill 4343", 0, "")
	s.User("Now write the docs of the servers")
	if got = jobs(s); len(got) != 1 || got[0].Process != 4242 {
		t.Errorf("after a kill and another request: %+v", got)
	}
	for range 50 {
		s.Shell("sleep 100 &", 0, "[1] 99\n")
	}
	if got = jobs(s); len(got) != 4 {
		t.Errorf("%d jobs are kept", len(got))
	}
}

// TestTrail_ALookThatFoundNothingSaysSo holds that a search without a hit is no success: that
// there is nothing is what it showed.
func TestTrail_ALookThatFoundNothingSaysSo(t *testing.T) {
	s := session().User("Where is the branch checked?").Shell("rg assertBranch src", 1, "")
	if last := fold(s).Turn.Last; len(last) != 1 || last[0].Outcome != "found nothing" {
		t.Errorf("last %+v", last)
	}
}

// What a call printed in few words is shown, and how the runner of its tests closed.
func TestATrailTellsWhatWasPrintedInFewWords(t *testing.T) {
	s := session().User("Is the old page gone?").
		Shell("test -f old.html && echo there || echo gone", 0, "gone").
		Shell("go test ./...", 0, "ok  \tshop/src\t0.1s\n").
		Shell("cat page.html", 0, strings.Repeat("<p>a line of a page</p>\n", 9))
	got := trail(s).Calls
	for i, want := range []string{"gone", "ok shop/src 0.1s", ""} {
		if got[i].Said != want {
			t.Errorf("%s: %q, want %q", got[i].What, got[i].Said, want)
		}
	}
}
