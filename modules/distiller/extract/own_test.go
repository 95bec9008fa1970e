package extract_test

import (
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// What looks at a handoff is no work.
func TestRequest_ACommandOfOurOwnIsNone(t *testing.T) {
	s := session().User("Move the importer to the new parser").Edit(root + "/importer.go").Agent("Done.").
		User("<command-message>carryover:agent</command-message>\n<command-name>/carryover:agent</command-name>").Agent("Here is the handoff.")
	if f := fold(s); len(f.Requests) != 1 || f.Task == nil || f.Task.Text != "Move the importer to the new parser" {
		t.Errorf("requests: %+v, task %+v", f.Requests, f.Task)
	}
}

// An event of git bears the time of the session's last event, and says nothing of
// whose clock that is.
func TestFacts_GitLeavesTheClockAsItIs(t *testing.T) {
	at := time.Date(2026, 3, 2, 9, 0, 12, 0, time.UTC)
	state := extract.New(distiller.Facts{}, extract.Options{})
	for i, event := range []transcript.Event{
		{Kind: transcript.Session, Time: at, Civil: true, WorkDir: &transcript.WorkDir{Cwd: root}},
		{Kind: transcript.Git, Time: at, Git: &transcript.GitInfo{Branch: "main", Head: "abc"}},
	} {
		event.Tool, event.Session, event.ID = "aider", "s", string(rune('a'+i))
		state.Add(transcript.Located{Event: event, Ref: transcript.Ref{Offset: int64(i + 1), Line: int64(i + 1)}})
	}
	if facts := state.Facts(); !facts.Civil || !facts.Updated.Equal(at) {
		t.Errorf("civil %v, updated %s", facts.Civil, facts.Updated)
	}
}
