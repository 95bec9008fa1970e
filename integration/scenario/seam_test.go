package scenario

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/integration/mockmodel"
)

// filling is a turn of several calls; the second answer reports a context of
// so many tokens, the third of what is left of it then.
func (s *stage) filling(tokens, then int) {
	parser := filepath.Join(s.Project, "parser.py")
	full := mockmodel.Run("cd " + s.Project + " && python3 -c 'import parser'")
	full.Tokens = tokens
	next := mockmodel.Run("cd " + s.Project + " && python3 -c 'import parser; assert parser.parse(\"2026\") == 1'")
	next.Tokens = then
	s.model.Add(mockmodel.Script{Prompt: "Add a date parser", Steps: []mockmodel.Step{
		mockmodel.Write(parser, "def parse(text):\n    return text.split('-')\n"),
		full,
		next,
		mockmodel.Say("The parser is there.\n\nNext: convert the parts to int in parser.py."),
	}})
}

// nearly is a context that is at 75 % of the window of the model that each
// agent runs with here.
var nearly = map[string]int{"claude-code": 750_000, "codex": 195_000, "gemini-cli": 790_000}

// In mid-turn the model is told once that its context fills up.
func TestAFillingContextIsToldOnce(t *testing.T) {
	for tool, tokens := range nearly {
		t.Run(tool, func(t *testing.T) {
			s := newStage(t, tool)
			s.filling(tokens, tokens)
			quietAboutUs(t, s.agents[tool].Prompt(s.Project, request))
			requests := s.model.Requests(mockmodel.Turn)
			last := requests[len(requests)-1].Text()
			if n := strings.Count(last, sentinel+" This context holds "); n != 1 {
				t.Errorf("the last of %d requests holds the notice %d times", len(requests), n)
			}
			if strings.Contains(requests[0].Text(), sentinel) {
				t.Error("the first request holds it already")
			}
		})
	}
}
