package scenario

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/integration/mockmodel"
)

// filling is a turn of several calls; the second answer reports a context of
// so many tokens, the third, which comes once a condition holds, of what is
// left of it then.
func (s *stage) filling(tokens, then int, when func() bool) {
	parser := filepath.Join(s.Project, "parser.py")
	full := mockmodel.Run("cd " + s.Project + " && python3 -c 'import parser'")
	full.Tokens = tokens
	next := mockmodel.Run("cd " + s.Project + " && python3 -c 'import parser; assert parser.parse(\"2026\") == 1'")
	next.Tokens = then
	s.model.Add(mockmodel.Script{Prompt: "Add a date parser", Steps: []mockmodel.Step{
		mockmodel.Write(parser, "def parse(text):\n    return text.split('-')\n"),
		full,
		next.After(when),
		mockmodel.Say("The parser is there.\n\nNext: convert the parts to int in parser.py."),
	}})
}

// nearly is a context that is at 75 % of the window of the model that each
// agent runs with here.
var nearly = map[string]int{"claude-code": 750_000, "codex": 195_000, "copilot-cli": 15_000, "gemini-cli": 790_000, "opencode": 75_000}

// In mid-turn the model gets once that its context fills up.
func TestAFillingContextIsToldOnce(t *testing.T) {
	t.Parallel()
	for tool, tokens := range nearly {
		t.Run(tool, func(t *testing.T) {
			s := newStage(t, tool)
			s.filling(tokens, tokens, s.canTell(tool))
			quietAboutUs(t, s.agents[tool].Prompt(s.Project, request))
			requests := s.model.Requests(mockmodel.Turn)
			last := requests[len(requests)-1].Text()
			if n := strings.Count(last, notice); n != 1 {
				t.Errorf("the last of %d requests holds the notice %d times", len(requests), n)
			}
			if strings.Contains(requests[0].Text(), notice) {
				t.Error("the first request holds it already")
			}
			s.model.Forget()
			quietAboutUs(t, s.agents[tool].Continue(s.Project, "Where were we?"))
			_, after, prompted := strings.Cut(s.first(t), "Where were we?")
			if !prompted || strings.Contains(after, notice) {
				t.Errorf("the next prompt brings it again:\n%s", excerpt(after))
			}
		})
	}
}

// notice begins the words on a context that fills up.
const notice = "This context holds "

// canTell prepares what an agent needs so that we know how full its context
// is, and says when we can have given it: a model takes its seconds, in which
// the transcript or our file is written.
func (s *stage) canTell(tool string) func() bool {
	switch tool {
	case "copilot-cli":
		s.agents[tool].Extra = []string{"COPILOT_PROVIDER_MAX_PROMPT_TOKENS=20000"}
		return func() bool { return s.copilotWrote(`"inputTokens":15000`) }
	case "opencode": // its database does not say how large a window is; here it was learnt before
		s.Write(filepath.Join(s.Dir, ".carryover", "windows.json"), `{"stand-in": 100000}`)
		s.Must(s.Dir, "daemon", "restart")
		return func() bool {
			return strings.Contains(s.Read(filepath.Join(s.Project, ".carryover", "context.md")), notice)
		}
	}
	return nil
}

// copilotWrote says whether words stand in a transcript of Copilot CLI's.
func (s *stage) copilotWrote(words string) bool {
	files, _ := filepath.Glob(filepath.Join(s.Dir, ".copilot", "session-state", "*", "events.jsonl"))
	return slices.ContainsFunc(files, func(file string) bool { return strings.Contains(s.Read(file), words) })
}
