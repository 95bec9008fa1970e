package extract_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller/internal/script"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func TestTurn_SaysWhoseItIs(t *testing.T) {
	for name, tt := range map[string]struct {
		session   func(*script.Session)
		who, text string
	}{
		"a request not begun": {func(*script.Session) {}, "agent", "not begun"},
		"a nudge not taken up": {func(s *script.Session) {
			s.Read(root + "/a.go").Agent("Found it in the writer.").User("continue")
		}, "agent", "not begun"},
		"a reply":          {func(s *script.Session) { s.Read(root + "/a.go").Agent("The writer flushes after every row.") }, "done", "nothing waits"},
		"a question":       {func(s *script.Session) { s.Agent("Shall the writer keep its buffer of four kilobytes?") }, "user", "keep its buffer"},
		"an asking tool":   {func(s *script.Session) { s.Asks("Keep the buffer?", "Yes", "No") }, "user", "Keep the buffer?"},
		"an answered tool": {func(s *script.Session) { answered(s) }, "agent", ""},
		"a call without end": {func(s *script.Session) {
			s.Call(transcript.CallInfo{Name: "Bash", Meaning: transcript.Shell, Command: "make release"})
		}, "agent", "make release"},
		"an announced step": {func(s *script.Session) { s.Read(root + "/a.go").Agent("Now I'll change the writer:") }, "agent", "in the middle"},
		"interrupted":       {func(s *script.Session) { s.Read(root + "/a.go").Ends(transcript.TurnInterrupted) }, "user", "interrupted"},
	} {
		t.Run(name, func(t *testing.T) {
			s := session().User("make the export of orders stream its rows")
			tt.session(s)
			turn := fold(s).Turn
			if turn == nil || turn.Who != tt.who || !strings.Contains(turn.Text, tt.text) {
				t.Errorf("got %+v", turn)
			}
		})
	}
}

func answered(s *script.Session) {
	s.Asks("Keep the buffer?", "Yes", "No").
		Decides(transcript.Decision{Question: "Keep the buffer?", Chosen: []string{"Yes"}, Kind: "asked"}).Read(root + "/a.go")
}

func TestTurn_IsNoneWithoutARequest(t *testing.T) {
	if turn := fold(session()).Turn; turn != nil {
		t.Errorf("got %+v", turn)
	}
}

func TestTurn_OfWorkLeftInTheMiddleTellsTheLastCalls(t *testing.T) {
	s := session().User("make the export of orders stream its rows").Read(root+"/a.go").Edit(root+"/b.go").Shell("go vet ./...", 0, "")
	turn := fold(s).Turn
	if turn == nil || turn.Who != "agent" || len(turn.Last) != 3 {
		t.Errorf("got %+v", turn)
	}
}

// Where a tool records the end of every turn, one that has none goes on, whatever was
// said last.
func TestTurn_GoesOnWithoutTheEndThatItsToolRecords(t *testing.T) {
	for ends, want := range map[bool]string{true: "agent", false: "done"} {
		s := session().Event(transcript.Event{Kind: transcript.Session, Start: &transcript.Start{EndsTurns: ends}}).
			User("see to the failing checks of the request").Shell("gh pr checks --watch", 0, "pending").Agent("The lint has passed. The tests are the last that is pending.")
		if turn := fold(s).Turn; turn == nil || turn.Who != want {
			t.Errorf("records the ends %v: %+v", ends, turn)
		}
	}
}

// An answer for which nothing had to be called ends its turn when it is long, though its
// tool has recorded no end yet.
func TestTurn_ALongAnswerWithoutACallIsDone(t *testing.T) {
	long := "No: the setting is written to the repository that the command runs in, and the test gives it one of its own, below a temporary directory. That directory goes when the test ends, whether it passes or not. Only with `--global` would it write the settings of the person, and no test of this package uses that flag; two of them read the global settings and change nothing there."
	for answer, want := range map[string]string{long: "done", "No, it is another repository.": "agent"} {
		s := session().Event(transcript.Event{Kind: transcript.Session, Start: &transcript.Start{EndsTurns: true}}).User("are my own settings changed while that test runs, right?").Agent(answer)
		if turn := fold(s).Turn; turn == nil || turn.Who != want {
			t.Errorf("%d runes: %+v", len(answer), turn)
		}
	}
}

