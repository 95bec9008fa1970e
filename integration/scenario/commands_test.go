package scenario

import (
	"strings"
	"testing"
)

// The commands of `install --commands` run ours: what they print is in the
// request, and is not taken for a task of the user's.
func TestTheCommandsInClaudeCode(t *testing.T) {
	t.Parallel()
	s := newStage(t, "claude-code")
	s.Must(s.Dir, "install", "--tools", "claude-code", "--yes", "--no-service", "--no-daemon", "--commands")
	s.work()
	claude := s.agents["claude-code"]
	claude.Prompt(s.Project, request)
	for command, want := range map[string]string{
		"/ledger": "## File Operations", "/self": "RESUME PROTOCOL: ask", "/compaction": "RESUME PROTOCOL: seam",
		"/agent": "RESUME PROTOCOL: ask", "/human": "## What it is about",
	} {
		s.model.Forget()
		claude.Prompt(s.Project, command)
		text := s.first(t)
		if !strings.Contains(text, want) || !strings.Contains(text, "parser.py") {
			t.Errorf("the request of %s lacks %q:\n%s", command, want, excerpt(text))
		}
	}
	s.model.Forget()
	claude.Prompt(s.Project, "What is the state of things?")
	if text := s.first(t); strings.Count(text, "Add a date parser in parser.py") == 0 || strings.Contains(text, "What it is about") {
		t.Errorf("a command became the task:\n%s", excerpt(text))
	}
}
