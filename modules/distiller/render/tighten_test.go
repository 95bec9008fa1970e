package render_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/render"
)

// A reply that has no room is shown to its end, without what says least.
func TestHandoff_ALongReplyIsToldToItsEnd(t *testing.T) {
	said := []distiller.Statement{{Text: "The wiring travels four roads, and two of them cost more than they give.", Weight: 2}}
	for n := range 40 {
		said = append(said, distiller.Statement{Text: fmt.Sprintf("Road %d goes from the manifest to a script, and from there to the image that is built of it every night.", n)})
	}
	said = append(said, distiller.Statement{Text: "The third road is broken at its end.", Weight: 5}, distiller.Statement{Text: "Verdict: make the manifest wire itself."})
	f := distiller.Facts{
		Tool: "codex", Session: "s1", Task: &distiller.Task{Text: "Is the wiring the simplest there is?"},
		Requests: []distiller.Request{{Text: "Is the wiring the simplest there is?", Outcome: "answered", Near: true, Concluded: said}},
	}
	for n := range 30 {
		f.Failures = append(f.Failures, distiller.Failure{What: fmt.Sprintf("go test ./pkg%d -run %s", n, strings.Repeat("T", 80)), Why: strings.Repeat("undefined: rows ", 9)})
	}
	text := string(render.Handoff(f, render.Options{}))
	for _, want := range []string{"travels four roads", "broken at its end", "Verdict: make the manifest wire itself."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
	if n := strings.Count(text, "\n"); n > 46 {
		t.Errorf("%d lines", n)
	}
}
