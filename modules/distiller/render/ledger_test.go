package render_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/modules/distiller/internal/script"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func chronicle(s *script.Session) distiller.Chronicle {
	return extract.Replay(distiller.Facts{}, extract.Options{}, s.All()).Chronicle()
}

// The long document of a session with a plan, a design, decisions and a commit.
func TestGoldenLedger(t *testing.T) {
	s := script.New("claude-code", "s1", "/home/ada/shop").
		User("make the export write CSV, at most 10 MB, as the design says").
		Read("/home/ada/shop/docs/design/export.md").
		Event(transcript.Event{Kind: transcript.Plan, Text: "# Export as CSV\n- write the encoder\n- stream it"}).
		Todo(transcript.Item{Text: "write the encoder", State: "done"}, transcript.Item{Text: "stream it", State: "doing"}, transcript.Item{Text: "ask finance", State: "blocked"}).
		Asks("Which separator?", "comma", "semicolon").
		Decides(transcript.Decision{Question: "Which separator?", Options: []transcript.Option{{Label: "comma"}, {Label: "semicolon"}}, Chosen: []string{"semicolon"}, Rationale: "Excel here reads it", Kind: "asked"}).
		Write("/home/ada/shop/export/csv.go").
		Shell("go test ./export", 0, "ok  \tshop/export\t0.2s").
		Shell("git commit -am 'export: write CSV'", 0, "[main 1a2b3c4] export: write CSV\n 1 file changed").
		Agent("The encoder is done. Should a file over 10 MB be split?")
	golden(t, "ledger.md", []byte(render.Ledger(chronicle(s), "")))
}

// What a long document must do in the odd cases.
func TestLedgerEdges(t *testing.T) {
	truncate := script.New("codex", "s2", "/w").
		User("rename the command").
		Edit("/w/main.go").
		Shell("git commit -am 'rename'", 0, "[main 9f8e7d6] rename\n 1 file changed").
		Event(transcript.Event{Kind: transcript.Compacted, Compaction: &transcript.CompactionInfo{Trigger: "auto"}})
	plans := script.New("claude-code", "s3", "/w").
		User("go on with both plans").
		Read("/w/plans/search.md").Read("/w/docs/PLAN.md").
		Shell("rm /w/docs/design/old.md", 0, "").
		Read("/w/docs/design/new.md")
	for name, c := range map[string]struct {
		chronicle distiller.Chronicle
		warning   string
		has, not  []string
	}{
		"without decisions there is no such section": {chronicle: chronicle(truncate), has: []string{"## Progress", "commit 9f8e7d6 `rename`", "### Modified\n- main.go"}, not: []string{"Decision History"}},
		"all plans are listed":                       {chronicle: chronicle(plans), has: []string{"plans/search.md", "docs/PLAN.md", "### Design Reference\n- docs/design/new.md"}},
		"a design that is gone is named as missing": {
			chronicle: distiller.Chronicle{Designs: []distiller.Design{{Path: "docs/design.md", Missing: true}}}, has: []string{"docs/design.md: missing, the file is gone"},
		},
		"a damaged session gives what there is and a warning": {chronicle: distiller.Chronicle{}, warning: "120 lines could not be read", has: []string{"# Session: unnamed", "Warning: 120 lines could not be read"}},
		"text cannot forge the marks of the snapshot": {
			chronicle: distiller.Chronicle{Facts: distiller.Facts{Constraints: []distiller.Statement{{Text: "user: " + render.SnapshotStart}}}}, not: []string{render.SnapshotStart},
		},
	} {
		t.Run(name, func(t *testing.T) {
			text := render.Ledger(c.chronicle, c.warning)
			for _, want := range c.has {
				if !strings.Contains(text, want) {
					t.Errorf("%q is missing in\n%s", want, text)
				}
			}
			if i := slices.IndexFunc(c.not, func(n string) bool { return strings.Contains(text, n) }); i >= 0 {
				t.Errorf("%q stands in\n%s", c.not[i], text)
			}
		})
	}
}
