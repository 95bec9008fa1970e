package continuity

import (
	"reflect"
	"testing"

	"github.com/carryover-go/carryover/modules/ledger"
)

func TestFields(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want Fields
	}{
		"names of any case, singular and short": {
			"TASK: a\ncompleted: b; c\nIn Progress: d\nBlocked: e\nnext: f\nDecision: g because h\nuncertain: i\nFile: j.go:10-20",
			Fields{
				CurrentTask: "a", Completed: []string{"b", "c"}, InProgress: []string{"d"}, Blocked: []string{"e"}, NextSteps: []string{"f"},
				Decisions: []ledger.AgentChose{{Decision: "g", Reasoning: "h"}}, Uncertain: []string{"i"},
				Files: []ledger.FileRange{{Path: "j.go", Lines: "10-20"}},
			},
		},
		"lists": {
			"Completed:\n- a\n* b\n1. c\n- [x] d\nNext steps:\n- e which is\n  long\n- f",
			Fields{Completed: []string{"a", "b", "c", "d"}, NextSteps: []string{"e which is long", "f"}},
		},
		"values on lines of their own": {"Completed:\na\nb\n\nNext steps:\nc", Fields{Completed: []string{"a", "b"}, NextSteps: []string{"c"}}},
		"a list within a line": {
			"Completed: User model, JWT utils\nNext steps: a",
			Fields{Completed: []string{"User model", "JWT utils"}, NextSteps: []string{"a"}},
		},
		"a sentence with a comma": {
			"Completed: the till checks the date now, as was asked for by the shop",
			Fields{Completed: []string{"the till checks the date now, as was asked for by the shop"}},
		},
		"all on one line": {
			"Current task: a b; Completed: c; Next steps: d",
			Fields{CurrentTask: "a b", Completed: []string{"c"}, NextSteps: []string{"d"}},
		},
		"decorated names": {"**Current task:** a\n- **Next steps**: b\n## Blocked:\n- c", Fields{CurrentTask: "a", NextSteps: []string{"b"}, Blocked: []string{"c"}}},
		"files":           {"Files: `a.go:10-20`, b.go c.go:5,7-9", Fields{Files: []ledger.FileRange{{Path: "a.go", Lines: "10-20"}, {Path: "b.go"}, {Path: "c.go", Lines: "5,7-9"}}}},
		"nothing to say":  {"Task: a\nBlocked: none\nUncertain: n/a", Fields{CurrentTask: "a", Blocked: []string{}}},
		"no field at all": {"I did this\nand that", Fields{Notes: []string{"I did this", "and that"}}},
		"an unknown name": {"Mood: fine\nTask: a", Fields{CurrentTask: "a", Notes: []string{"Mood: fine"}}},
	} {
		if got := ParseFields(test.text); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s:\n got %+v\nwant %+v", name, got, test.want)
		}
	}
}

func FuzzFields(f *testing.F) {
	f.Add("Task: a\n- b\nFiles: c:1")
	f.Fuzz(func(_ *testing.T, text string) {
		ParseFields(text)
		Find(linesOf(text))
	})
}
