package scenario

import (
	"path/filepath"
	"strings"
	"testing"
)

// A session in another worktree of the project is given the handoff, and learns
// where that work was done.
func TestInAnotherWorktree(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"claude-code", "codex"} {
		t.Run(tool, func(t *testing.T) {
			s := newStage(t, tool)
			s.work()
			agent := s.agents[tool]
			agent.Prompt(s.Project, request)
			tree := filepath.Join(s.Dir, "tree")
			if out := s.Run(s.Project, s.Env(), "git", "worktree", "add", "-q", "-b", "side", tree); out.Code != 0 {
				t.Fatalf("git worktree: %s", out.Stderr)
			}
			s.model.Forget()
			agent.Prompt(tree, "What is the state of things?")
			text := s.first(t)
			carries(t, text)
			if !strings.Contains(text, "done in another worktree of this project: "+s.Project) {
				t.Errorf("the request does not name the worktree:\n%s", excerpt(text))
			}
			s.decided(t, tool, "startup", "full", "nobody can answer in this run; resume mode silent")
		})
	}
}
