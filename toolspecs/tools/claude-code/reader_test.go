package claudecode_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/spectest"
	claudecode "github.com/carryover-go/carryover/toolspecs/tools/claude-code"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func read(t *testing.T, path, text string) []transcript.Located {
	t.Helper()
	table, _ := toolspecs.Load(nil)
	spec, err := table.Lookup("claude-code")
	if err != nil {
		t.Fatal(err)
	}
	source := transcript.Source{Tool: spec.Tool, Path: path}
	events, _, _, err := spectest.ReadAll(claudecode.New(spec), source, []byte(text), transcript.Position{})
	if err != nil {
		t.Fatal(err)
	}
	return events
}

// A fork is a new file with the old lines under a new session: the ledger knows
// them again by their ids.
func TestForkCopiesKeepTheirIDs(t *testing.T) {
	found, err := spectest.Fixtures("claude-code")
	if err != nil {
		t.Fatal(err)
	}
	const original, fork = "5a7c1d00-0000-4000-8000-000000000001", "5a7c1d00-0000-4000-8000-0000000000ff"
	for _, fixture := range found {
		if fixture.Name != "work.jsonl" {
			continue
		}
		before := read(t, original+".jsonl", string(fixture.Data))
		// What stands before the copied lines must not matter.
		after := read(t, fork+".jsonl", `{"type":"mode","sessionId":"`+fork+`"}`+"\n"+strings.ReplaceAll(string(fixture.Data), original, fork))
		if len(before) != len(after) {
			t.Fatalf("%d events and %d in the fork", len(before), len(after))
		}
		for i := range before {
			if before[i].Kind == transcript.Title {
				continue // titles have no id of their own
			}
			if before[i].ID != after[i].ID || after[i].Session != fork {
				t.Errorf("line %d: %s became %s of %s", before[i].Ref.Line, before[i].ID, after[i].ID, after[i].Session)
			}
		}
	}
}

func TestSubagentFilesBelongToTheirParent(t *testing.T) {
	const line = `{"type":"user","uuid":"u","sessionId":"parent","cwd":"/p","message":{"role":"user","content":"look"}}`
	events := read(t, "/home/dev/.claude/projects/x/parent/subagents/agent-a1.jsonl", line)
	if len(events) != 1 || events[0].Session != "parent" || !events[0].Subagent || events[0].Origin != transcript.Injected {
		t.Errorf("events: %+v", events)
	}
}

func TestSummary_IsKnownWithoutItsFlagWhereItBeginsASession(t *testing.T) {
	const begin = `{"type":"user","uuid":"u1","sessionId":"s","cwd":"/p","parentUuid":%s,"message":{"role":"user","content":"This session is being continued from a previous conversation that ran out of context.\nSummary:\n1. Primary Request and Intent:\n   Port the parser."}}`
	events := read(t, "s.jsonl", strings.Replace(begin, "%s", "null", 1))
	if i := len(events) - 1; i < 0 || events[i].Kind != transcript.Compacted || !strings.Contains(events[i].Text, "Port the parser") {
		t.Errorf("events: %+v", events)
	}
	events = read(t, "s.jsonl", strings.Replace(begin, "%s", `"u0"`, 1))
	if i := len(events) - 1; i < 0 || events[i].Kind != transcript.Prompt {
		t.Errorf("behind another record it is what somebody pasted: %+v", events)
	}
}

func TestStateStaysSmallWhateverComes(t *testing.T) {
	long := strings.Repeat("long ", 4000)
	var text strings.Builder
	for range 100 {
		text.WriteString(`{"type":"assistant","uuid":"` + long + `","sessionId":"s","message":{"id":"` + long + `","content":[{"type":"tool_use","id":"` + long + `","name":"TaskCreate","input":{"subject":"` + long + `"}}]}}` + "\n")
		text.WriteString(`{"type":"queue-operation","operation":"enqueue","content":"` + long + `"}` + "\n")
	}
	if events := read(t, "x.jsonl", text.String()); len(events) == 0 { // ReadAll refuses a state that is too large
		t.Error("nothing was read")
	}
}

// A prompt of plan mode says so, where the person wrote it.
func TestPromptsOfPlanMode(t *testing.T) {
	const line = `{"type":"user","uuid":"u","sessionId":"s","cwd":"/p","permissionMode":"%s","message":{"role":"user","content":"Make the paths absolute"}}`
	for mode, planning := range map[string]bool{"plan": true, "acceptEdits": false, "": false} {
		events := read(t, "s.jsonl", strings.Replace(line, "%s", mode, 1))
		if prompt := events[len(events)-1]; prompt.Kind != transcript.Prompt || prompt.Planning != planning {
			t.Errorf("%q: %+v", mode, prompt)
		}
	}
}
