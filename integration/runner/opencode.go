package runner

import (
	"path/filepath"
	"strings"
	"testing"
)

// OpenCode prepares OpenCode in a home: a provider of the user's own, nothing
// fetched.
func OpenCode(t testing.TB, h *Home) *Agent {
	a := &Agent{Home: h, Name: "opencode", binary: find(t, "opencode"), run: runOpenCode, open: openOpenCode, fork: forkOpenCode}
	h.Write(filepath.Join(h.Dir, ".config", "opencode", "opencode.json"), strings.ReplaceAll(openCodeSettings, "MODEL", h.Model))
	return a
}

// openCodeSettings are those of OpenCode and its forks.
const openCodeSettings = `{
  // written by the person
  "provider": {"m": {
    "npm": "@ai-sdk/openai-compatible",
    "options": {"baseURL": "MODEL/v1", "apiKey": "x"},
    "models": {"stand-in": {"limit": {"context": 100000, "output": 4096}}},
  }},
  "model": "m/stand-in",
  "small_model": "m/stand-in",
  "permission": {"edit": "allow", "bash": "allow"},
}
`

func runOpenCode(a *Agent, project, session, prompt string) Output {
	args := []string{"run", prompt}
	if session != "" {
		args = []string{"run", "-c", prompt} // the newest; its database is the only one who names it
	}
	return a.Run(project, openCodeEnv(a), a.binary, args...)
}

func forkOpenCode(a *Agent, project, session, prompt string) Output {
	return a.Run(project, openCodeEnv(a), a.binary, "run", "-s", session, "--fork", prompt)
}

// openOpenCode is the program as a person starts it.
func openOpenCode(a *Agent) (env, args []string) { return openCodeEnv(a), nil }

func openCodeEnv(a *Agent) []string {
	return withBin(a.Env(append(a.Extra,
		"OPENCODE_DISABLE_AUTOUPDATE=true", "OPENCODE_DISABLE_MODELS_FETCH=true", "OPENCODE_DISABLE_LSP_DOWNLOAD=true",
	)...))
}
