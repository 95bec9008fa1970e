package runner

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Required makes a missing agent CLI a failure instead of a skip.
const Required = "CARRYOVER_REQUIRE_AGENTS"

// Agent is one real CLI in a home.
type Agent struct {
	*Home
	Name   string   // as Carryover calls it
	Extra  []string // more variables of its environment
	Then   []string // what the person types after the prompt, where the agent runs no commands itself
	binary string
	run    func(a *Agent, project, session, prompt string) Output
	open   func(a *Agent) (env, args []string)
	fork   func(a *Agent, project, session, prompt string) Output // nil where the tool forks no session
}

// Agents prepares a CLI in a home, by the name Carryover has for it: those that
// stand in every scenario.
var Agents = map[string]func(testing.TB, *Home) *Agent{
	"aider": Aider, "claude-code": ClaudeCode, "codex": Codex, "copilot-cli": Copilot, "gemini-cli": Gemini, "opencode": OpenCode,
}

// Further are the other CLIs that run on a machine like this: each is proved as a
// source and a target with Claude Code and Codex.
var Further = map[string]func(testing.TB, *Home) *Agent{
	"droid": Droid, "kilo": Kilo, "kimi-code": Kimi, "openhands": OpenHands, "pi": Pi, "qwen-code": Qwen,
}

// Prepare prepares any of them.
func Prepare(t testing.TB, h *Home, tool string) *Agent {
	t.Helper()
	if prepare := Agents[tool]; prepare != nil {
		return prepare(t, h)
	}
	return Further[tool](t, h)
}

// Binary is the path of its program.
func (a *Agent) Binary() string { return a.binary }

// Command runs a command of the program, such as "plugin list", in the project.
func (a *Agent) Command(args ...string) Output {
	env, _ := a.open(a)
	return a.Run(a.Project, env, a.binary, args...)
}

// Prompt starts a new session and returns when it ended.
func (a *Agent) Prompt(project, prompt string) Output {
	a.t.Helper()
	return a.run(a, project, "", prompt)
}

// Resume goes on with a session.
func (a *Agent) Resume(project, session, prompt string) Output {
	a.t.Helper()
	return a.run(a, project, session, prompt)
}

// Pipe starts a new session with a prompt on standard input, and what is to be
// asked on the command line for the agent to work without asking.
func (a *Agent) Pipe(project, prompt string, args ...string) Output {
	a.t.Helper()
	env, own := a.open(a)
	return a.RunWith(prompt+"\n", project, env, a.binary, append(slices.Clip(own), args...)...)
}

// Fork goes on with a copy of a session.
func (a *Agent) Fork(project, session, prompt string) Output {
	a.t.Helper()
	return a.fork(a, project, session, prompt)
}

// Continue goes on with the newest session.
func (a *Agent) Continue(project, prompt string) Output {
	a.t.Helper()
	session := "newest"
	if list := a.Sessions(a.Name); len(list) > 0 {
		session = list[len(list)-1]
	}
	return a.run(a, project, session, prompt)
}

// BinDir is where `make agents` puts the CLIs; CARRYOVER_AGENTS names another
// place.
func BinDir() string {
	if dir := os.Getenv("CARRYOVER_AGENTS"); dir != "" {
		return filepath.Join(dir, "node_modules", ".bin")
	}
	return filepath.Join(Root(), ".cache", "agents", "node_modules", ".bin")
}

// find skips loudly, or fails where the CLIs must be there.
func find(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(BinDir(), name)
	if _, err := os.Stat(path); err != nil {
		if _, err := os.Stat(filepath.Join(BinDir(), "..", "..", name+".missing")); err == nil {
			t.Skipf("SKIPPED: the real %s CLI cannot be installed here; `make agents` says why", name)
		}
		if os.Getenv(Required) != "" {
			t.Fatalf("%s is not installed; run `make agents`", name)
		}
		t.Skipf("SKIPPED: the real %s CLI is not installed; run `make agents` to run this scenario", name)
	}
	return path
}

// findAdapter is find for a program that speaks the Agent Client Protocol for an agent
// that does not. CARRYOVER_ADAPTERS names the folder of a node_modules/.bin with it.
func findAdapter(t testing.TB, name string) string {
	t.Helper()
	for _, dir := range []string{os.Getenv("CARRYOVER_ADAPTERS"), BinDir()} {
		if _, err := os.Stat(filepath.Join(dir, name)); dir != "" && err == nil {
			return filepath.Join(dir, name)
		}
	}
	return find(t, name)
}

// withBin puts the CLIs' folder first, so that their launchers find the node
// that came with them.
func withBin(env []string) []string {
	return append(env, "PATH="+path())
}

func path() string { return BinDir() + string(os.PathListSeparator) + os.Getenv("PATH") }

// Trail is a PATH with the real `trail` CLI on it.
func Trail(t testing.TB) string {
	t.Helper()
	find(t, "trail")
	return path()
}
