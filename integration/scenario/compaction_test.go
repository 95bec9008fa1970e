package scenario

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/integration/mockmodel"
)

// At a terminal a person has the context compacted on purpose: the next prompt
// brings the session's own work back, once, and asks for a sentence on it.
func TestAfterACompactionOnPurpose(t *testing.T) {
	for tool, says := range map[string]struct{ command, done string }{
		"codex":       {"/compact", "Context compacted"},
		"copilot-cli": {"/compact", "Compaction completed"},
		"gemini-cli":  {"/compress", "Chat history compressed"},
		"opencode":    {"/compact", "SUMMARY-OF-THE-MODEL"},
	} {
		t.Run(tool, func(t *testing.T) {
			s := newStage(t, tool)
			s.work()
			term := s.open(tool)
			term.Say(request)
			term.Shows("still fails")
			term.Say(says.command)
			term.Shows(says.done)
			if len(s.model.Requests(mockmodel.Compact)) == 0 {
				t.Fatal("the model was asked for no summary")
			}
			s.model.Forget()
			term.Press("-l", "Where were we, then.")
			term.Shows("Where were we, then.")
			term.PressUntil("Done.", "Enter") // Gemini CLI takes no Enter for a while after a cut
			text := s.first(t)
			for _, want := range []string{
				mockmodel.Summary, "RESUME PROTOCOL: seam", "cut on purpose", "Add a date parser in parser.py", "`python3 test_parser.py`, exit code 1",
			} {
				if !strings.Contains(text, want) {
					t.Errorf("the request after the compaction lacks %q:\n%s", want, excerpt(text))
				}
			}
			if n := strings.Count(text, sentinel); n != 1 {
				t.Errorf("what was lost is in the request %d times", n)
			}
			if tool != "opencode" { // it reads a file and asks for nothing
				s.decided(t, tool, "compact", "seam", "the session's own work is given back")
			}
		})
	}
}
