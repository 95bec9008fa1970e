package look

import (
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/view"
)

func TestSearchRows_OneForEachSession(t *testing.T) {
	groups := groupHits([]view.SearchHit{
		{Tool: "codex", Session: "a", Kind: "prompt"}, {Tool: "codex", Session: "b"}, {Tool: "codex", Session: "a"}, {Agent: "rev"},
	})
	if len(groups) != 3 || len(groups[0]) != 2 || groups[0][0].Kind != "prompt" {
		t.Errorf("%+v", groups)
	}
}

func TestCutSnippet_KeepsMarksThatAreLeft(t *testing.T) {
	text, marks := truncateSnippet("äbc dates and more", [][2]int{{5, 10}, {15, 19}}, 12)
	if text != "äbc dates a…" || len(marks) != 1 || marks[0] != [2]int{5, 10} {
		t.Errorf("%q %v", text, marks)
	}
	if text, _ := truncateSnippet("all of it", nil, 0); text != "all of it" {
		t.Errorf("a pipe cuts: %q", text)
	}
}
