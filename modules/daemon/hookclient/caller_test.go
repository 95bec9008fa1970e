package hookclient_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/toolspecs"
)

// unattended says whether a call marks itself as of a run that nobody attends.
func unattended(t *testing.T, tool, event string, words ...string) bool {
	t.Helper()
	c, _ := call(t, tool, event, "{}")
	c.Caller = func() []string { return words }
	var sent []string
	serve(t, c.Home, func(_ http.ResponseWriter, r *http.Request) { sent = r.Header.Values("X-Carryover-Mark") })
	c.Run()
	return slices.Contains(sent, home.Unattended+"=1")
}

// An agent that is started for one prompt tells so on its command line alone.
func TestARunWithOnePromptIsMarked(t *testing.T) {
	for line, want := range map[string]bool{
		"-p|Do it.":                  true,
		"-s|-p|Do it.|--allow-tools": true,
		"--prompt|Do it.":            true,
		"--prompt=Do it.":            true,
		"-yp|Do it.":                 true,
		"":                           false,
		"-y":                         false,
		"-i|say what -p does":        false,
		"--prompt-interactive|Go":    false,
		"--plain":                    false,
		"--|-p":                      false,
	} {
		if got := unattended(t, "gemini-cli", "BeforeAgent", strings.Split(line, "|")...); got != want {
			t.Errorf("started with %q it is unattended: %v", line, got)
		}
	}
	if unattended(t, "claude-code", "SessionStart", "-p", "Do it.") {
		t.Error("a tool that tells otherwise was looked at")
	}
	if unattended(t, "gemini-cli", "SessionEnd", "-p", "Do it.") {
		t.Error("it was looked for at an event that is not answered")
	}
}

// The options are those of the specs, and no tool is known by the option of
// another.
func TestTheOptionsAreThoseOfTheSpecs(t *testing.T) {
	table, failed := toolspecs.Load(nil)
	if len(failed) > 0 {
		t.Fatal(failed)
	}
	for _, spec := range table.All() {
		for _, option := range []string{"-p", "--prompt", "--print"} {
			want := slices.Contains(spec.Headless, toolspecs.Mark{Option: option})
			if got := unattended(t, spec.Tool, "SessionStart", option, "Do it."); got != want {
				t.Errorf("%s %s is unattended: %v, by its spec %v", spec.Tool, option, got, want)
			}
		}
	}
}
