package runner

import (
	"path/filepath"
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
	var args []string
	if session != "" { // there is one history; only this flag brings it back
		args = []string{"--restore-chat-history"}
	}
	lines := append([]string{prompt}, a.Then...)
	return a.RunWith(strings.Join(append(lines, "/exit"), "\n")+"\n", project, aiderEnv(a), a.binary, args...)
}

// openAider is the program as a person starts it.
func openAider(a *Agent) (env, args []string) { return aiderEnv(a), nil }

// aiderEnv holds the options too, so that they are those of a program that
// another one opens.
func aiderEnv(a *Agent) []string {
	return withBin(a.Env(append(a.Extra,
		"OPENAI_API_BASE="+a.Model+"/v1", "OPENAI_API_KEY=dummy", "LITELLM_LOCAL_MODEL_COST_MAP=True",
		"AIDER_MODEL=openai/stand-in", "AIDER_EDIT_FORMAT=diff", "AIDER_STREAM=false", "AIDER_YES_ALWAYS=true",
		"AIDER_PRETTY=false", "AIDER_FANCY_INPUT=false", "AIDER_GITIGNORE=false", "AIDER_CHECK_UPDATE=false",
		"AIDER_SHOW_MODEL_WARNINGS=false", "AIDER_SHOW_RELEASE_NOTES=false", "AIDER_ANALYTICS_DISABLE=true",
	)...))
}
