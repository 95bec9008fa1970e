package hookclient_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/hookclient"
	"github.com/carryover-go/carryover/toolspecs"
)

// unattended says whether a call marks itself as of a run that nobody attends.
func unattended(t *testing.T, tool, event string, caller hookclient.Caller) bool {
	t.Helper()
	c, _ := call(t, tool, event, "{}")
	c.Caller = func() hookclient.Caller { return caller }
	var sent []string
	serve(t, c.Home, func(_ http.ResponseWriter, r *http.Request) { sent = r.Header.Values("X-Carryover-Mark") })
	c.Run()
	return slices.Contains(sent, home.Unattended+"=1")
}

// An agent that is started for one prompt tells so on its command line alone.
func TestARunWithOnePromptIsMarked(t *testing.T) {
	for line, want := range map[string]bool{
		"gemini|-p|Do it.":                  true,
		"gemini|-s|-p|Do it.|--allow-tools": true,
		"node|/bin/gemini|--prompt|Do it.":  true,
		"gemini|--prompt=Do it.":            true,
		"gemini|-yp|Do it.":                 true,
		"gemini":                            false,
		"gemini|-y":                         false,
		"gemini|-i|say what -p does":        false,
		"gemini|--prompt-interactive|Go":    false,
		"gemini|--plain":                    false,
		"gemini|--|-p":                      false,
		"":                                  false,
	} {
		caller := hookclient.Caller{Words: strings.Split(line, "|")}
		if got := unattended(t, "gemini-cli", "BeforeAgent", caller); got != want {
			t.Errorf("started with %q it is unattended: %v", line, got)
		}
	}
	one := hookclient.Caller{Words: []string{"gemini", "-p", "Do it."}, Piped: true}
	if unattended(t, "claude-code", "SessionStart", one) {
		t.Error("a tool that tells otherwise was looked at")
	}
	if unattended(t, "gemini-cli", "SessionEnd", one) {
		t.Error("it was looked for at an event that is not answered")
	}
}

// A prompt may be piped in. A program that speaks to the agent for a person
// has a pipe, too, and other programs have the agent built in.
func TestARunWithAPipedPromptIsMarked(t *testing.T) {
	for line, want := range map[string]bool{
		"gemini|-y": true,
		"/usr/bin/node|--max-old-space-size=4096|/usr/local/bin/gemini": true,
		"gemini|--acp":                        false,
		"gemini|--experimental-acp":           false,
		"/usr/share/code/code|--type=utility": false,
		"node|server.js|gemini":               false,
	} {
		caller := hookclient.Caller{Words: strings.Split(line, "|"), Piped: true}
		if got := unattended(t, "gemini-cli", "BeforeAgent", caller); got != want {
			t.Errorf("started with %q it is unattended: %v", line, got)
		}
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
		program := "none"
		if len(spec.Detect.Binaries) > 0 {
			program = spec.Detect.Binaries[0]
		}
		check := func(want bool, caller hookclient.Caller) {
			t.Helper()
			if got := unattended(t, spec.Tool, "SessionStart", caller); got != want {
				t.Errorf("%s as %+v is unattended: %v, by its spec %v", spec.Tool, caller, got, want)
			}
		}
		for _, option := range []string{"-p", "--prompt", "--print"} {
			check(slices.ContainsFunc(spec.Headless, func(m toolspecs.Mark) bool { return m.Option == option }),
				hookclient.Caller{Words: []string{program, option, "Do it."}})
		}
		piped := slices.IndexFunc(spec.Headless, func(m toolspecs.Mark) bool { return m.Piped })
		check(piped >= 0, hookclient.Caller{Words: []string{program}, Piped: true})
		if piped >= 0 {
			for _, option := range spec.Headless[piped].Unless {
				check(false, hookclient.Caller{Words: []string{program, option}, Piped: true})
			}
		}
	}
}
