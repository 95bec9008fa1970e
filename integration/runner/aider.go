package runner

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Aider prepares Aider in a home, with settings of a person in it.
func Aider(t testing.TB, h *Home) *Agent {
	a := &Agent{Home: h, Name: "aider", binary: find(t, "aider"), run: runAider, open: openAider}
	h.Write(filepath.Join(h.Dir, ".aider.conf.yml"), "# written by the person\nauto-commits: false\n")
	return a
}

// runAider types the prompt, and then what Agent.Then holds: Aider's model has
// no tools, it is the person who runs commands.
func runAider(a *Agent, project, session, prompt string) Output {
	args := aiderArgs
	if session != "" { // there is one history; only this flag brings it back
		args = append(slices.Clip(args), "--restore-chat-history")
	}
	lines := append([]string{prompt}, a.Then...)
	return a.RunWith(strings.Join(append(lines, "/exit"), "\n")+"\n", project, aiderEnv(a), a.binary, args...)
}

var aiderArgs = []string{
	"--model", "openai/stand-in", "--edit-format", "diff", "--no-stream", "--yes-always", "--no-pretty", "--no-fancy-input",
	"--no-show-model-warnings", "--no-check-update", "--no-show-release-notes", "--analytics-disable",
}

// openAider is the program as a person starts it.
func openAider(a *Agent) (env, args []string) { return aiderEnv(a), aiderArgs }

func aiderEnv(a *Agent) []string {
	return withBin(a.Env(append(a.Extra,
		"OPENAI_API_BASE="+a.Model+"/v1", "OPENAI_API_KEY=dummy", "LITELLM_LOCAL_MODEL_COST_MAP=True",
	)...))
}
