package scenario

import (
	"os"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/integration/mockmodel"
	"github.com/carryover-go/carryover/integration/runner"
)

// The plugin of Claude Code hands work over without a line in its settings; beside
// an install its hooks do nothing, so the handoff comes once.
func TestPlugin_HandsOverOnce(t *testing.T) {
	t.Setenv("PATH", runner.Programs(t)+string(os.PathListSeparator)+os.Getenv("PATH"))
	for name, beside := range map[string]bool{"alone": false, "beside an install": true} {
		t.Run(name, func(t *testing.T) {
			model := mockmodel.Start()
			t.Cleanup(model.Close)
			s := &stage{Home: runner.New(t, model.URL), model: model, agents: map[string]*runner.Agent{}}
			agent := runner.ClaudeCode(t, s.Home)
			s.agents["claude-code"] = agent
			for _, args := range [][]string{{"marketplace", "add", runner.Root()}, {"install", "carryover@carryover"}} {
				if out := agent.Command(append([]string{"plugin"}, args...)...); out.Code != 0 {
					t.Fatalf("claude plugin %v ended with %d: %s%s", args, out.Code, out.Stdout, out.Stderr)
				}
			}
			t.Cleanup(func() { s.Carryover(s.Dir, "daemon", "stop") })
			if beside {
				s.Install("claude-code")
			}
			s.work()
			s.workIn("claude-code")
			s.waitForFallback(t)
			model.Forget()
			agent.Prompt(s.Project, "Go on for a moment")
			handsOver(t, s.first(t))
			if settings := s.Read(s.Dir + "/.claude/settings.json"); !beside && strings.Contains(settings, "carryover-hook") {
				t.Errorf("the plugin changed the settings:\n%s", settings)
			}
		})
	}
}
