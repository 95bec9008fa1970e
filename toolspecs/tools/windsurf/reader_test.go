package windsurf

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func read(t *testing.T, lines ...string) transcript.Batch {
	t.Helper()
	table, failed := toolspecs.Load(nil)
	for _, err := range failed {
		t.Fatal(err)
	}
	spec, err := table.Lookup("windsurf")
	if err != nil {
		t.Fatal(err)
	}
	decoder, err := New(spec).Decode(transcript.Source{}, strings.NewReader(strings.Join(lines, "\n")+"\n"), transcript.Position{})
	if err != nil {
		t.Fatal(err)
	}
	batch, err := decoder.Next()
	if err != nil {
		t.Fatal(err)
	}
	return batch
}

func payloadOf(action, info string) string {
	return `{"agent_action_name":"` + action + `","trajectory_id":"t1","execution_id":"e1","timestamp":"2026-03-10T09:00:00Z","tool_info":` + info + `}`
}

// A command is told once it has ended, and how is not told.
func TestCommand_HappenedAndItsResultIsNotSeen(t *testing.T) {
	batch := read(t, payloadOf("post_run_command", `{"command_line":"git commit -m done","cwd":"/home/dev/notes"}`))
	var call *transcript.CallInfo
	var result *transcript.ResultInfo
	for _, event := range batch.Events {
		if event.Kind == transcript.Call {
			call = event.Call
		}
		if event.Kind == transcript.Result {
			result = event.Result
		}
	}
	if call == nil || call.Command != "git commit -m done" || result == nil || result.CallID != call.ID || !result.Unseen || result.Failed {
		t.Errorf("call %+v, result %+v", call, result)
	}
}

// Nothing in a payload is an id: what comes twice has one all the same.
func TestPayload_ThatComesTwiceIsOneEvent(t *testing.T) {
	line := payloadOf("post_run_command", `{"command_line":"make","cwd":"/home/dev/notes"}`)
	ids := map[string]int{}
	for _, event := range read(t, line, line).Events {
		if event.Kind == transcript.Call {
			ids[event.ID]++
		}
	}
	if len(ids) != 1 {
		t.Errorf("the ids are %v", ids)
	}
}

func TestPayload_WithoutASessionIsBroken(t *testing.T) {
	batch := read(t, `{"agent_action_name":"post_run_command","tool_info":{}}`)
	if len(batch.Events) != 0 || batch.Coverage.Broken != 1 {
		t.Errorf("%d events, coverage %+v", len(batch.Events), batch.Coverage)
	}
}
