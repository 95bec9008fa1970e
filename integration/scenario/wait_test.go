package scenario

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// eventually polls until a condition holds; the daemon works on its own.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	if !within(120*time.Second, holds) {
		t.Fatalf("never happened: %s", what)
	}
}

// within waits until something holds, and says whether it did in that time.
func within(limit time.Duration, holds func() bool) bool {
	for deadline := time.Now().Add(limit); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if holds() {
			return true
		}
	}
	return false
}

// waitForFallback waits until the daemon has left a handoff for the hook
// client.
func (s *stage) waitForFallback(t *testing.T) {
	t.Helper()
	eventually(t, "the daemon leaves a handoff for the hook client", func() bool {
		files, _ := filepath.Glob(filepath.Join(s.Dir, ".carryover", "handoffs", "*.json"))
		return len(files) > 0
	})
}

// waitForHandoff waits until the work has reached the files in the project: the
// one that some agents read, where such an agent is there, else the other.
func (s *stage) waitForHandoff(t *testing.T) {
	t.Helper()
	name := "handoff.md"
	for tool := range s.agents {
		if readsFile(s.Spec(tool)) {
			name = "context.md"
		}
	}
	eventually(t, "the handoff of the work is in the project", func() bool {
		return strings.Contains(s.Read(filepath.Join(s.Project, ".carryover", name)), nextAction)
	})
}
