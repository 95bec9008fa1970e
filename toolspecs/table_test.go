package toolspecs_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/carryover-go/carryover/toolspecs"
)

func builtin(t *testing.T) *toolspecs.Table {
	t.Helper()
	table, failed := toolspecs.Load(nil)
	for _, err := range failed {
		t.Error(err)
	}
	return table
}

// What is in the program is not checked when it runs, so it is here.
func TestLoad_BuiltInSpecsPassTheCheck(t *testing.T) {
	for _, spec := range builtin(t).All() {
		for _, problem := range spec.Check() {
			t.Errorf("%s: %v", spec.Tool, problem)
		}
	}
}

func spec(t *testing.T, tool string) *toolspecs.Spec {
	t.Helper()
	found, err := builtin(t).Lookup(tool)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestLookupNamesWhatIsKnown(t *testing.T) {
	_, err := builtin(t).Lookup("claude")
	if !errors.Is(err, toolspecs.ErrUnknown) || !strings.Contains(err.Error(), "claude-code, cline, codex") {
		t.Errorf("error: %v", err)
	}
}

func TestOverrideReplacesTheMembersItNames(t *testing.T) {
	table, failed := toolspecs.Load(fstest.MapFS{
		"codex.json": {Data: []byte(`{"machine":["<new_block>"]}`)},
	})
	if len(failed) > 0 {
		t.Fatal(failed)
	}
	codex, _ := table.Lookup("codex")
	if len(codex.Machine) != 1 || codex.Name != "Codex CLI" || len(codex.Calls) == 0 {
		t.Errorf("machine prompts %q of %q", codex.Machine, codex.Name)
	}
}

func TestOverrideThatIsOfNoUseLeavesTheBuiltIn(t *testing.T) {
	tests := map[string]struct{ file, want string }{
		"too new":         {`{"schema":99}`, "schema 99"},
		"not JSON":        {`{`, "read spec"},
		"a member unsure": {`{"hoks":[]}`, "hoks"},
		"another tool":    {`{"tool":"other"}`, `"other"`},
		"a broken rule":   {`{"calls":[{"name":"x","meaning":"dance"}]}`, "dance"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			table, failed := toolspecs.Load(fstest.MapFS{"codex.json": {Data: []byte(test.file)}})
			if len(failed) != 1 || !strings.Contains(failed[0].Error(), test.want) {
				t.Errorf("errors: %v", failed)
			}
			if _, err := table.Lookup("codex"); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestResolve(t *testing.T) {
	tests := []struct {
		tool, version string
		newer         bool
		hooks         int
		creates       string
		err           error
	}{
		{"claude-code", "2.1.329", false, 33, "AGENTS.md", nil},
		{"claude-code", "2.1.277", false, 18, "AGENTS.md", nil},
		{"claude-code", "2.1.276", false, 18, "CLAUDE.md", nil},
		{"claude-code", "2.0.42", false, 9, "CLAUDE.md", nil},
		{"claude-code", "3.0.0", true, 33, "AGENTS.md", nil},
		{"claude-code", "1.0.128", false, 0, "", toolspecs.ErrTooOld},
		{"codex", "0.169.0", false, 12, "AGENTS.md", nil},
		{"codex", "0.170.0-alpha.1", true, 12, "AGENTS.md", nil},
		{"codex", "0.42.0", false, 0, "", toolspecs.ErrTooOld},
		{"aider", "0.86.2", false, 1, "", nil},
		{"copilot-vscode", "1.113.0", false, 8, "AGENTS.md", nil},
		{"copilot-vscode", "1.108.2", false, 0, "", toolspecs.ErrTooOld},
		{"windsurf", "1.13.12", false, 11, "AGENTS.md", nil},
		{"windsurf", "1.9566.9", false, 12, "AGENTS.md", nil},
		{"windsurf", "3.9.18", false, 12, "AGENTS.md", nil},
		{"windsurf", "3.9.19", false, 0, "", toolspecs.ErrGone},
	}
	for _, test := range tests {
		t.Run(test.tool+" "+test.version, func(t *testing.T) {
			got, err := spec(t, test.tool).Resolve(test.version)
			if !errors.Is(err, test.err) {
				t.Fatalf("error: %v", err)
			}
			if got.Newer != test.newer || len(got.Hooks) != test.hooks || got.Context.Create != test.creates {
				t.Errorf("newer %v, %d hooks, creates %q", got.Newer, len(got.Hooks), got.Context.Create)
			}
		})
	}
	if _, err := spec(t, "codex").Resolve("latest"); err == nil {
		t.Error("a version that is none was resolved")
	}
}

func TestWiredHooks(t *testing.T) {
	tests := map[string]string{
		"claude-code":    "SessionStart UserPromptSubmit PostToolUse PreCompact Stop SessionEnd",
		"codex":          "SessionStart UserPromptSubmit PostToolUse PreCompact Stop Interrupt SessionEnd",
		"aider":          "",
		"copilot-vscode": "SessionStart UserPromptSubmit PostToolUse PreCompact SubagentStart SubagentStop Stop",
		"windsurf": "pre_user_prompt post_read_code post_write_code post_run_command post_mcp_tool_use " +
			"post_cascade_response post_setup_worktree",
	}
	for tool, want := range tests {
		newest, err := spec(t, tool).Resolve(spec(t, tool).Verified[0].Version)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, hook := range newest.Wired() {
			names = append(names, hook.Event)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s wires %s", tool, got)
		}
	}
}

func TestParseVersion(t *testing.T) {
	tests := []struct{ tool, output, want string }{
		{"claude-code", "2.1.329 (Claude Code)\n", "2.1.329"},
		{"codex", "codex-cli 0.170.0-alpha.1\n", "0.170.0-alpha.1"},
		{"codex", "bash: codex: command not found", ""},
	}
	for _, test := range tests {
		got, ok := spec(t, test.tool).Detect.ParseVersion(test.output)
		if got != test.want || ok != (test.want != "") {
			t.Errorf("%q is %q, %v", test.output, got, ok)
		}
	}
}

func TestIdentifyLooksAtThePayload(t *testing.T) {
	tests := []struct {
		name, payload string
		env           map[string]string
		want          string
	}{
		{"the tool itself", `{"session_id":"s"}`, map[string]string{"CLAUDE_PROJECT_DIR": "/p"}, "claude-code"},
		{"Cursor runs Claude Code's hooks", `{"cursor_version":"3.1"}`, nil, "cursor"},
		{"so does Devin", `{}`, map[string]string{"DEVIN_PROJECT_DIR": "/p"}, "devin"},
		{"VS Code runs them too", `{"transcript_path":"/home/dev/.config/Code/User/workspaceStorage/x/GitHub.copilot-chat/transcripts/s.jsonl"}`, nil, "copilot-vscode"},
		{"an empty variable proves nothing", `{}`, map[string]string{"COPILOT_CLI": ""}, "claude-code"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var payload map[string]json.RawMessage
			if err := json.Unmarshal([]byte(test.payload), &payload); err != nil {
				t.Fatal(err)
			}
			if got := builtin(t).Identify("claude-code", payload, test.env); got != test.want {
				t.Errorf("identified as %q", got)
			}
		})
	}
}

func TestRecognise(t *testing.T) {
	tests := []struct{ name, head, want string }{
		{"rollout-by-name.jsonl", "{", "codex"},
		{"Claude Code", `{"parentUuid":null,"sessionId":"s","type":"user","uuid":"u"}`, "claude-code"},
		{"Claude Code, first line a title of an older session", `{"type":"summary","summary":"x","leafUuid":"l"}`, "claude-code"},
		{"Codex", `{"timestamp":"t","type":"session_meta","payload":{"id":"x"}}`, "codex"},
		{"Codex, cut off in a long first line", `{"timestamp":"t","type":"session_meta","payload":{"id":"x","base`, "codex"},
		{"Qwen Code, in Claude Code's envelope", `{"uuid":"u","parentUuid":null,"sessionId":"s","type":"user","provenance":"real_user","message":{"role":"user","parts":[]}}`, "qwen-code"},
		{"a subagent of Qwen Code", `{"uuid":"u","sessionId":"s","type":"user","isSidechain":true,"message":{"role":"user","parts":[{"text":"x"}]}}`, "qwen-code"},
		{"/home/dev/.qwen/projects/-p/chats/s.jsonl", `{"type":"summary","summary":"x","leafUuid":"l"}`, "qwen-code"},
		{"something else", `{"id":1,"type":"event","data":{}}`, ""},
		{"no JSON", "# a document", ""},
		{"Aider", "\n# aider chat started at 2026-03-02 09:15:00\n\n", "aider"},
		{"a chat session over many lines", "{\n  \"version\": 3,\n  \"responderUsername\": \"x\",\n  \"requests\": [\n", "copilot-vscode"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, ok := builtin(t).Recognise(test.name, []byte(test.head))
			if got != test.want || ok != (test.want != "") {
				t.Errorf("recognised as %q, %v", got, ok)
			}
		})
	}
}

func TestExpand(t *testing.T) {
	env := map[string]string{"CODEX_HOME": "/moved/"}
	tests := []struct {
		template, goos, want string
		ok                   bool
	}{
		{"~/.codex/sessions", "linux", "/home/dev/.codex/sessions", true},
		{"$CODEX_HOME/sessions", "linux", "/moved/sessions", true},
		{"${CODEX_HOME}/sessions", "darwin", "/moved/sessions", true},
		{"$CLAUDE_CONFIG_DIR/projects", "linux", "", false},
		{"~other/x", "linux", "~other/x", true},
		{"~/.codex", "windows", `\home\dev\.codex`, true},
	}
	for _, test := range tests {
		got, ok := toolspecs.Expand(test.template, test.goos, func(name string) string { return env[name] }, "/home/dev")
		if got != test.want || ok != test.ok {
			t.Errorf("%s is %q, %v", test.template, got, ok)
		}
	}
}

func TestHeadless(t *testing.T) {
	claude, codex := spec(t, "claude-code"), spec(t, "codex")
	if !claude.HeadlessEnv(map[string]string{"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}) || claude.HeadlessEnv(map[string]string{"CLAUDE_CODE_ENTRYPOINT": "cli"}) {
		t.Error("Claude Code's entry point is not understood")
	}
	if !claude.HeadlessEnv(map[string]string{"CLAUDE_CODE_SESSION_ATTENDED": "0"}) || claude.HeadlessEnv(nil) {
		t.Error("attendance is not understood")
	}
	if !codex.HeadlessRecord("originator", "codex_exec") || codex.HeadlessRecord("originator", "codex-tui") {
		t.Error("Codex' originator is not understood")
	}
}

func TestEnvMarks(t *testing.T) {
	want := "CARRYOVER_PI_UI CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_SESSION_ATTENDED COPILOT_CLI CURSOR_PROJECT_DIR DEVIN_PROJECT_DIR PWD"
	if got := strings.Join(builtin(t).EnvMarks(), " "); got != want {
		t.Errorf("marks are %s", got)
	}
}

func TestWindowOfTheLongestPrefix(t *testing.T) {
	s := &toolspecs.Spec{Models: []toolspecs.Model{{Prefix: "a", Window: 1}, {Prefix: "a-b", Window: 2}}}
	if s.Window("a-b-c") != 2 || s.Window("a-c") != 1 || s.Window("x") != 0 {
		t.Error("another prefix was taken")
	}
	s.Models = append(s.Models, toolspecs.Model{Prefix: "a-b-c", Price: &toolspecs.Price{Input: 3}})
	if price := s.Models.Price("a-b-c-d"); s.Window("a-b-c-d") != 2 || price == nil || price.Input != 3 || s.Models.Price("a-b") != nil {
		t.Error("an entry that does not tell the figure was taken")
	}
}

// A figure that nobody can check again is none.
func TestModels_SayWhenAndWhereTheyWereLookedUp(t *testing.T) {
	for _, spec := range builtin(t).All() {
		for _, model := range spec.Models {
			if _, err := time.Parse(time.DateOnly, model.Date); err != nil || model.Source == "" || model.Window == 0 && model.Price == nil {
				t.Errorf("%s: %+v, %v", spec.Tool, model, err)
			}
		}
	}
}
