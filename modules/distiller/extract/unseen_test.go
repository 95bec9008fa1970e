package extract_test

import (
	"slices"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/modules/distiller/internal/script"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func unseen(s *script.Session, id string, info transcript.CallInfo) {
	info.ID = id
	s.Event(transcript.Event{Kind: transcript.Call, Call: &info})
	s.Event(transcript.Event{Kind: transcript.Result, Result: &transcript.ResultInfo{CallID: id, Outcome: transcript.UnknownOutcome, Unseen: true}})
}

func TestUnseen_EditsAndCommitsCountAndChecksDoNot(t *testing.T) {
	s := session().User("Give every note a colour")
	unseen(s, "u1", transcript.CallInfo{Name: "StrReplace", Meaning: transcript.Edit, Paths: []string{root + "/src/note.go"}})
	unseen(s, "u2", transcript.CallInfo{Name: "Shell", Meaning: transcript.Shell, Command: "go test ./..."})
	for _, id := range []string{"u3", "u4"} { // the first attempt came to nothing
		unseen(s, id, transcript.CallInfo{Name: "Shell", Meaning: transcript.Shell, Command: "git add -A && git commit -m \"$(cat <<'EOF'\nnotes: give each a colour\nEOF\n)\""})
	}
	facts := extract.Fold(distiller.Facts{}, extract.Options{Root: root}, s.All())
	if len(facts.Files) != 1 || facts.Files[0].Path != "src/note.go" || facts.Files[0].Tests != "unknown" {
		t.Errorf("the files are %+v", facts.Files)
	}
	if want := "commit `notes: give each a colour` (result not seen)"; len(facts.Progress) != 1 || facts.Progress[0].Text != want {
		t.Errorf("the progress is %+v, want only %q", facts.Progress, want)
	}
	s.Agent("Committed as `abc1234`.")
	facts = extract.Fold(distiller.Facts{}, extract.Options{Root: root}, s.All())
	if !slices.Equal(facts.Git.Commits, []string{"abc1234 notes: give each a colour"}) {
		t.Errorf("the commits are %q", facts.Git.Commits)
	}
}
