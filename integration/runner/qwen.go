package runner

import (
	"path/filepath"
	"testing"
)

// Qwen prepares Qwen Code in a home: an endpoint of the user's own for its
// service.
func Qwen(t testing.TB, h *Home) *Agent {
	a := &Agent{Home: h, Name: "qwen-code", binary: find(t, "qwen"), run: runQwen, open: openQwen, fork: forkQwen}
	h.Write(filepath.Join(h.Dir, ".qwen", "settings.json"), `{
  // written by the person
  "security": {"auth": {"selectedType": "openai"}},
  "general": {"enableAutoUpdate": false},
  "privacy": {"usageStatisticsEnabled": false}
}
`)
	return a
}

func runQwen(a *Agent, project, session, prompt string) Output {
	args := []string{"-y", "-p", prompt}
	if session != "" {
		args = append(args, "--resume", session)
	}
	return a.Run(project, qwenEnv(a), a.binary, args...)
}

func forkQwen(a *Agent, project, session, prompt string) Output {
	return a.Run(project, qwenEnv(a), a.binary, "-y", "-p", prompt, "--resume", session, "--fork-session")
}

// openQwen is the program as a person starts it.
func openQwen(a *Agent) (env, args []string) { return qwenEnv(a), []string{"-y"} }

func qwenEnv(a *Agent) []string {
	return withBin(a.Env(append(a.Extra,
		"OPENAI_API_KEY=x", "OPENAI_BASE_URL="+a.Model+"/v1", "OPENAI_MODEL=stand-in", "QWEN_CODE_SUPPRESS_YOLO_WARNING=1",
	)...))
}
