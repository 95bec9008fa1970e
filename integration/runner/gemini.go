package runner

import (
	"fmt"
	"path/filepath"
	"testing"
)

// Gemini prepares Gemini CLI in a home: the project trusted, the stand-in model
// for its service.
func Gemini(t testing.TB, h *Home) *Agent {
	a := &Agent{Home: h, Name: "gemini-cli", binary: find(t, "gemini"), run: runGemini, open: openGemini}
	h.Write(filepath.Join(h.Dir, ".gemini", "settings.json"), `{
  // written by the person
  "security": {"auth": {"selectedType": "gemini-api-key"}},
  "general": {"disableAutoUpdate": true, "enableAutoUpdate": false},
  "privacy": {"usageStatisticsEnabled": false}
}
`)
	h.Write(filepath.Join(h.Dir, ".gemini", "trustedFolders.json"), fmt.Sprintf(`{%q:"TRUST_FOLDER"}`, h.Project))
	return a
}

func runGemini(a *Agent, project, session, prompt string) Output {
	args := []string{"-p", prompt, "-y", "-m", "gemini-2.5-pro"}
	if session != "" {
		args = append(args, "-r", "latest")
	}
	return a.Run(project, geminiEnv(a), a.binary, args...)
}

// openGemini is the program as a person starts it.
func openGemini(a *Agent) (env, args []string) {
	return geminiEnv(a), []string{"-m", "gemini-2.5-pro"}
}

func geminiEnv(a *Agent) []string {
	return withBin(a.Env(append(a.Extra,
		"GEMINI_API_KEY=dummy", "GOOGLE_GEMINI_BASE_URL="+a.Model, "GEMINI_CLI_NO_RELAUNCH=true",
	)...))
}
