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

// A command is reported once it has ended; how it ended is not.
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

// What Cascade writes around an answer, and what it did, is not said.
func TestAnswer_IsReadWithoutItsFrame(t *testing.T) {
	response := `- (Always On) Triggered Rule: style\n\n### Planner Response\n\nDECISION: use Go over C because of memory\n\n\n\n### Code Action\n\ncreated a.go\n\n### Planner Response\n\nDone.`
	var said []string
	kinds := map[transcript.Kind]int{}
	for _, event := range read(t, payloadOf("post_cascade_response", `{"response":"`+response+`"}`)).Events {
		kinds[event.Kind]++
		if event.Kind == transcript.Reply {
			said = append(said, event.Text)
		}
	}
	if len(said) != 1 || said[0] != "DECISION: use Go over C because of memory\n\nDone." {
		t.Errorf("said is %q", said)
	}
	if kinds[transcript.Decided] != 1 || kinds[transcript.Turn] != 1 {
		t.Errorf("the events are %v", kinds)
	}
}

// A conversation is opened once, and again where its directory becomes known.
func TestSession_IsToldWhereItIsHeld(t *testing.T) {
	var dirs []string
	batch := read(t,
		payloadOf("pre_user_prompt", `{"user_prompt":"Sort the notes"}`),
		payloadOf("post_run_command", `{"command_line":"make","cwd":"/home/dev/notes"}`),
		payloadOf("post_run_command", `{"command_line":"ls","cwd":"/tmp"}`),
		payloadOf("post_setup_worktree", `{"worktree_path":"/home/dev/other"}`))
	for _, event := range batch.Events {
		if event.Kind == transcript.Session {
			dirs = append(dirs, event.WorkDir.Cwd)
		}
	}
	if strings.Join(dirs, " ") != " /home/dev/notes /home/dev/other" {
		t.Errorf("the places are %q", dirs)
	}
}

func TestPrompt_OurOwnWordsAreNone(t *testing.T) {
	batch := read(t, payloadOf("pre_user_prompt", `{"user_prompt":"# [CARRYOVER] Last updated"}`), payloadOf("pre_user_prompt", `{"user_prompt":"  "}`))
	for _, event := range batch.Events {
		if event.Kind == transcript.Prompt {
			t.Errorf("a prompt: %q", event.Text)
		}
	}
}

func TestEdit_CarriesItsText(t *testing.T) {
	batch := read(t, payloadOf("post_write_code", `{"file_path":"/home/dev/a.go","edits":[{"old_string":"a","new_string":"b"},{"old_string":"c","new_string":"d"}]}`))
	for _, event := range batch.Events {
		if event.Kind == transcript.Call && (event.Edit == nil || event.Edit.Before != "a\nc" || event.Edit.After != "b\nd") {
			t.Errorf("the edit is %+v", event.Edit)
		}
	}
}

func TestServerTool_IsNamedByItsServer(t *testing.T) {
	batch := read(t, payloadOf("post_mcp_tool_use", `{"mcp_server_name":"github","mcp_tool_name":"search","mcp_tool_arguments":{"query":"x"},"mcp_result":"two hits"}`))
	for _, event := range batch.Events {
		if event.Kind == transcript.Call && event.Call.Name != "mcp__github__search" {
			t.Errorf("the call is %+v", event.Call)
		}
		if event.Kind == transcript.Result && (event.Result.Text != "two hits" || event.Result.Unseen) {
			t.Errorf("the result is %+v", event.Result)
		}
	}
}
