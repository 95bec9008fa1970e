package runner

import (
	"path/filepath"
	"testing"
)

// Codex prepares Codex in a home, with code mode (what current models use).
// Hook trust is the user's own click; the scenarios bypass it per run.
func Codex(t testing.TB, h *Home) *Agent {
	a := &Agent{Home: h, Name: "codex", binary: find(t, "codex"), run: runCodex, open: openCodex, fork: forkCodex}
	h.Write(filepath.Join(h.Dir, ".codex", "config.toml"), `model = "gpt-6-sol"
model_provider = "m"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.m]
name = "m"
base_url = "`+h.Model+`/v1"
wire_api = "responses"
env_key = "K"
request_max_retries = 0
stream_max_retries = 0

[projects."`+h.Project+`"]
trust_level = "trusted"
`)
	return a
}

func runCodex(a *Agent, project, session, prompt string) Output {
	args := []string{"exec"}
	if session != "" {
		args = append(args, "resume", session)
	}
	return execCodex(a, project, append(args, prompt))
}

func forkCodex(a *Agent, project, session, prompt string) Output {
	return execCodex(a, project, []string{"exec", "fork", session, prompt})
}

func execCodex(a *Agent, project string, args []string) Output {
	args = append(args, "--skip-git-repo-check", "--dangerously-bypass-hook-trust")
	return a.Run(project, withBin(a.Env("K=x")), a.binary, args...)
}

// openCodex is the program as a person starts it.
func openCodex(a *Agent) (env, args []string) {
	return withBin(a.Env("K=x")), []string{"--dangerously-bypass-hook-trust"}
}
