package scenario

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/integration/mockmodel"
)

// A prompt is answered once: what the second request of a turn, and a resumed
// session, carry is the first answer and no other.
func TestFurtherAgentsAreAnsweredOnce(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"gemini-cli", "copilot-cli"} {
		t.Run(tool, func(t *testing.T) {
			s := newStage(t, tool, "claude-code")
			s.work()
			s.agents["claude-code"].Prompt(s.Project, request)
			s.model.Add(mockmodel.Script{Prompt: "Look at the state of things", Steps: []mockmodel.Step{
				mockmodel.Run("ls"), mockmodel.Say("Two files."),
			}})
			s.model.Forget()
			s.agents[tool].Prompt(s.Project, "Look at the state of things.")
			for n, request := range s.model.Requests(mockmodel.Turn) {
				if given := strings.Count(request.Text(), sentinel); given != 1 {
					t.Errorf("request %d of the turn carries %d handoffs", n+1, given)
				}
			}
		})
	}
}

// Who resumes a session has its history: nothing is given again.
func TestFurtherAgentsResumeWithoutTheHandoff(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"gemini-cli", "copilot-cli"} {
		t.Run(tool, func(t *testing.T) {
			s := newStage(t, tool)
			s.work()
			agent := s.agents[tool]
			agent.Prompt(s.Project, request)
			s.model.Forget()
			quietAboutUs(t, agent.Resume(s.Project, s.Sessions(tool)[0], "Go on for a moment."))
			text := s.first(t)
			if !strings.Contains(text, request) {
				t.Fatalf("the request lacks the session's history:\n%s", excerpt(text))
			}
			carriesNothing(t, text)
		})
	}
}

// After a compaction in Copilot CLI the next prompt brings the session's own
// work back.
func TestAfterACompactionCopilotIsGivenItsWork(t *testing.T) {
	t.Parallel()
	s := newStage(t, "copilot-cli")
	s.work()
	s.model.Add(mockmodel.Script{Prompt: "Read a lot", Steps: []mockmodel.Step{
		{Calls: []mockmodel.Call{{Run: "seq 1 100"}}, Tokens: 19_500},
		// It compacts beside the turn, and gives up when the turn ends first.
		mockmodel.Run("sleep 2"),
		mockmodel.Run("true"),
		mockmodel.Say("Much was read.\n\nNext: convert the parts to int in parser.py."),
	}})
	copilot := s.agents["copilot-cli"]
	copilot.Extra = []string{"COPILOT_PROVIDER_MAX_PROMPT_TOKENS=20000"}
	copilot.Prompt(s.Project, request)
	session := s.Sessions("copilot-cli")[0]
	copilot.Resume(s.Project, session, "Read a lot.")
	if len(s.model.Requests(mockmodel.Compact)) == 0 {
		t.Fatal("nothing was compacted")
	}
	s.model.Forget()
	quietAboutUs(t, copilot.Resume(s.Project, session, "Where were we?"))
	text := s.first(t)
	for _, want := range []string{sentinel, "RESUME PROTOCOL: seam", "python3 test_parser.py"} {
		if !strings.Contains(text, want) {
			t.Errorf("the request after the compaction lacks %q:\n%s", want, excerpt(text))
		}
	}
}
