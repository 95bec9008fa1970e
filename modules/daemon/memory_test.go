package daemon_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Six prompts, replies or outputs of the longest line there may be. Counted are all
// bytes that are asked for, per line: what is held at once cannot be more. The raw
// records are kept in a second pass, when nothing of the first is held.
func TestImport_HoldsAFewCopiesOfALine(t *testing.T) {
	const lines, read, kept = 6, 7, 4
	for kind, format := range map[string]string{
		"prompt": `"message":{"role":"user","content":"`,
		"output": `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"`,
	} {
		t.Run(kind, func(t *testing.T) {
			w := newWorld(t)
			w.install()
			p := w.opened()
			defer func() { _ = p.Store.Close() }()
			if err := os.MkdirAll(filepath.Dir(w.transcript(first)), 0o755); err != nil {
				t.Fatal(err)
			}
			file, err := os.Create(w.transcript(first))
			if err != nil {
				t.Fatal(err)
			}
			text := strings.Repeat("word and more ", (transcript.MaxLine-1<<10)/14)
			for i := range lines {
				end := map[string]string{"prompt": `"}}`, "output": `"}]}}`}[kind]
				fmt.Fprintf(file, `{"type":"user","uuid":"u%d","sessionId":%q,"timestamp":"2026-03-02T09:00:0%d.000Z","cwd":%q,%s%s%s`+"\n", i, first, i, w.project, format, text, end)
			}
			if err := file.Close(); err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			result, err := p.Import(t.Context(), view.ImportRequest{}, nil)
			runtime.ReadMemStats(&after)
			perLine := (after.TotalAlloc - before.TotalAlloc) / lines
			if err != nil || result.Read != lines || perLine > (read+kept)*transcript.MaxLine {
				t.Errorf("%+v, %v: %d MiB a line", result, err, perLine>>20)
			}
		})
	}
}
