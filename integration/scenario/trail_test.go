package scenario

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/integration/mockmodel"
	"github.com/carryover-go/carryover/integration/runner"
)

// recorded is what is asked of a handoff that the real `trail` CLI gave.
type recorded struct {
	AgentName, CLI, Summary, TaskDescription, TriggerReason string
	CompletedWork                                           []string
	Decisions                                               []struct{ Question, Decision, Reasoning string }
	Confidence                                              float64
}

// leave is a shell script that leaves a trail, and a second one that is not
// finished.
const leave = `set -e
trail start 'Parse the mail archive' --agent codex --quiet
trail decision 'Parts are int' --reasoning 'they are compared' --alternatives 'strings,time.Time'
trail complete --summary 'Dates are parsed' --confidence 0.8
trail start 'Convert the parts' --agent codex --quiet
`

// A trajectory of the real `trail` becomes a handoff when it is completed, of
// an agent under `carryover run` and of any other.
func TestTrajectoriesBecomeHandoffs(t *testing.T) {
	t.Parallel()
	trail := runner.Trail(t)
	for name, test := range map[string]struct {
		tools []string
		agent string // whose handoff it becomes
		do    func(s *stage)
	}{
		"under carryover run": {nil, "mailer", func(s *stage) {
			out := s.Run(s.Project, s.Env("PATH="+trail), filepath.Join(runner.Programs(t), "carryover"), "run", "--name", "mailer", "--", "sh", "-c", leave)
			if out.Code != 0 {
				t.Fatalf("%+v", out)
			}
		}},
		"by an agent that is wired": {[]string{"claude-code"}, "codex", func(s *stage) {
			s.model.Add(mockmodel.Script{Prompt: "Leave a trail", Steps: []mockmodel.Step{mockmodel.Run("export PATH='" + trail + "'\n" + leave), mockmodel.Say("Done.")}})
			s.agents["claude-code"].Prompt(s.Project, "Leave a trail, please.")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, test.tools...)
			test.do(s)
			var list struct{ Items []recorded }
			eventually(t, "the trajectory to be a handoff", func() bool {
				out := s.Carryover(s.Project, "continuity", "handoffs", test.agent, "--json").Stdout
				return json.Unmarshal([]byte(out), &list) == nil && strings.Contains(out, "trajectory_complete")
			})
			for _, h := range list.Items {
				if h.TriggerReason != "trajectory_complete" {
					continue
				}
				if h.Summary != "Dates are parsed" || h.TaskDescription != "Parse the mail archive" || h.CLI != "codex" || h.Confidence != 0.8 ||
					len(h.CompletedWork) != 1 || len(h.Decisions) != 1 || h.Decisions[0].Decision != "Parts are int" || h.Decisions[0].Reasoning != "they are compared" {
					t.Errorf("the handoff is %+v", h)
				}
			}
			ledger := s.Carryover(s.Project, "continuity", "ledger", test.agent).Stdout
			if !strings.Contains(ledger, "Convert the parts") {
				t.Errorf("the ledger does not say what is at work:\n%s", ledger)
			}
		})
	}
}
