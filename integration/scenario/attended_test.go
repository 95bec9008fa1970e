package scenario

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/integration/mockmodel"
	"github.com/carryover-go/carryover/integration/runner"
)

// ofTheParser are what the model wants of a person in each scene: an answer, a
// yes to a plan, and a command that nobody would wait for.
func ofTheParser(ask mockmodel.Step, plan ...mockmodel.Step) []mockmodel.Script {
	return []mockmodel.Script{
		{Prompt: "Ask me about the dates", Steps: []mockmodel.Step{ask, mockmodel.Say("It takes dates as in mail.")}},
		{Prompt: "Plan the parser", Steps: append(plan, mockmodel.Say("The plan stands."))},
		{Prompt: "Try it on the archive", Steps: []mockmodel.Step{mockmodel.Run("tail -f /dev/null")}},
	}
}

// question is a call of an agent's own tool with one question; also holds what
// some agents want of it beside.
func question(tool string, also map[string]any) mockmodel.Step {
	asked := map[string]any{
		"question": "Which date format should the parser take?", "header": "Format",
		"options": []map[string]any{{"label": "ISO 8601", "description": "strict"}, {"label": "RFC 2822", "description": "as in mail"}},
	}
	for name, value := range also {
		asked[name] = value
	}
	return mockmodel.Use(tool, map[string]any{"questions": []map[string]any{asked}})
}

// answersInMail picks the second answer, which the screen then marks so.
func (s *stage) answersInMail(t *testing.T, term *runner.Terminal, marked string) {
	t.Helper()
	term.Shows("Which date format", "RFC 2822")
	term.PressUntil(marked, "Down")
	term.Send("It takes dates as in mail.")
	s.waitForEvent(t, "decision", "Which date format should the parser take?", "RFC 2822")
}

// startsAnew begins a session with a command of the agent's own, and asserts
// that it is given what was decided and asked for, once.
func (s *stage) startsAnew(t *testing.T, term *runner.Terminal, command string, words ...string) {
	t.Helper()
	s.model.Forget()
	s.begin(term, command, "It takes dates as in mail.")
	s.ask(term, "How do things stand by now.")
	text := s.first(t)
	for _, want := range append(words, "Which date format should the parser take?", "RFC 2822") {
		if !strings.Contains(text, want) {
			t.Errorf("the new session's request lacks %q:\n%s", want, excerpt(text))
		}
	}
	if n := strings.Count(text, "Which date format should the parser take? →"); n != 1 {
		t.Errorf("the answer is given %d times", n)
	}
	if n := strings.Count(text, sentinel); n != 1 {
		t.Errorf("the handoff is in the request %d times", n)
	}
}

// A person at Codex, where the model asks in plan mode only, and a plan is part
// of a reply.
func TestAPersonAtCodex(t *testing.T) {
	t.Parallel()
	s := newStage(t, "codex")
	scripts := ofTheParser(question("request_user_input", map[string]any{"id": "format"}))
	scripts[1].Steps = []mockmodel.Step{mockmodel.Say("<proposed_plan>\n# The parser\n\n1. Write mail_dates.py\n2. Test it on old mail\n</proposed_plan>")}
	s.model.Add(scripts...)
	term := s.open("codex")
	term.PressUntil("Plan mode (shift", "BTab")
	term.Say("Ask me about the dates of the parser.")
	s.answersInMail(t, term, "› 2. ")

	term.Say("Plan the parser for the archive.")
	term.Shows("Implement this plan?", "Write mail_dates.py")
	term.Send("Implement the plan.")
	s.waitForEvent(t, "plan", "Write mail_dates.py")

	term.Say("Try it on the archive of mail.")
	term.Shows("esc to interrupt")
	eventually(t, "the command runs", func() bool {
		requests := s.model.Requests(mockmodel.Turn)
		return strings.Contains(requests[len(requests)-1].Text(), "Try it on the archive of mail.")
	})
	term.PressUntil("interrupted", "Escape")
	s.waitForEvent(t, "interrupted")

	s.startsAnew(t, term, "/clear", "RESUME PROTOCOL: ask", "Try it on the archive of mail.")
	s.decided(t, "codex", "clear", "full", "resume mode ask")
}

