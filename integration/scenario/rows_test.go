package scenario

import (
	"strings"
	"testing"
)

// A fork has the history of the session it came from: nothing is given beside
// it, though another session worked here since.
func TestAForkIsGivenNothing(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"claude-code", "codex"} {
		t.Run(tool, func(t *testing.T) {
			s := newStage(t, tool, "gemini-cli")
			s.work()
			agent := s.agents[tool]
			agent.Prompt(s.Project, request)
			s.agents["gemini-cli"].Prompt(s.Project, "Look around here.")
			s.model.Forget()
			quietAboutUs(t, agent.Fork(s.Project, s.Sessions(tool)[0], "Go on for a moment."))
			text := s.first(t)
			if !strings.Contains(text, request) {
				t.Fatalf("the fork lacks the history:\n%s", excerpt(text))
			}
			carriesNothing(t, text)
			s.decided(t, tool, "fork", "nothing", "a fork begins with the history")
		})
	}
}

// OpenCode asks nobody and reads a file with every request: a fork's holds the
// work once, and what was said is known without the quotes of a command line.
func TestAForkInOpenCode(t *testing.T) {
	t.Parallel()
	s := newStage(t, "opencode")
	s.work()
	agent := s.agents["opencode"]
	agent.Prompt(s.Project, request)
	s.waitForHandoff(t)
	var last struct{ Session string }
	s.Must(s.Project, "handoff", "--json").JSON(t, &last)
	s.model.Forget()
	quietAboutUs(t, agent.Fork(s.Project, last.Session, "Go on for a moment."))
	text := s.first(t)
	for _, want := range []string{"test_parser.py still fails: the parts are strings", "## Failed approaches"} {
		if !strings.Contains(text, want) {
			t.Errorf("the fork's request lacks %q:\n%s", want, excerpt(text))
		}
	}
	if n := strings.Count(text, sentinel); n != 1 {
		t.Errorf("the handoff is in the request %d times", n)
	}
	eventually(t, "the fork's prompt is known", func() bool {
		return strings.Contains(s.Must(s.Project, "handoff").Stdout, `"Go on for a moment."`)
	})
}

// Two sessions of one project at once, of one tool or of two: the second is
// given the work of the first, and learns that it may still be going on.
func TestASecondSessionBesideTheFirst(t *testing.T) {
	t.Parallel()
	for _, pair := range []struct{ first, second string }{
		{"claude-code", "claude-code"}, {"codex", "claude-code"}, {"copilot-cli", "codex"},
	} {
		t.Run(pair.first+" and "+pair.second, func(t *testing.T) {
			s := newStage(t, pair.first, pair.second)
			s.work()
			s.say(s.open(pair.first), request, "still fails")
			s.model.Forget()
			s.ask(s.open(pair.second), "How do things stand by now.")
			text := s.first(t)
			handsOver(t, text)
			first := s.Sessions(pair.first)[0]
			if !strings.Contains(text, "may still be at work: "+pair.first+" "+first[:8]) {
				t.Errorf("the request does not name the first session, %s:\n%s", first, excerpt(text))
			}
			s.decided(t, pair.second, "", "full", "a session that may still be at it is named; resume mode ask")
		})
	}
}
