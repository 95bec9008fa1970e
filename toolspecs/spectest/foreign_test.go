package spectest_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/toolspecs"
)

// claudeLike is a record with the envelope of Claude Code's, as its forks write it.
const claudeLike = `{"uuid":"u1","parentUuid":null,"sessionId":"5e000000-0000-4000-8000-000000000001","timestamp":"2026-03-02T10:00:00Z","type":"user","isSidechain":false,"message":{"role":"user","content":"build it"},"cwd":"/home/dev/shop"}` + "\n"

// Sessions of an agent that no spec describes are claimed by none, although their
// records are another's; what is said names the agent.
func TestRecognise_ForksWithoutASpecAreNobodys(t *testing.T) {
	table, _ := toolspecs.Load(nil)
	const own = "/home/dev/.claude/projects/-home-dev-shop/5e000000-0000-4000-8000-000000000001.jsonl"
	if tool, _ := table.Recognise(own, []byte(claudeLike)); tool != "claude-code" {
		t.Fatalf("Claude Code's own session is taken for %q", tool)
	}
	for _, test := range []struct{ name, file, head, says string }{
		{"a folder of iFlow", "/home/dev/.iflow/projects/-home-dev-shop/session-1.jsonl", claudeLike, "iFlow CLI"},
		{"a folder of Qoder", `C:\Users\dev\.qoder\projects\shop\1.jsonl`, claudeLike, "Qoder CLI"},
		{"a copy of iFlow's", "/tmp/copy.jsonl", strings.ReplaceAll(claudeLike, `"sessionId":"`, `"sessionId":"session-`), "iFlow CLI"},
		{"a copy of Qoder's", "/tmp/copy.jsonl", `{"type":"runtime-config","sessionId":"1","contextWindow":null}` + "\n" + claudeLike, "Qoder CLI"},
		{"a copy that is charged in credits", "/tmp/copy.jsonl", strings.Replace(claudeLike, `"role":"user",`, `"role":"assistant","usage":{"credits":1.5},`, 1), "Qoder CLI"},
		{"lines of nobody", "/tmp/copy.jsonl", `{"type":"note","id":"1","timestamp":"2026-03-02T10:00:00Z"}` + "\n", "type, id, timestamp"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if tool, ok := table.Recognise(test.file, []byte(test.head)); ok {
				t.Errorf("taken for %s", tool)
			}
			if said := table.Unrecognised(test.file, []byte(test.head)); !strings.Contains(said, test.says) {
				t.Errorf("said: %s", said)
			}
		})
	}
}
