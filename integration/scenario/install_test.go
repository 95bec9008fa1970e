package scenario

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/integration/runner"
)

// Scenario 6: install and uninstall leave every byte of the settings as it
// was, whatever stands in them.
func TestInstallLeavesNoTrace(t *testing.T) {
	t.Parallel()
	foreign := `{"hooks":[{"type":"command","command":"echo foreign","timeout":3}]}`
	for name, file := range map[string]struct{ claude, codex string }{
		"no files":      {},
		"foreign hooks": {`{"hooks":{"SessionStart":[` + foreign + `],"Notification":[` + foreign + `]}}`, `{"hooks":{"Stop":[` + foreign + `]}}`},
		"odd keys and spacing": {
			"{ \"env\" : {\"A B\":\"1\"},\n\n\n\t\"unknown-key\":[ null ,1.50 ],\"hooks\" :\t{ }\n  }",
			"{\n\t\"description\":   \"mine\" ,\n\"hooks\":{ \"Stop\" : [ ] } }\n\n",
		},
		"CRLF":                     {"{\r\n  \"model\": \"opus\"\r\n}\r\n", "{\r\n  \"hooks\": {\r\n  }\r\n}\r\n"},
		"byte order mark (Claude)": {"\xef\xbb\xbf{\n  \"model\": \"opus\"\n}\n", `{"hooks":{}}`},
	} {
		t.Run(name, func(t *testing.T) {
			h := runner.New(t, "")
			runner.ClaudeCode(t, h)
			runner.Codex(t, h)
			claude, codex := filepath.Join(h.Dir, ".claude", "settings.json"), filepath.Join(h.Dir, ".codex", "hooks.json")
			if file.claude != "" {
				h.Write(claude, file.claude)
			}
			if file.codex != "" {
				h.Write(codex, file.codex)
			}
			h.Install("claude-code", "codex")
			for _, path := range []string{claude, codex} {
				if !strings.Contains(h.Read(path), "carryover-hook") {
					t.Errorf("%s is not wired:\n%s", path, h.Read(path))
				}
			}
			h.Must(h.Dir, "install", "--tools", "claude-code,codex", "--yes", "--no-service") // again
			h.Must(h.Dir, "uninstall")
			if got := h.Read(claude); got != file.claude {
				t.Errorf("Claude Code's settings hold\n%q\nand held\n%q", got, file.claude)
			}
			if got := h.Read(codex); got != file.codex {
				t.Errorf("Codex' hooks hold\n%q\nand held\n%q", got, file.codex)
			}
		})
	}
}

// A file with comments is refused by the tools themselves; it is left alone
// and named, and the other tool is wired all the same.
func TestAFileWithCommentsIsLeftAlone(t *testing.T) {
	t.Parallel()
	h := runner.New(t, "")
	runner.ClaudeCode(t, h)
	runner.Codex(t, h)
	path := filepath.Join(h.Dir, ".claude", "settings.json")
	text := "{\n  // my settings\n  \"model\": \"opus\"\n}\n"
	h.Write(path, text)
	t.Cleanup(func() { h.Carryover(h.Dir, "daemon", "stop") })
	out := h.Carryover(h.Dir, "install", "--tools", "claude-code,codex", "--yes", "--no-service")
	if out.Code != 1 || !strings.Contains(out.Stdout, path) || !strings.Contains(out.Stdout, "comments") || !strings.Contains(out.Stderr, "hint:") {
		t.Errorf("install ended with %d and said\n%s%s", out.Code, out.Stdout, out.Stderr)
	}
	if got := h.Read(path); got != text {
		t.Errorf("the file was changed to %q", got)
	}
	if !strings.Contains(h.Read(filepath.Join(h.Dir, ".codex", "hooks.json")), "carryover-hook") {
		t.Error("the other tool was not wired")
	}
}

// The real tools accept what was written: Claude Code shows no complaint and
// Codex lists all hooks as waiting for the user's trust.
func TestTheToolsLoadWhatWasWritten(t *testing.T) {
	t.Parallel()
	h := runner.New(t, "")
	runner.ClaudeCode(t, h)
	runner.Codex(t, h)
	h.Install("claude-code", "codex")
	var report struct {
		Checks []struct{ Name, Result, Message string } `json:"checks"`
	}
	out := h.Carryover(h.Project, "doctor", "--json")
	out.JSON(t, &report)
	found := map[string]string{}
	for _, check := range report.Checks {
		found[check.Name] = check.Result + ": " + check.Message
	}
	for name, want := range map[string]string{
		"daemon": "ok: running", "port": "ok: ", "claude-code-hooks": "ok: 6 hooks", "codex-hooks": "ok: 7 hooks",
		"codex-trust": "warning: 0 of 7 hooks trusted map[untrusted:7]",
	} {
		if !strings.HasPrefix(found[name], want) {
			t.Errorf("doctor says %s is %q, want %q", name, found[name], want)
		}
	}
	if out.Code != 0 {
		t.Errorf("doctor ended with %d:\n%s", out.Code, out.Stdout)
	}
}
