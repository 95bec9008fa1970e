package runner

import (
	"path/filepath"
	"slices"
	"testing"
)

// Droid prepares Factory's Droid in a home: with a model of the user's own it
// needs no account.
func Droid(t testing.TB, h *Home) *Agent {
	a := &Agent{Home: h, Name: "droid", binary: find(t, "droid"), run: runDroid, open: openDroid, fork: forkDroid}
	h.Write(filepath.Join(h.Dir, ".factory", "config.json"), `{"custom_models": [{
  "model_display_name": "stand-in", "model": "stand-in", "base_url": "`+h.Model+`/v1", "api_key": "x",
  "provider": "generic-chat-completion-api", "max_tokens": 4096
}]}
`)
	return a
}

// droidArgs are those of a run without a person.
var droidArgs = []string{"exec", "--auto", "high", "-m", "custom:stand-in"}

func runDroid(a *Agent, project, session, prompt string) Output {
	args := slices.Clone(droidArgs)
	if session != "" {
		args = append(args, "-s", session)
	}
	return a.Run(project, droidEnv(a), a.binary, append(args, prompt)...)
}

func forkDroid(a *Agent, project, session, prompt string) Output {
	args := slices.Concat(droidArgs, []string{"--fork", session, prompt})
	return a.Run(project, droidEnv(a), a.binary, args...)
}

// openDroid is the program as a person starts it.
func openDroid(a *Agent) (env, args []string) { return droidEnv(a), nil }

func droidEnv(a *Agent) []string {
	return withBin(a.Env(append(a.Extra, "FACTORY_DISABLE_TELEMETRY=1", "DROID_DISABLE_AUTO_UPDATE=1")...))
}