// Of a change reported as a list the turn has ended as well; what is said in passing has not.
func TestTurn_AListOfWhatWasDoneIsDone(t *testing.T) {
	list := "The lint and the tests pass. What was changed:\n- The filter is gone from the settings and from what the tests hold against them.\n- The directory is changed by the test's own helper, which puts it back."
	for reply, want := range map[string]string{list: "done", strings.NewReplacer("\n- ", " ").Replace(list): "agent"} {
		s := session().Event(transcript.Event{Kind: transcript.Session, Start: &transcript.Start{EndsTurns: true}}).User("see to the failing lint of the settings").
			Edit(root+"/settings_test.go").Shell("go test ./...", 0, "ok\n").Agent(reply)
		if turn := fold(s).Turn; turn == nil || turn.Who != want {
			t.Errorf("%q: %+v", reply, turn)
		}
	}
}

// A reply that begins by saying it is done ends its turn, however short it is.
func TestTurn_DoneIsDone(t *testing.T) {
	for reply, want := range map[string]string{"Done. The dead helper is gone.": "done", "The dead helper is gone from here.": "agent", "Done. Now I'll push the branch.": "agent"} {
		s := session().Event(transcript.Event{Kind: transcript.Session, Start: &transcript.Start{EndsTurns: true}}).User("remove the dead helper").Edit(root + "/a.go").Agent(reply)
		if turn := fold(s).Turn; turn == nil || turn.Who != want {
			t.Errorf("%q: %+v", reply, turn)
		}
	}
}

// A word of thanks before the edits says nothing of what comes next.
func TestNext_APleasantryIsNoStep(t *testing.T) {
	s := session().Event(transcript.Event{Kind: transcript.Session, Start: &transcript.Start{EndsTurns: true}}).User("strip the carriage return as well, in both of the wrappers").Agent("Good catch.").Edit(root + "/wrapper.sh")
	if next := fold(s).Next; next == nil || strings.Contains(next.Text, "Good catch") {
		t.Errorf("got %+v", next)
	}
}

// What the person runs between two turns begins no work of the agent; that nothing tells
// how it ended is worth a look.
func TestTurn_WhatThePersonRunsIsTheirs(t *testing.T) {
	s := session().User("remove the dead helper").Edit(root + "/a.rb").Agent("It is gone.").Ends(transcript.TurnCompleted).
		Event(transcript.Event{Kind: transcript.Call, Origin: transcript.Typed, Call: &transcript.CallInfo{ID: "r1", Name: "/run", Meaning: transcript.Shell, Command: "ruby play.rb"}}).
		Event(transcript.Event{Kind: transcript.Result, Result: &transcript.ResultInfo{CallID: "r1", Outcome: transcript.UnknownOutcome}})
	got := fold(s)
	if got.Turn == nil || got.Turn.Who != "done" || !strings.Contains(texts(got.Verify), "the user ran `ruby play.rb`; how it ended is not recorded") {
		t.Errorf("got %+v, %q", got.Turn, texts(got.Verify))
	}
}

// TestNext_WhatWasAskedBeforeIsNotForgotten holds that a question which the person went past
// is named when nothing else is open, until work was done since.
func TestNext_WhatWasAskedBeforeIsNotForgotten(t *testing.T) {
	s := session().User("Write the workflow of the review").Write(root + "/review.yml").Agent("It is written. Want me to test it by opening a throwaway pull request, or do you commit it first?").
		User("how much does one review cost?").Agent("About ten cents.")
	f := fold(s)
	if !strings.HasPrefix(f.Next.Text, "The last request was answered; asked before and not answered: Want me to test it") || strings.Contains(f.Turn.Text, "nothing waits") {
		t.Errorf("turn %q, next %q", f.Turn.Text, f.Next.Text)
	}
	f = fold(s.User("add the timeout to the workflow").Edit(root + "/review.yml").Agent("It has ten minutes."))
	if strings.Contains(f.Next.Text, "not answered") {
		t.Errorf("after other work: %q", f.Next.Text)
	}
}

