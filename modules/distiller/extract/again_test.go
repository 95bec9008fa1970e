package extract_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller/internal/script"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// A request that is made again in nearly the same words, and for which nothing was done, is not answered.
func TestRequests_AskedAgain(t *testing.T) {
	const advice = "To make changes to the export you will likely need the writer and its buffer."
	for name, tt := range map[string]struct {
		session func(s *script.Session)
		outcome string
		next    string
		goal    bool
	}{
		"nothing was done": {func(s *script.Session) {
			s.Agent(advice).User("write the export of all orders as a stream of rows, please").Agent(advice)
		}, "asked 2 times, nothing was done", "Ask what is missing, the user asked for it 2 times", false},
		"it is done now": {func(s *script.Session) {
			s.Agent(advice).User("write the export of all orders as a stream of rows, please").Edit(root + "/writer.go").Agent("Done.")
		}, "changed 1 file, not checked, asked 2 times, nothing was done before", "", false},
		"it was done before": {func(s *script.Session) {
			s.Edit(root + "/writer.go").Agent("Done.").User("write the export of all orders as a stream of rows, please").Agent("It is.")
		}, "answered", "", false},
		"another request": {func(s *script.Session) {
			s.Agent(advice).User("write the import of all customers in a batch at night").Agent(advice)
		}, "answered", "Nothing is open", true},
	} {
		s := session().User("write the export of all orders as a stream of rows")
		tt.session(s)
		f := fold(s)
		if got := f.Requests[len(f.Requests)-1].Outcome; got != tt.outcome {
			t.Errorf("%s: outcome %q, want %q", name, got, tt.outcome)
		}
		if f.Next == nil || !strings.HasPrefix(f.Next.Text, tt.next) || (f.Task.Goal != "") != tt.goal {
			t.Errorf("%s: next %+v, goal %q", name, f.Next, f.Task.Goal)
		}
	}
}

// A question that begins with a courtesy asks for nothing in particular, whatever it is polite about.
func TestTurn_ACourtesyWithATopicWaitsForNobody(t *testing.T) {
	for question, who := range map[string]string{
		"Is there anything else you'd like to adjust or any issues with the layout?": "done",
		"Should the layout of the shop keep two columns on a phone?":                 "user",
	} {
		s := session().User("show two products side by side on a phone").Edit(root + "/app.css").Agent("The grid has two columns now.\n\n" + question)
		if got := fold(s).Turn; got == nil || got.Who != who {
			t.Errorf("%s: %+v", question, got)
		}
	}
}

// A question is no demand, though it has no mark and stands behind a condition; nor is what was
// said for one request once the chat was cleared.
func TestConstraints_NeitherQuestionsNorWhatWasCleared(t *testing.T) {
	begin := func() *script.Session {
		return session().User("Is the list of rows freed? If so, what is the proper way of making sure I never move a row twice").Agent("Yes.").
			User("Format the notes. Do not modify any text.").Edit(root + "/notes.md").Agent("Formatted.")
	}
	f := fold(begin().User("Split the cart into two classes"))
	if tells(f.Constraints, "proper way") || !tells(f.Constraints, "Do not modify any text") {
		t.Errorf("constraints: %+v", f.Constraints)
	}
	f = fold(begin().Event(transcript.Event{Kind: transcript.Compacted, Compaction: &transcript.CompactionInfo{Cleared: true}}).User("Split the cart into two classes"))
	if tells(f.Constraints, "Do not modify any text") {
		t.Errorf("cleared: %+v", f.Constraints)
	}
}

// What the person was asked to give is no action item once a file of that name was read or changed.
func TestActions_EndOnceTheFileIsThere(t *testing.T) {
	s := session().User("add the conventions for lists").Agent("Please add `CONVENTIONS.md` to the chat.")
	if f := fold(s); len(f.Actions) != 0 || !strings.Contains(f.Turn.Text, "CONVENTIONS.md") {
		t.Fatalf("the turn waits for it: %+v, %+v", f.Turn, f.Actions)
	}
	if f := fold(s.User("which ones are there for tables?").Agent("None: the guide says nothing of them.")); len(f.Actions) != 1 {
		t.Fatalf("actions: %+v", f.Actions)
	}
	if f := fold(s.User("it is there now").Edit(root + "/CONVENTIONS.md")); len(f.Actions) != 0 {
		t.Errorf("actions: %+v", f.Actions)
	}
}

// A turn that an error stopped goes on with the reply that comes behind it all the same.
func TestOutcome_AReplyBehindAnError(t *testing.T) {
	s := session().User("find out why the export of orders is slow").Ends(transcript.TurnFailed).Agent("The writer flushes after every row.").Ends(transcript.TurnCompleted)
	if got := fold(s).Requests[0].Outcome; got != "answered" {
		t.Errorf("outcome %q", got)
	}
}

// Where the script that failed was changed before it worked, the change has solved it.
func TestFailures_AScriptThatWasChanged(t *testing.T) {
	for changed, ended := range map[string]string{"/smoke.sh": "solved", "/notes.md": "worked around"} {
		s := session().User("try the shop").Shell("bash smoke.sh --all", 1, "PASS: 11 FAIL: 1").Edit(root+changed).Shell("bash smoke.sh", 0, "PASS: 12")
		if f := fold(s).Failures; len(f) != 1 || f[0].Ended != ended {
			t.Errorf("%s: %+v", changed, f)
		}
	}
}

// Files in a folder that the request names are what was asked for, though it is not the project.
func TestOutcome_InAFolderThatTheRequestNames(t *testing.T) {
	for request, want := range map[string]string{
		"Work in the worktree `/home/ada/till-api` and make the routes exact": "changed 2 files in till-api, not checked",
		"Make the routes exact": "wrote 2 files outside the project",
	} {
		s := session().User(request).Edit("/home/ada/till-api/src/a.go").Edit("/home/ada/till-api/b.go").Agent("Done.")
		if got := fold(s).Requests[0].Outcome; got != want {
			t.Errorf("%s: %q", request, got)
		}
	}
}

// Where nothing was done and the reply ends by asking the person for something, that is what waits.
func TestTurn_WaitsForWhatTheAgentAskedFor(t *testing.T) {
	for name, tt := range map[string]struct {
		session *script.Session
		waits   bool
	}{
		"asked for":      {session().User("add a comment to the schema").Agent("To do that I need the file. Please add `schema.ts` to the chat."), true},
		"something done": {session().User("add a comment to the schema").Edit(root + "/schema.ts").Agent("Done. Please add `schema.ts` to the next release."), false},
		"in the middle":  {session().User("add a comment to the schema").Agent("Please add `schema.ts` to the chat. The comment would stand above the first type."), false},
	} {
		f := fold(tt.session)
		if got := strings.HasPrefix(f.Turn.Text, "the agent waits for what it asked for: Please add `schema.ts`"); got != tt.waits || strings.HasPrefix(f.Next.Text, "The user is to do what the agent asked for: Please add") != tt.waits {
			t.Errorf("%s: turn %+v, next %+v", name, f.Turn, f.Next)
		}
		if got := f.Requests[len(f.Requests)-1].Outcome == "waits for the user"; got != tt.waits || got && len(f.Actions) > 0 {
			t.Errorf("%s: %+v, %+v", name, f.Requests, f.Actions)
		}
	}
}
