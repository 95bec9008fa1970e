package dashboard_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/api/client"
)

// The page of health says which hooks came and how long their answers took, and what
// is understood of the transcripts by version.
func TestHealth_ShowsHooksAndCoverage(t *testing.T) {
	w := newWorld(t)
	w.works(one, first, record{kind: "a-kind-of-tomorrow", content: "?"}, says("Teach the parser to read dates."))
	start := fmt.Sprintf(`{"session_id":%q,"cwd":%q,"source":"startup","hook_event_name":"SessionStart"}`, two, w.project)
	for range 3 {
		if _, err := client.New(w.home).Hook(t.Context(), "claude-code", "SessionStart", []byte(start)); err != nil {
			t.Fatal(err)
		}
	}
	w.comesIn()
	w.eventually("the hooks to be counted", func() bool { return strings.Contains(w.get("/checks").text, "3 hooks") })
	w.eventually("the checks to be made", func() bool { return strings.Contains(w.get("/checks").text, "Check again") })
	page := w.get("/checks")
	w.wants(page, `aria-current="page">Health</a>`, "<code>sessionstart</code>", "How long 3 answers took", "<rect ", "half within",
		"2.1.329", "<code>a-kind-of-tomorrow</code> × 1", "50.00 % of 2 records known")
}

// Without hooks and without transcripts it says what to do.
func TestHealth_OfAnEmptyHome(t *testing.T) {
	w := newWorld(t)
	w.comesIn()
	w.wants(w.get("/checks"), "No hook has come yet.", "carryover install", "carryover import")
}
