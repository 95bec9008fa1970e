package main_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// memory is a home with one session in each of two projects, and a client that
// talks to `carryover mcp` started in the first.
func memory(t *testing.T, arguments ...string) *mcp.ClientSession {
	t.Helper()
	work := t.TempDir()
	user := filepath.Join(work, "home")
	for project, sample := range map[string]string{"parser": "claude-code", "notes": "codex"} {
		if err := os.MkdirAll(filepath.Join(work, project), 0o755); err != nil {
			t.Fatal(err)
		}
		lay(t, user, sample, filepath.Join(work, project))
	}
	env := []string{"HOME=" + user, "PATH=" + programs, "CARRYOVER_LISTEN=127.0.0.1:0"}
	run := exec.Command(filepath.Join(programs, "carryover"), "import")
	run.Env = env
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("import: %v\n%s", err, out)
	}
	serve := exec.Command(filepath.Join(programs, "carryover"), append([]string{"mcp"}, arguments...)...)
	serve.Env, serve.Dir = env, filepath.Join(work, "parser")
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: serve}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// lay puts a sample transcript where its agent keeps it.
func lay(t *testing.T, user, tool, project string) {
	t.Helper()
	id, dir := "c1a0de00-0000-4000-8000-000000000001", filepath.Join(user, ".claude/projects/x")
	if tool == "codex" {
		id, dir = "01a00000-0000-7000-8000-000000000001", filepath.Join(user, ".codex/sessions/2026/03/02")
	}
	text, err := os.ReadFile(filepath.Join("testdata", "session", tool+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	name := id + ".jsonl"
	if tool == "codex" {
		name = "rollout-2026-03-02T09-00-00-" + name
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	filled := strings.NewReplacer("SESSION", id, "PROJECT", project, "RECORD", "00000000-0000-4000-8000-00000000000").Replace(string(text))
	if err := os.WriteFile(filepath.Join(dir, name), []byte(filled), 0o600); err != nil {
		t.Fatal(err)
	}
}

// ask calls a tool and returns the text it answers with.
func ask(t *testing.T, session *mcp.ClientSession, tool string, arguments map[string]any) (text string, failed bool) {
	t.Helper()
	result, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	for _, c := range result.Content {
		if part, ok := c.(*mcp.TextContent); ok {
			text += part.Text
		}
	}
	return text, result.IsError
}

// An agent asks for what was before, in the project it is in.
func TestAnAgentAsksOverMCP(t *testing.T) {
	session := memory(t)
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	slices.Sort(names)
	if want := []string{"blame", "continuity_load", "continuity_save", "decisions", "handoff", "open_work", "search", "show"}; !slices.Equal(names, want) {
		t.Errorf("tools %v, want %v", names, want)
	}
	if text, _ := ask(t, session, "handoff", nil); !strings.Contains(text, "Teach the parser to read dates") || strings.Contains(text, "release notes") {
		t.Errorf("handoff:\n%s", text)
	}
	text, _ := ask(t, session, "search", map[string]any{"query": "month*"})
	if !strings.HasPrefix(text, "claude-code c1a0de00 2026-03-02\n  ") {
		t.Errorf("search:\n%s", text)
	}
	if text, _ := ask(t, session, "decisions", nil); !strings.Contains(text, "Which languages?") || !strings.Contains(text, "English only") {
		t.Errorf("decisions:\n%s", text)
	}
	if text, _ := ask(t, session, "blame", map[string]any{"path": "parser.go"}); !strings.Contains(text, "for: Teach the parser to read dates") {
		t.Errorf("blame:\n%s", text)
	}
	if text, _ := ask(t, session, "open_work", nil); !strings.Contains(text, "Teach the parser to read dates") || !strings.Contains(text, "next: ") {
		t.Errorf("open work:\n%s", text)
	}
	if text, _ := ask(t, session, "show", map[string]any{"session": "c1a0", "line": 9}); !strings.Contains(text, "TestMonthNames") {
		t.Errorf("show:\n%s", text)
	}
}

// Another project's session is not shown, unless the user said so.
func TestMCPSeesItsProjectOnly(t *testing.T) {
	session := memory(t)
	for _, tool := range []string{"show", "handoff"} {
		if text, failed := ask(t, session, tool, map[string]any{"session": "01a0"}); !failed || !strings.Contains(text, "another project") {
			t.Errorf("%s of another project: %s", tool, text)
		}
	}
	if text, _ := ask(t, session, "search", map[string]any{"query": "release notes"}); strings.Contains(text, "01a00000") {
		t.Errorf("search found another project's session: %s", text)
	}
	all := memory(t, "--all-projects")
	if text, failed := ask(t, all, "handoff", map[string]any{"session": "01a0"}); failed || !strings.Contains(text, "release notes") {
		t.Errorf("with --all-projects: %s", text)
	}
}

// What an agent saves under a name is what it loads, with a handoff when it
// names what comes next.
func TestAnAgentSavesOverMCP(t *testing.T) {
	session := memory(t)
	if text, failed := ask(t, session, "continuity_load", map[string]any{"agent": "alice"}); failed && !strings.Contains(text, "no agent") || strings.Contains(text, "rate limiter") {
		t.Errorf("before anything was saved: %s", text)
	}
	text, failed := ask(t, session, "continuity_save", map[string]any{
		"agent": "alice", "task": "rate limiter", "nextSteps": []string{"wire the middleware", "measure:\nit"},
		"decisions": []string{"redis because the state is shared"}, "files": []string{"limiter.go:10-20"},
	})
	if failed || !strings.Contains(text, `"status":"saved"`) || !strings.Contains(text, `"handoff":"`) {
		t.Fatalf("save: %s", text)
	}
	text, _ = ask(t, session, "continuity_load", map[string]any{"agent": "alice"})
	for _, want := range []string{"rate limiter", "wire the middleware", "measure: it", "redis", "limiter.go:10-20"} {
		if !strings.Contains(text, want) {
			t.Errorf("what is loaded lacks %q:\n%s", want, text)
		}
	}
	for what, arguments := range map[string]map[string]any{
		"invalid agent name": {"agent": "../x", "task": "y"},
		"nothing to save":    {"agent": "alice", "task": "  "},
	} {
		if text, failed := ask(t, session, "continuity_save", arguments); !failed || !strings.Contains(text, what) {
			t.Errorf("save %v: %s", arguments, text)
		}
	}
}
