package daemon_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/hookclient"
)

// writeLong writes a transcript of Claude Code of about size bytes: requests,
// replies, edits and test runs with long output.
func writeLong(b *testing.B, path, id, dir string, size int) {
	b.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.Fatal(err)
	}
	var text bytes.Buffer
	at := time.Now().Add(-50 * time.Minute).UTC()
	for n := 0; text.Len() < size; n++ {
		at = at.Add(10 * time.Millisecond)
		text.Write(longTurn(n, id, dir, at))
	}
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
}

func longTurn(n int, id, dir string, at time.Time) []byte {
	var text bytes.Buffer
	add := func(part, kind, message string) {
		fmt.Fprintf(&text, `{"type":%q,"uuid":"u-%d-%s","sessionId":%q,"timestamp":%q,"cwd":%q,"gitBranch":"main","version":"2.1.329","entrypoint":"cli","message":%s}`+"\n",
			kind, n, part, id, at.Format("2006-01-02T15:04:05.000Z"), dir, message)
	}
	if n%20 == 0 {
		add("p", "user", fmt.Sprintf(`{"role":"user","content":"Make step %d of the importer work"}`, n))
	}
	add("e", "assistant", fmt.Sprintf(`{"id":"m%d","role":"assistant","content":[{"type":"tool_use","id":"e%d","name":"Edit","input":{"file_path":%q,"old_string":"a","new_string":"b"}}],"usage":{"input_tokens":%d,"output_tokens":1}}`,
		n, n, filepath.Join(dir, fmt.Sprintf("step%d.go", n%300)), 1000+n))
	add("r", "user", fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"e%d","content":"ok"}]}`, n))
	add("b", "assistant", fmt.Sprintf(`{"id":"n%d","role":"assistant","content":[{"type":"tool_use","id":"b%d","name":"Bash","input":{"command":"go test ./step%d"}}]}`, n, n, n%50))
	add("o", "user", fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"b%d","content":%q}]}`, n, strings.Repeat("ok  shop/src 0.1s\n", 120)))
	return text.Bytes()
}

// PreCompact in a session of 100 MB, from the start of the hook to its end:
// handoff.md and ledger.md are then fresh. Budget: 50 ms at p99 for the handoff.
func BenchmarkPreCompact(b *testing.B) {
	size := 100 << 20
	if testing.Short() {
		size = 1 << 20
	}
	w := newWorld(b)
	w.install()
	writeLong(b, w.transcript(first), first, w.project, size)
	w.start()
	w.eventually("the history is read", func() bool {
		return handoffHolds(w, "importer")
	})
	payload := fmt.Appendf(nil, `{"session_id":%q,"cwd":%q,"transcript_path":%q,"hook_event_name":"PreCompact","trigger":"auto"}`, first, w.project, w.transcript(first))
	var took []time.Duration
	n := 1 << 20
	for b.Loop() {
		n++
		turn := longTurn(n, first, w.project, time.Now().UTC())
		w.append(w.transcript(first), strings.TrimSuffix(string(turn), "\n"))
		began := time.Now()
		hookclient.Call{
			Home: w.home, Tool: "claude-code", Event: "PreCompact", Stdin: bytes.NewReader(payload), Stdout: &bytes.Buffer{},
			Start: time.Now().Add(10 * time.Second), Getenv: func(string) string { return "" },
		}.Run()
		took = append(took, time.Since(began))
		if !handoffHolds(w, fmt.Sprintf("step%d.go", n%300)) {
			b.Fatal("the handoff is not fresh")
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
}

func handoffHolds(w *world, want string) bool {
	text, _ := os.ReadFile(filepath.Join(w.project, ".carryover", "handoff.md"))
	return strings.Contains(string(text), want)
}