// TestTask_TheCommandToCompactIsNone holds that the command which compacted the context is no
// request, though the agent goes on behind it.
func TestTask_TheCommandToCompactIsNone(t *testing.T) {
	s := session().User("Release the shop once both entries are done").Edit(root+"/CHANGELOG.md").
		Event(transcript.Event{Kind: transcript.Compacted, Text: "Summary: the release is being prepared."}).
		Prompt(transcript.Typed, "<command-name>/compact</command-name>\n<command-message>compact</command-message>").Edit(root + "/version.go")
	if f := fold(s); f.Task.Text != "Release the shop once both entries are done" || f.Task.Now != "" {
		t.Errorf("task %+v", f.Task)
	}
}

// A commit that failed is not done, however the agent has answered.
func TestTurn_ACommitThatFailedIsNotDone(t *testing.T) {
	const commit = "git commit -m 'stream the rows'"
	for name, test := range map[string]struct {
		again   bool
		turn    string
		outcome string
	}{
		"failed":          {false, "not done: `" + commit + "` failed", "`" + commit + "` failed"},
		"made afterwards": {true, "nothing waits", "committed abc1234"},
	} {
		s := session().User("stream the rows of the export and commit that").Edit(root+"/b.go").
			Shell(commit, 128, "error: Couldn't sign message: agent refused operation?\nfatal: failed to write commit object")
		if test.again {
			s.Shell(commit, 0, "[main abc1234] stream the rows\n 1 file changed")
		}
		s.Agent("The rows are streamed. The key of the signature is asked for in a window, which there is none of here.")
		f := fold(s)
		if !strings.Contains(f.Turn.Text, test.turn) || !strings.Contains(f.Requests[0].Outcome, test.outcome) {
			t.Errorf("%s: %q, %q", name, f.Turn.Text, f.Requests[0].Outcome)
		}
		if asks := strings.Contains(f.Next.Text, "Ask how to go on: `"+commit); asks == test.again {
			t.Errorf("%s: next %q", name, f.Next.Text)
		}
	}
}

// In a mode in which the agent plans, the plan is what it answers with, and waits to be agreed to.
func TestTurn_APlanWaitsToBeCarriedOut(t *testing.T) {
	s := session().User("make the export of orders stream its rows").
		Event(transcript.Event{Kind: transcript.Reply, Planning: true, Text: "Write each row as it is read, in export.go, and flush after every hundred of them."})
	f := fold(s)
	if !strings.Contains(f.Turn.Text, "answered with a plan") || !strings.Contains(f.Next.Text, "carry out the plan") {
		t.Errorf("turn %q, next %q", f.Turn.Text, f.Next.Text)
	}
}

// Texts for people are not to be checked: what the agent offers comes first.
func TestNext_TextsForPeopleAreNotToBeChecked(t *testing.T) {
	s := session().User("note what we learned of the release in the guide").Edit(root + "/docs/guide.md").Agent("It is noted. If you want, I can commit it with the note on signing.")
	if next := fold(s).Next.Text; strings.Contains(next, "checks") || !strings.Contains(next, "offer stands") {
		t.Errorf("next: %s", next)
	}
}

// What the agent could not commit the person may have committed.
func TestTurn_ACommitThatThePersonMadeIsDone(t *testing.T) {
	const commit = "git commit -m 'stream the rows'"
	s := session().User("stream the rows of the export and commit that").Edit(root+"/b.go").
		Shell(commit, 128, "fatal: failed to write commit object").Agent("The key is asked for in a window. Commit it with `!`.").
		Event(transcript.Event{Kind: transcript.Call, Origin: transcript.Typed, Call: &transcript.CallInfo{ID: "own", Meaning: transcript.Shell, Command: commit}}).
		Result(transcript.ResultInfo{CallID: "own", Outcome: transcript.UnknownOutcome, Text: "[main abc1234] stream the rows\n 1 file changed"}).
		Agent("It is committed.")
	f := fold(s)
	if strings.Contains(f.Turn.Text, "not done") || tells(f.Verify, "uncommitted") || !strings.Contains(f.Requests[0].Outcome, "committed abc1234") {
		t.Errorf("turn %q, outcome %q, to check %+v", f.Turn.Text, f.Requests[0].Outcome, f.Verify)
	}
}
