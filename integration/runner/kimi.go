package runner

import "testing"

// Kimi prepares Kimi Code in a home: its model is named by the environment.
func Kimi(t testing.TB, h *Home) *Agent {
	return &Agent{Home: h, Name: "kimi-code", binary: find(t, "kimi"), run: runKimi, open: openKimi}
}

func runKimi(a *Agent, project, session, prompt string) Output {
	args := []string{"-p", prompt}
	if session != "" {
		args = append(args, "-c") // the newest of the folder
	}
	return a.Run(project, kimiEnv(a), a.binary, args...)
}

// openKimi is the program as a person starts it.
func openKimi(a *Agent) (env, args []string) { return kimiEnv(a), []string{"--yolo"} }

func kimiEnv(a *Agent) []string {
	return withBin(a.Env(append(a.Extra,
		"KIMI_MODEL_NAME=stand-in", "KIMI_MODEL_API_KEY=x", "KIMI_MODEL_PROVIDER_TYPE=openai", "KIMI_MODEL_BASE_URL="+a.Model+"/v1",
		"KIMI_DISABLE_TELEMETRY=1",
	)...))
}
