package scenario

import (
	"slices"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/integration/mockmodel"
	"github.com/carryover-go/carryover/integration/runner"
)

// A person answers a question, approves a plan, runs a command of their own, stops one and clears the
// session, all of which only the program on a terminal knows: answers, what the command printed and the
// stop are in the ledger, and the cleared session is given the handoff, once.
func TestAPersonAtClaudeCode(t *testing.T) {
	t.Parallel()
	s := newStage(t, "claude-code")
	s.model.Add(
		mockmodel.Script{Prompt: "Ask me about the dates", Steps: []mockmodel.Step{
			mockmodel.Use("AskUserQuestion", map[string]any{"questions": []map[string]any{{
				"question": "Which date format should the parser take?", "header": "Format", "multiSelect": false,
				"options": []map[string]any{{"label": "ISO 8601", "description": "strict"}, {"label": "RFC 2822", "description": "as in mail"}},
			}}}),
			mockmodel.Say("It takes dates as in mail."),
		}},
		mockmodel.Script{Prompt: "Plan the parser", Steps: []mockmodel.Step{
			mockmodel.Write(mockmodel.PlanFile, "# The parser\n\n1. Write mail_dates.py\n2. Test it on old mail\n"),
			mockmodel.Use("ExitPlanMode", map[string]any{}),
			mockmodel.Say("The plan stands."),
		}},
		mockmodel.Script{Prompt: "echo the archive has", Steps: []mockmodel.Step{mockmodel.Say("They are counted.")}},
		mockmodel.Script{Prompt: "Try it on the archive", Steps: []mockmodel.Step{mockmodel.Run("tail -f /dev/null")}},
	)
	term := s.agents["claude-code"].Open(s.Project)
	term.Shows("shift+tab to cycle")
	term.Say("Ask me about the dates of the parser.")
	term.Shows("Which date format", "RFC 2822")
	term.Press("Down")
	term.Shows("❯ 2. RFC 2822")
	term.PressUntil("It takes dates as in mail.", "Enter")
	s.waitForEvent(t, "Which date format should the parser take?", "RFC 2822")

	term.PressUntil("plan mode on", "BTab")
	term.Say("Plan the parser for the archive.")
	term.Shows("Write mail_dates.py", "Yes")
	term.PressUntil("The plan stands.", "Enter")
	s.waitForEvent(t, "plan", "Write mail_dates.py")

	term.Press("!") // a command of the person's own
	term.Say("echo the archive has $((40 + 2)) mails")
	term.Shows("the archive has 42 mails", "They are counted.")
	s.waitForEvent(t, "the archive has 42 mails")

	term.Say("Try it on the archive of mail.")
	term.Shows("tail -f /dev/null")
	term.PressUntil("Interrupted", "Escape") // the first one may only close a notice of the permission mode
	s.waitForEvent(t, "interrupted")

	s.model.Forget()
	term.Say("/clear")
	term.Say("What is the state of things?")
	term.Shows("Done.")
	text := s.first(t)
	for _, want := range []string{"RESUME PROTOCOL: ask", "Which date format should the parser take?", "RFC 2822", "Try it on the archive of mail."} {
		if !strings.Contains(text, want) {
			t.Errorf("the cleared session's request lacks %q:\n%s", want, excerpt(text))
		}
	}
	if n := strings.Count(text, sentinel); n != 1 {
		t.Errorf("the handoff is in the request %d times", n)
	}
	s.decided(t, "claude-code", "clear", "full", "resume mode ask")
}

// waitForEvent waits until one line of the newest session's events has all of
// the words.
func (s *stage) waitForEvent(t *testing.T, words ...string) {
	t.Helper()
	var out runner.Output
	holds := func(line string) bool {
		for _, word := range words {
			if !strings.Contains(line, word) {
				return false
			}
		}
		return true
	}
	for range 400 {
		for _, tool := range asking {
			sessions := s.Sessions(tool)
			if len(sessions) == 0 {
				continue
			}
			out = s.Carryover(s.Project, "show", sessions[len(sessions)-1])
			for line := range strings.Lines(out.Stdout) {
				if holds(line) {
					return
				}
			}
		}
	}
	t.Fatalf("no event says %q:\n%s", words, out.Stdout)
}

// decided asserts the newest decision of the gate about a tool's start from a
// source; "" is any source.
func (s *stage) decided(t *testing.T, tool, source, decision, reason string) {
	t.Helper()
	out := s.Must(s.Project, "status", "--why").Stdout
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		// date, clock, zone, agent, session, source, what was given, why
		if len(fields) > 6 && strings.HasPrefix(line, "20") && fields[3] == tool && (source == "" || fields[5] == source) {
			busy := decision == "full" && strings.Contains(line, "given by the hook client")         // on a machine so loaded that the daemon's answer was late
			if !slices.Contains(fields[5:7], decision) || !strings.Contains(line, reason) && !busy { // no source, no column
				t.Errorf("decided %q, want %s because of %s", line, decision, reason)
			}
			return
		}
	}
	t.Errorf("nothing was decided about %s of %s:\n%s", source, tool, out)
}
