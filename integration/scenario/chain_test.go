package scenario

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/integration/mockmodel"
	"github.com/carryover-go/carryover/integration/runner"
)

// offer is how an agent answers a greeting when it was given a handoff.
const offer = "The date parser is written, its test still fails. Shall I continue, or do something else?"

// look is one session in which nothing is worked on: what the person types, and
// what the screen shows then.
type look struct {
	tool  string
	lines [][2]string
}

// looks are the sessions between two of work: greetings, dismissals of the
// offer, a compaction, and programs that are opened and closed.
var looks = []look{
	{"codex", [][2]string{{"hello", offer}}},
	{"gemini-cli", [][2]string{{"hi", offer}, {"no thanks", "All right."}}},
	{"claude-code", nil},
	{"codex", [][2]string{{"hello hello", offer}, {"/compact", "Context compacted"}, {"hello again", offer}}},
	{"gemini-cli", nil},
	{"claude-code", [][2]string{{"hi", offer}, {"No, not now.", "All right."}}},
	{"codex", nil},
	{"claude-code", [][2]string{{"hello", offer}}},
}

// Ten sessions in a row of three tools. However many look in between, the work
// of the first is what each of them is given, and the last.
func TestTenSessionsKeepTheWork(t *testing.T) {
	t.Parallel()
	s := newStage(t, "claude-code", "codex", "gemini-cli")
	s.work()
	for _, greeting := range []string{"hello", "hi", "hello hello", "hello again"} {
		s.model.Add(mockmodel.Script{Prompt: greeting, Steps: []mockmodel.Step{mockmodel.Say(offer)}})
	}
	for _, no := range []string{"no thanks", "No, not now."} {
		s.model.Add(mockmodel.Script{Prompt: no, Steps: []mockmodel.Step{mockmodel.Say("All right.")}})
	}
	quietAboutUs(t, s.agents["claude-code"].Prompt(s.Project, request))
	file := filepath.Join(s.Project, ".carryover", "handoff.md")
	eventually(t, "the handoff of the work is in the project", func() bool { return strings.Contains(s.Read(file), nextAction) })
	want := bodyOf(s.Read(file))

	for n, look := range looks {
		for _, text := range s.looksIn(look) {
			t.Logf("session %d, %s, was given\n%s", n+2, look.tool, handoffIn(text))
			handsOver(t, text)
			if got := bodyOf(text); got != want {
				t.Errorf("session %d, %s, was given\n%s\nwant\n%s", n+2, look.tool, got, want)
			}
		}
	}
	if got := bodyOf(s.Read(file)); got != want {
		t.Errorf("the project holds\n%s\nwant\n%s", got, want)
	}
	if out := s.Must(s.Project, "history").Stdout; strings.Count(out, "date parser") != 1 {
		t.Errorf("the history has more than the work:\n%s", out)
	}
	s.model.Forget()
	quietAboutUs(t, s.agents["codex"].Prompt(s.Project, "What is the state of things?"))
	text := s.first(t)
	t.Logf("the last one was given\n%s", handoffIn(text))
	carries(t, text)
}

// looksIn opens an agent, types the lines and closes it. Returned are the first
// request, and the first one after a compaction.
func (s *stage) looksIn(look look) (texts []string) {
	s.model.Forget()
	term := s.open(look.tool)
	defer term.Kill()
	asked := func() {
		if requests := s.model.Requests(mockmodel.Turn); len(requests) > 0 {
			texts = append(texts, requests[0].Text())
		}
	}
	for _, line := range look.lines {
		if strings.HasPrefix(line[0], "/") {
			asked()
		}
		s.answers(term, line[0], line[1])
		if strings.HasPrefix(line[0], "/") {
			s.model.Forget()
		}
	}
	asked()
	return texts
}

// answers types a line and sends it until the model was asked and the screen
// shows the answer.
func (s *stage) answers(term *runner.Terminal, line, answer string) {
	before := len(s.model.Requests(""))
	s.sayUntil(term, line, answer, func() bool {
		return len(s.model.Requests("")) > before && strings.Contains(strings.Join(strings.Fields(term.Screen()), " "), answer)
	})
}

// handoffIn is the handoff in a request.
func handoffIn(text string) string {
	handoff, rest, _ := strings.Cut(text[max(0, strings.Index(text, sentinel)):], "## Full history\n")
	line, _, _ := strings.Cut(rest, "\n")
	return handoff + line
}

// bodyOf is a handoff without its header, inside of a longer text.
func bodyOf(text string) string {
	_, body, _ := strings.Cut(text, "## Task\n")
	body, rest, _ := strings.Cut(body, "## Full history\n")
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(body) + "\n" + strings.TrimSpace(line)
}
