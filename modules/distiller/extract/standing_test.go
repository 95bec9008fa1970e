package extract_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller/internal/script"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// What came of a request is told as far as it is known: code that a reply showed may be among
// what was written since, tests that ran before the last edit ran all the same.
func TestOutcome_SaysNoMoreThanIsKnown(t *testing.T) {
	code := "Two arguments are all it takes:\n```csharp\nvar slip = Math.Max(a, b);\nslip = Math.Max(slip, c);\nreturn slip;\n```"
	for name, tt := range map[string]struct {
		session *script.Session
		of      int
		want    string
	}{
		"code in no file": {session().User("Why does the wheel slip at rest in the simulation?").Agent(code), 0, "answered with code, which nobody has put into a file"},
		"code, and a file was changed since": {session().User("Why does the wheel slip at rest in the simulation?").Agent(code).
			User("Now clean up the wheel class with all of the changes you suggested").Edit(root + "/Wheel.cs").Agent("Done."), 0, "answered with code"},
		"tests before the last edit": {session().User("Add the user agent to all requests").Edit(root+"/agent.go").Shell("go test ./agent", 0, "ok  \tshop/agent\t0.1s").
			Edit(root+"/http.go").Shell("go build ./...", 0, ""), 0, "changed 2 files, build passed, no test since the last edit"},
		"no tests at all": {session().User("Add the user agent to all requests").Edit(root+"/agent.go").Shell("go build ./...", 0, ""), 0, "changed 1 file, build passed, no test ran"},
	} {
		f := fold(tt.session)
		if got := f.Requests[tt.of].Outcome; got != tt.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// The goal bears what came of it, so that nobody does again what is done.
func TestTask_GoalWithItsOutcome(t *testing.T) {
	s := session().User("Add thumbnails to the list of the videos, see internal/video").Edit(root+"/video.go").Shell("git commit -am thumbnails", 0, "[main abc1234] thumbnails").Agent("Thumbnails are in.").
		User("Then make the list of the videos sort by their length").Edit(root+"/list.go").Agent("It sorts.").
		User("Find a video of ten seconds to test the list with").Shell("ls videos", 0, "a.mp4")
	if f := fold(s); f.Task.Goal == "" || f.Task.GoalOutcome != "committed abc1234, changed 1 file, not checked" {
		t.Errorf("goal %q, outcome %q", f.Task.Goal, f.Task.GoalOutcome)
	}
}

// Nothing waits in CI where its list of what waits is empty.
func TestVerify_ACIListWithNothingInIt(t *testing.T) {
	s := session().User("Fix the flaky test and push it").Edit(root+"/upload_test.go").
		Shell("git commit -am 'wait for the server' && git push", 0, "[main abc1234] wait for the server\n   1111111..abc1234  main -> main").
		Shell("gh pr checks 7 --json name,bucket", 0, `{"failing":[],"pending":[]}`)
	if f := fold(s); tells(f.Verify, "had not ended") || tells(f.Verify, "nobody has looked") {
		t.Errorf("verify: %+v", f.Verify)
	}
}

// A question is answered by less than a report of work is long.
func TestTurn_AShortAnswerEndsIt(t *testing.T) {
	answer := "The package only strips the marks of editors, so neither of the two is doubled by it.\n\n| function | in the library |\n|---|---|\n| TruncateRunes | none, one converts to runes by hand |\n| CapitalizeFirst | Title is deprecated, and capitalizes every word |\n\n" + strings.Repeat("Both stay as they are. ", 4)
	s := session().User("Can you check that this is not replicating what the library of Go has?").Shell("grep -rn Title internal", 0, "internal/a.go:1: Title").Agent(answer)
	s.Ends(transcript.TurnCompleted)
	s.User("Can you check the names of the exported functions, too?").Shell("grep -rn func internal", 0, "internal/a.go:1: func A").Agent(answer)
	if f := fold(s); f.Turn.Who != "done" {
		t.Errorf("turn: %+v", f.Turn)
	}
}
