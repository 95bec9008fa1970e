package capture_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// document is a chat of Gemini CLI as older versions keep it.
func document(messages ...string) string {
	return `{"sessionId":"` + session + `","projectHash":"p","startTime":"2026-11-01T10:00:00.000Z","messages":[` + strings.Join(messages, ",") + "]}\n"
}

func message(id, kind, text string) string {
	return `{"id":"` + id + `","timestamp":"2026-11-01T10:00:00.000Z","type":"` + kind + `","content":"` + text + `"}`
}

// A document that is rewritten in place is read again from its start: the
// newer of two bodies holds, nothing is there twice, and what the tool no
// longer has stays in the ledger. Half a document changes nothing.
func TestADocumentIsReadAgainWhenItChanges(t *testing.T) {
	b := newBench(t)
	b.path = filepath.Join(filepath.Dir(b.path), "session-1.json")
	read := func() {
		t.Helper()
		if _, err := b.Read(context.Background(), "gemini-cli", b.path); err != nil {
			t.Fatal(err)
		}
	}
	one := message("m1", "user", "first prompt")
	whole := document(one, message("m2", "gemini", "an ans"), message("m3", "user", "taken back"))
	for _, text := range []string{
		document(one),
		whole,
		whole[:len(whole)/2],
		document(one, message("m2", "gemini", "an answer, longer")),
	} {
		b.write(text)
		read()
		read()
	}
	var stored []string
	for event, err := range b.log.Events(context.Background(), ledger.SessionKey{Tool: "gemini-cli", ID: session}) {
		if err != nil {
			t.Fatal(err)
		}
		if event.Kind == transcript.Prompt || event.Kind == transcript.Reply {
			stored = append(stored, event.Text)
		}
	}
	if got := strings.Join(stored, " | "); got != "first prompt | an answer, longer | taken back" {
		t.Errorf("the ledger holds: %s", got)
	}
}
