package capture_test

import (
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/capture"
)

func TestToolAt_FindsTheOneToolOfAFolder(t *testing.T) {
	roots := []capture.SourceRoot{
		{Tool: "a", Root: "/home/dev/.a", Glob: "*/chat-*.jsonl"},
		{Tool: "a", Root: "/home/dev/.a", Glob: "**/*.jsonl"},
		{Tool: "b", Root: "/home/dev/.b", Glob: "*.jsonl"},
		{Tool: "fork of b", Root: "/home/dev/.b", Glob: "s-*.jsonl"},
	}
	for path, want := range map[string]string{
		"/home/dev/.a/p/chat-1.jsonl":     "a",
		"/home/dev/.b/x.jsonl":            "b",
		"/home/dev/.b/s-1.jsonl":          "", // two tools keep it: its content decides
		"/home/dev/elsewhere/chat-1.json": "",
	} {
		if got, ok := capture.ToolAt(roots, path); got != want || ok != (want != "") {
			t.Errorf("%s is of %q, %v", path, got, ok)
		}
	}
}
