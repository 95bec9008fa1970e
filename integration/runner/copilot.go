package runner

import (
	"os"
	"path/filepath"
	"testing"
)

// Copilot prepares Copilot CLI in a home: offline, with a model of the user's
// own. What it unpacks at its first start, 235 MB, is shared by all homes.
func Copilot(t testing.TB, h *Home) *Agent {
	a := &Agent{Home: h, Name: "copilot-cli", binary: find(t, "copilot"), run: runCopilot, open: openCopilot}
	unpacked := filepath.Join(BinDir(), "..", "..", ".cache", "copilot")
	link := filepath.Join(h.Dir, ".cache", "copilot")
	for _, dir := range []string{unpacked, filepath.Dir(link)} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(unpacked, link); err != nil {
		t.Fatal(err)
	}
	return a
}

func runCopilot(a *Agent, project, session, prompt string) Output {
	args := []string{"-s", "-p", prompt, "--allow-all-tools", "--allow-all-paths"}
	if session != "" {
		args = append(args, "--resume="+session)
	}
	return a.Run(project, copilotEnv(a), a.binary, args...)
}

// openCopilot is the program as a person starts it.
func openCopilot(a *Agent) (env, args []string) { return copilotEnv(a), nil }

func copilotEnv(a *Agent) []string {
	return withBin(a.Env(append(a.Extra,
		"COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL="+a.Model+"/v1", "COPILOT_PROVIDER_API_KEY=dummy",
		"COPILOT_MODEL=stand-in", "COPILOT_AUTO_UPDATE=false",
	)...))
}
