package daemon_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller/render"
)

func (w *world) ledgerFile() string {
	text, _ := os.ReadFile(filepath.Join(w.project, ".carryover", "ledger.md"))
	return string(text)
}

// boundary is Claude Code's record of a compaction, and its summary.
func boundary(id, trigger, summary string) []string {
	return []string{
		fmt.Sprintf(`{"type":"system","subtype":"compact_boundary","uuid":"cut-%s","sessionId":%q,"timestamp":%q,"compactMetadata":{"trigger":%q,"preTokens":150000}}`, stamp(0), id, stamp(0), trigger),
		fmt.Sprintf(`{"type":"user","uuid":"sum-%s","sessionId":%q,"timestamp":%q,"isCompactSummary":true,"isVisibleInTranscriptOnly":true,"message":{"role":"user","content":%q}}`, stamp(0), id, stamp(0), summary),
	}
}

func (w *world) compacts(id, trigger string) string {
	return w.hook("claude-code", "PreCompact", map[string]string{
		"session_id": id, "cwd": w.project, "transcript_path": w.transcript(id), "hook_event_name": "PreCompact", "trigger": trigger,
	})
}

// Before a compaction everything is on disk when the hook returns, made of bytes that
// nobody had read yet; the summariser hears what must not be lost.
func TestBeforeACutASnapshotIsTaken(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	w.works(first, w.project, "Parse the dates of the log file")
	words := w.compacts(first, "manual")
	for _, want := range []string{"must not lose", "Parse the dates of the log file", "go test ./...", "parser.go"} {
		if !strings.Contains(words, want) {
			t.Errorf("the summariser does not get %q:\n%s", want, words)
		}
	}
	if n := strings.Count(words, "\n"); n > 10 {
		t.Errorf("it gets %d lines", n)
	}
	text := w.ledgerFile()
	for _, want := range []string{"# Session: ", render.SnapshotStart, "Trigger: manual", "`go test ./...`: failed", render.SnapshotEnd} {
		if !strings.Contains(text, want) {
			t.Errorf("the long document lacks %q:\n%s", want, text)
		}
	}
	if handoff, _ := os.ReadFile(filepath.Join(w.project, ".carryover", "handoff.md")); !strings.Contains(string(handoff), "Parse the dates") {
		t.Errorf("the handoff is\n%s", handoff)
	}
}

// With hooks off the record of the compaction in the transcript is the sign.
func TestACutIsSeenInTheTranscript(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	w.works(first, w.project, "Parse the dates of the log file")
	w.append(w.transcript(first), boundary(first, "auto", "Dates are parsed.")...)
	w.eventually("a snapshot stands in the long document", func() bool {
		return strings.Contains(w.ledgerFile(), "Trigger: auto")
	})
}

// What a person wrote into the file stays, through every compaction.
func TestAPersonsLinesInTheLedgerStay(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	w.works(first, w.project, "Parse the dates of the log file")
	w.compacts(first, "manual")
	w.write(filepath.Join(w.project, ".carryover", "ledger.md"), "mine above\n"+w.ledgerFile()+"mine below\n")
	w.append(w.transcript(first), fmt.Sprintf(`{"type":"user","uuid":"u9","sessionId":%q,"timestamp":%q,"cwd":%q,"message":{"role":"user","content":"Now the times of the day"}}`, first, stamp(0), w.project))
	w.compacts(first, "auto")
	text := w.ledgerFile()
	if !strings.HasPrefix(text, "mine above\n") || !strings.HasSuffix(text, "mine below\n") {
		t.Errorf("what a person wrote is gone:\n%s", text)
	}
	if strings.Count(text, render.SnapshotStart) != 1 || !strings.Contains(text, "Trigger: auto") || !strings.Contains(text, "Now the times") {
		t.Errorf("the snapshot was not replaced:\n%s", text)
	}
}
