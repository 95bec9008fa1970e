package scenario

import (
	"slices"
	"strings"
	"time"

	"github.com/carryover-go/carryover/integration/mockmodel"
	"github.com/carryover-go/carryover/integration/runner"
)

// open starts an agent at a terminal, with nothing it asks before it works.
func (s *stage) open(tool string) *runner.Terminal {
	term := s.agents[tool].Open(s.Project, s.Spec(tool).Terminal.Args...)
	s.answerFirstStart(tool, term)
	return term
}

// say types a line and sends it until the screen shows an answer.
func (s *stage) say(term *runner.Terminal, line, answer string) {
	s.sayUntil(term, line, answer, func() bool { return strings.Contains(term.Screen(), answer) })
}

// sayUntil is say where something else than the screen tells of the answer: some programs
// take no Enter for a while, and Codex takes no command while it works.
func (s *stage) sayUntil(term *runner.Terminal, line, answer string, arrived func() bool) {
	if strings.HasPrefix(line, "/") {
		term.Rest()
	}
	refused, before := strings.Count(term.Screen(), busy), len(s.model.Requests(mockmodel.Turn))
	for tries := 0; ; tries++ {
		term.Type(line)
		term.SendUntil(answer, func() bool {
			return arrived() || s.wasAsked(line, before) && within(slow, arrived) || tries < 3 && strings.Count(term.Screen(), busy) > refused
		})
		if now := strings.Count(term.Screen(), busy); arrived() || now <= refused {
			return
		}
		refused++
	}
}

// wasAsked says that the model got a line, after so many requests: its Enter was taken,
// and another one would answer what is slow to come on the screen.
func (s *stage) wasAsked(line string, before int) bool {
	requests := s.model.Requests(mockmodel.Turn)
	return slices.ContainsFunc(requests[min(before, len(requests)):], func(r mockmodel.Request) bool { return strings.Contains(r.Text(), line) })
}

// slow is how long a screen may take for what the model said, on a busy machine.
const slow = 60 * time.Second

// busy is what Codex says to a command that comes while its turn has not quite ended,
// though the reply is on the screen (0.169.0).
const busy = "is disabled while a task is in progress"

// ask is say with a prompt that no script knows.
func (s *stage) ask(term *runner.Terminal, line string) { s.say(term, line, "Done.") }

// begin starts a new session with a command of the agent's own; something of
// the old one leaves the screen then.
func (s *stage) begin(term *runner.Terminal, command, old string) {
	term.Rest() // one that comes before the turn has quite ended may be the old session's (seen with Copilot CLI 1.0.102)
	term.Type(command)
	term.PressAway(old, "Enter")
}

// answerFirstStart answers what an agent asks at its first start.
func (s *stage) answerFirstStart(tool string, term *runner.Terminal) {
	known := s.Spec(tool).Terminal
	if known.Asks != "" {
		term.Shows(known.Asks)
		term.Press("Enter")
	}
	term.Shows(known.Ready)
}
