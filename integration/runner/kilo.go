package runner

import (
	"path/filepath"
	"strings"
	"testing"
)

// Kilo prepares Kilo CLI in a home: a provider of the user's own, as in
// OpenCode, whose fork it is.
func Kilo(t testing.TB, h *Home) *Agent {
	a := &Agent{Home: h, Name: "kilo", binary: find(t, "kilo"), run: runKilo, open: openKilo, fork: forkKilo}
	h.Write(filepath.Join(h.Dir, ".config", "kilo", "kilo.json"), strings.ReplaceAll(openCodeSettings, "MODEL", h.Model))
	return a
}

func runKilo(a *Agent, project, session, prompt string) Output {
	args := []string{"run", prompt}
	if session != "" {
		args = []string{"run", "-c", prompt} // the newest; its database is the only one who names it
	}
	return a.Run(project, kiloEnv(a), a.binary, args...)
}

func forkKilo(a *Agent, project, session, prompt string) Output {
	return a.Run(project, kiloEnv(a), a.binary, "run", "-s", session, "--fork", prompt)
}

// openKilo is the program as a person starts it.
func openKilo(a *Agent) (env, args []string) { return kiloEnv(a), nil }

func kiloEnv(a *Agent) []string {
	return withBin(a.Env(append(a.Extra,
		"KILO_DISABLE_AUTOUPDATE=true", "KILO_DISABLE_MODELS_FETCH=true", "KILO_DISABLE_LSP_DOWNLOAD=true",
		"KILO_DISABLE_SESSION_INGEST=true", "KILO_DISABLE_SHARE=true", "KILO_TELEMETRY_LEVEL=off",
	)...))
}
