package runner

import (
	"fmt"
	"path/filepath"
	"testing"
)

// Gemini prepares Gemini CLI in a home: the project trusted, the stand-in model
// for its service.
func Gemini(t testing.TB, h *Home) *Agent {
	a := &Agent{Home: h, Name: "gemini-cli", binary: find(t, "gemini"), run: runGemini}
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
	return a.Run(project, withBin(a.Env(
		"GEMINI_API_KEY=dummy", "GOOGLE_GEMINI_BASE_URL="+a.Model, "GEMINI_CLI_NO_RELAUNCH=true",
	)), a.binary, args...)
}