// A person at Copilot CLI.
func TestAPersonAtCopilot(t *testing.T) {
	t.Parallel()
	s := newStage(t, "copilot-cli")
	s.model.Add(ofTheParser(mockmodel.Use("ask_user", map[string]any{
		"message": "Which date format should the parser take?",
		"requestedSchema": map[string]any{"properties": map[string]any{
			"format": map[string]any{"type": "string", "title": "Format", "enum": []string{"ISO 8601", "RFC 2822"}},
		}},
	}), mockmodel.Use("exit_plan_mode", map[string]any{"summary": "- Write mail_dates.py\n- Test it on old mail"}))...)
	term := s.open("copilot-cli")
	term.Say("Ask me about the dates of the parser.")
	s.answersInMail(t, term, "❯ RFC 2822")

	term.PressUntil("· Plan ·", "BTab")
	term.Say("Plan the parser for the archive.")
	term.Shows("Plan Ready for Review", "Write mail_dates.py")
	term.PressUntil("❯ 2. ", "Down")
	term.Send("Plan approved!")
	s.waitForEvent(t, "decision", "Write mail_dates.py", "approved")

	term.Say("Try it on the archive of mail.")
	term.Shows("tail -f /dev/null")
	term.PressTwiceUntil("Operation cancelled", "Escape")
	s.waitForEvent(t, "interrupted")

	s.startsAnew(t, term, "/clear", "RESUME PROTOCOL: ask", "Try it on the archive of mail.")
	s.decided(t, "copilot-cli", "", "full", "resume mode ask")
}

// A person at Gemini CLI.
func TestAPersonAtGemini(t *testing.T) {
	t.Parallel()
	s := newStage(t, "gemini-cli")
	s.model.Add(ofTheParser(
		question("ask_user", map[string]any{"type": "choice"}),
		mockmodel.Write(mockmodel.PlanFile, "# The parser\n\n1. Write mail_dates.py\n2. Test it on old mail\n"),
		mockmodel.Use("exit_plan_mode", map[string]any{"plan_filename": mockmodel.PlanName}),
	)...)
	term := s.open("gemini-cli")
	s.say(term, "Ask me about the dates of the parser.", "RFC 2822")
	s.answersInMail(t, term, "● 2. ")

	term.PressUntil("plan Shift+Tab", "BTab")
	s.say(term, "Plan the parser for the archive.", "Yes, automatically accept edits")
	term.Send("The plan stands.")
	s.waitForEvent(t, "decision", "plan.md", "approved")

	s.say(term, "Try it on the archive of mail.", "Allow execution")
	term.Send("esc to cancel")
	term.Press("Escape")
	term.Shows("Request cancelled")
	s.waitForEvent(t, "interrupted")

	s.startsAnew(t, term, "/clear", "RESUME PROTOCOL: ask", "Try it on the archive of mail.", "plan: The parser")
	s.decided(t, "gemini-cli", "", "full", "resume mode ask")
}

// A person at OpenCode, which asks no hook: what is new stands in the file that
// it reads with each request.
func TestAPersonAtOpenCode(t *testing.T) {
	t.Parallel()
	s := newStage(t, "opencode")
	s.model.Add(ofTheParser(question("question", nil))...)
	term := s.open("opencode")
	s.say(term, "Ask me about the dates of the parser.", "esc dismiss")
	term.Press("Down") // nothing in the text shows which one is marked
	term.Send("It takes dates as in mail.")
	term.Say("Try it on the archive of mail.")
	term.Shows("tail -f /dev/null", "esc interrupt")
	term.PressUntil("interrupted", "Escape")
	s.startsAnew(t, term, "/new", "Try it on the archive of mail.")
}
