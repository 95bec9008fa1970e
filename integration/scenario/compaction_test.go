package scenario

import (
	"cmp"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/integration/mockmodel"
	"github.com/carryover-go/carryover/integration/runner"
	"github.com/carryover-go/carryover/toolspecs"
)

// At a terminal a person has the context compacted on purpose: the next prompt
// brings the session's own work back, once, and asks for a sentence on it.
func TestAfterACompactionOnPurpose(t *testing.T) {
	t.Parallel()
	for _, tool := range runner.Which(func(spec *toolspecs.Spec) bool { return spec.Terminal.Compact != "" }) {
		t.Run(tool, func(t *testing.T) {
			s := newStage(t, tool)
			known := s.Spec(tool).Terminal
			s.work()
			s.model.Add(mockmodel.Script{Prompt: "Where were we, then.", Steps: []mockmodel.Step{mockmodel.Say("Done.")}})
			term := s.open(tool)
			term.Say(request)
			term.Shows("still fails")
			s.say(term, known.Compact, cmp.Or(known.Compacted, mockmodel.Summary))
			if len(s.model.Requests(mockmodel.Compact)) == 0 {
				t.Fatal("the model was asked for no summary")
			}
			if tool == "opencode" { // a person is slower than the daemon; a test is not
				eventually(t, "the file that OpenCode reads tells of the compaction", func() bool {
					return strings.Contains(s.Read(filepath.Join(s.Project, ".carryover", "context.md")), "RESUME PROTOCOL: seam")
				})
			}
			s.model.Forget()
			s.ask(term, "Where were we, then.")
			text := s.first(t)
			for _, want := range []string{
				mockmodel.Summary, "RESUME PROTOCOL: seam", "compacted on request", "Add a date parser in parser.py", "`python3 test_parser.py`, exit code 1",
			} {
				if !strings.Contains(text, want) {
					t.Errorf("the request after the compaction lacks %q:\n%s", want, excerpt(text))
				}
			}
			if n := strings.Count(text, "RESUME PROTOCOL: "); n != 1 {
				t.Errorf("what was lost is in the request %d times", n)
			}
			if tool != "opencode" { // it reads a file and asks for nothing
				s.decided(t, tool, "compact", "seam", "the session's own work is given back")
			}
		})
	}
}

// Gemini CLI compresses between turns too: after the hook of the prompt that
// makes it. The prompt after that brings back what was lost, once.
func TestAfterACompressionAtAPrompt(t *testing.T) {
	t.Parallel()
	s := newStage(t, "gemini-cli")
	s.work()
	long := mockmodel.Say("Much was read.")
	long.Tokens = 600_000
	s.model.Add(mockmodel.Script{Prompt: "Read a lot", Steps: []mockmodel.Step{long}})
	term := s.open("gemini-cli")
	term.Say(request)
	term.Shows("still fails")
	s.says(t, term, "Read a lot.", "Much was read.")
	s.model.Forget()
	s.says(t, term, "Anything else.", "Done.")
	if len(s.model.Requests(mockmodel.Compact)) == 0 {
		t.Fatal("the model was asked for no summary")
	}
	if text := s.first(t); !strings.Contains(text, mockmodel.Summary) {
		t.Errorf("the prompt's own request is not after the compaction:\n%s", excerpt(text))
	}
	for _, prompt := range []string{"Where were we, then.", "And now."} {
		s.model.Forget()
		s.says(t, term, prompt, "Done.")
		text := s.first(t)
		if n := strings.Count(text, sentinel); n != 1 || !strings.Contains(text, "compacted automatically") {
			t.Errorf("the request of %q holds what was lost %d times:\n%s", prompt, n, excerpt(text))
		}
	}
}

// says types a prompt, sends it until the model is asked, and waits for the
// answer. Gemini CLI takes no Enter for a while after a compaction.
func (s *stage) says(t *testing.T, term *runner.Terminal, prompt, answer string) {
	t.Helper()
	before := len(s.model.Requests(mockmodel.Turn))
	term.Press("-l", prompt)
	term.Shows(prompt)
	pressed := time.Time{}
	eventually(t, "the model is asked "+prompt, func() bool {
		if time.Since(pressed) > 2*time.Second {
			term.Press("Enter")
			pressed = time.Now()
		}
		requests := s.model.Requests(mockmodel.Turn)
		return len(requests) > before && strings.Contains(requests[len(requests)-1].Text(), prompt)
	})
	term.Shows(answer)
}
