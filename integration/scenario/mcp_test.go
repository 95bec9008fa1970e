package scenario

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/integration/mockmodel"
	"github.com/carryover-go/carryover/integration/runner"
)

// Claude Code reaches the MCP server after the command that the README tells to type.
func TestMCP_IsAddedAsTheReadmeSays(t *testing.T) {
	page, err := os.ReadFile(runner.Root() + "/README.md")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile("`claude (mcp add [^`]*)`").FindSubmatch(page)
	if line == nil {
		t.Fatal("the README no longer says how")
	}
	t.Setenv("PATH", runner.Programs(t)+string(os.PathListSeparator)+os.Getenv("PATH"))
	model := mockmodel.Start()
	t.Cleanup(model.Close)
	home := runner.New(t, model.URL)
	agent := runner.ClaudeCode(t, home)
	t.Cleanup(func() { home.Carryover(home.Dir, "daemon", "stop") })
	for _, args := range [][]string{strings.Fields(string(line[1])), {"mcp", "list"}} {
		out := agent.Command(args...)
		if out.Code != 0 {
			t.Fatalf("claude %v ended with %d: %s%s", args, out.Code, out.Stdout, out.Stderr)
		}
		if args[1] == "list" && !regexp.MustCompile(`(?m)^carryover: .*Connected$`).MatchString(out.Stdout) {
			t.Errorf("claude does not reach the server:\n%s", out.Stdout)
		}
	}
}
