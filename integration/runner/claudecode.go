package runner

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
)

// ClaudeCode prepares Claude Code in a home: onboarding done, the project
// trusted, the stand-in model for its service.
func ClaudeCode(t testing.TB, h *Home) *Agent {
	a := &Agent{Home: h, Name: "claude-code", binary: find(t, "claude"), run: runClaude, open: openClaude, fork: forkClaude}
	h.Write(filepath.Join(h.Dir, ".claude.json"), fmt.Sprintf(
		`{"hasCompletedOnboarding":true,"theme":"dark","customApiKeyResponses":{"approved":["dummy"],"rejected":[]},"projects":{%q:{"hasTrustDialogAccepted":true}}}`, h.Project))
	return a
}

func runClaude(a *Agent, project, session, prompt string) Output {
	args := []string{"-p", prompt}
	if session != "" {
		args = []string{"-p", "--resume", session, prompt}
	}
	return a.Run(project, claudeEnv(a), a.binary, append(args, claudeTools...)...)
}

func forkClaude(a *Agent, project, session, prompt string) Output {
	args := []string{"-p", "--resume", session, "--fork-session", prompt}
	return a.Run(project, claudeEnv(a), a.binary, append(args, claudeTools...)...)
}

// openClaude is the program as a person starts it.
func openClaude(a *Agent) (env, args []string) {
	return claudeEnv(a), append([]string{"--permission-mode", "acceptEdits"}, claudeTools...)
}

var claudeTools = []string{"--allowedTools", "Bash,Edit,Write,Read"}

func claudeEnv(a *Agent) []string {
	return withBin(a.Env(append(slices.Clip(a.Extra),
		"ANTHROPIC_BASE_URL="+a.Model, "ANTHROPIC_API_KEY=dummy", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1", "DISABLE_ERROR_REPORTING=1", "CLAUDE_CODE_MAX_RETRIES=0",
	)...))
}
