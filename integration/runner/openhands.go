package runner

import "testing"

// OpenHands prepares OpenHands CLI in a home: its model is named by the
// environment. Its shell runs in a tmux server, which it leaves running and shares
// with all of a user's sessions: here each home has its own.
func OpenHands(t testing.TB, h *Home) *Agent {
	return &Agent{Home: h, Name: "openhands", binary: find(t, "openhands"), run: runOpenHands, open: openOpenHands}
}

func runOpenHands(a *Agent, project, session, prompt string) Output {
	args := []string{"--headless", "--override-with-envs", "-t", prompt}
	if session != "" {
		args = append(args, "--resume", "--last") // its transcripts are not named for it
	}
	return a.Run(project, openHandsEnv(a), a.binary, args...)
}

// openOpenHands is the program as a person starts it.
func openOpenHands(a *Agent) (env, args []string) {
	return openHandsEnv(a), []string{"--override-with-envs"}
}

func openHandsEnv(a *Agent) []string {
	return withBin(a.Env(append(a.Extra,
		"LLM_API_KEY=x", "LLM_BASE_URL="+a.Model+"/v1", "LLM_MODEL=openai/stand-in", "LITELLM_LOCAL_MODEL_COST_MAP=True",
		"TMUX_TMPDIR="+a.Dir, "OPENHANDS_SUPPRESS_BANNER=1",
	)...))
}
