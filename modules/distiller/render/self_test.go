package render_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/render"
)

// A handoff to oneself says where one stopped; one to another agent does not.
func TestSelf_SaysWhereYouStopped(t *testing.T) {
	f := distiller.Facts{Tool: "codex", Session: "s1", Task: &distiller.Task{Text: "Move the archive"}, Next: &distiller.Statement{Text: "Run the migration"}}
	trail := distiller.Trail{
		Calls: []distiller.Step{{What: "make build", Outcome: "ok"}, {What: "make deploy"}, {What: "npm `test`"}},
		Jobs:  []distiller.Job{{What: "npm run dev", Process: 4242}},
	}
	text := string(render.Handoff(f, render.Options{Shape: render.Self, Trail: trail}))
	for _, want := range []string{
		"## Where you stopped\n- You were about to: Run the migration\n", "- Open calls: `make deploy` · `npm 'test'` (no result yet",
		"- Left running: `npm run dev` (process 4242)\n", "## Next action\nRun the migration\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("to oneself it lacks %q:\n%s", want, text)
		}
	}
	if other := string(render.Handoff(f, render.Options{Trail: trail})); strings.Contains(other, "Where you stopped") || strings.Contains(other, "make deploy") {
		t.Errorf("to another agent it says\n%s", other)
	}
	if idle := string(render.Handoff(distiller.Facts{}, render.Options{Shape: render.Self})); strings.Contains(idle, "Where you stopped") {
		t.Errorf("with nothing open it says\n%s", idle)
	}
	trail.Calls = make([]distiller.Step, 200)
	for i := range trail.Calls {
		trail.Calls[i].What = strings.Repeat("x ", 100)
	}
	long := render.Handoff(f, render.Options{Shape: render.Self, Trail: trail})
	if long.Lines() > 46 || long.Bytes() > 8000 {
		t.Errorf("%d lines, %d bytes", long.Lines(), long.Bytes())
	}
}
