package runner

import (
	"path/filepath"
	"testing"
)

// Pi prepares pi in a home: offline, with a provider of the user's own.
func Pi(t testing.TB, h *Home) *Agent {
	a := &Agent{Home: h, Name: "pi", binary: find(t, "pi"), run: runPi, open: openPi, fork: forkPi}
	h.Write(filepath.Join(h.Dir, ".pi", "agent", "models.json"), `{"providers": {"m": {
  "baseUrl": "`+h.Model+`/v1", "api": "openai-completions", "apiKey": "x",
  "models": [{"id": "stand-in", "contextWindow": 100000}]
}}}
`)
	// Little is kept of a cut context, so that a short one can be cut.
	h.Write(filepath.Join(h.Dir, ".pi", "agent", "settings.json"), `{"compaction": {"keepRecentTokens": 50}}`+"\n")
	return a
}

func runPi(a *Agent, project, session, prompt string) Output {
	args := []string{"-p", "--model", "m/stand-in"}
	if session != "" {
		args = append(args, "--session", session)
	}
	return a.Run(project, piEnv(a), a.binary, append(args, prompt)...)
}

func forkPi(a *Agent, project, session, prompt string) Output {
	return a.Run(project, piEnv(a), a.binary, "-p", "--model", "m/stand-in", "--fork", session, prompt)
}

// openPi is the program as a person starts it.
func openPi(a *Agent) (env, args []string) { return piEnv(a), []string{"--model", "m/stand-in"} }

func piEnv(a *Agent) []string {
	return withBin(a.Env(append(a.Extra, "PI_OFFLINE=1", "PI_TELEMETRY=0")...))
}
