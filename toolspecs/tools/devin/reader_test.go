package devin

import (
	"errors"
	"testing"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func devin(t *testing.T) *Reader {
	t.Helper()
	table, failed := toolspecs.Load(nil)
	for _, err := range failed {
		t.Fatal(err)
	}
	spec, err := table.Lookup("devin")
	if err != nil {
		t.Fatal(err)
	}
	return New(spec)
}

func messageRow(query, node, data string) transcript.Row {
	return transcript.Row{Query: query, Values: map[string]any{
		"key": int64(7), "session_id": "s1", "node_id": node, "created_at": int64(1773133200), "data": data,
	}}
}

func mapped(t *testing.T, rows ...transcript.Row) ([]transcript.Located, transcript.Coverage) {
	t.Helper()
	return devin(t).MapRows(rows)
}

// A branch that the user left by going back is kept and taken back.
func TestMessage_OfABranchThatWasLeftIsWithdrawn(t *testing.T) {
	events, _ := mapped(t,
		messageRow("message", "1", `{"role":"user","content":"Sort the notes"}`),
		messageRow("side", "2", `{"role":"user","content":[{"type":"text","text":"Sort them twice"}]}`))
	if len(events) != 2 || events[0].Withdrawn || !events[1].Withdrawn || events[1].Text != "Sort them twice" || events[0].Origin != transcript.Typed {
		t.Errorf("the events are %+v", events)
	}
}

// Whether a command failed stands at the end of its output alone.
func TestResult_ExitStatusIsReadFromTheEnd(t *testing.T) {
	for text, want := range map[string]struct {
		failed bool
		code   int
	}{
		"--- FAIL\\nexit code: 1":                  {true, 1},
		"ok\\nexited with code 0":                  {false, 0},
		"exit code: 1 was expected, and it is not": {false, -1},
	} {
		events, _ := mapped(t, messageRow("message", "3", `{"role":"tool","tool_call_id":"c1","content":"`+text+`"}`))
		if len(events) != 1 || events[0].Result.CallID != "c1" || events[0].Result.Failed != want.failed {
			t.Fatalf("%q: %+v", text, events)
		}
		if code := events[0].Result.ExitCode; (code == nil) != (want.code < 0) || code != nil && *code != want.code {
			t.Errorf("%q: the exit status is %v, want %d", text, code, want.code)
		}
	}
}

// An answer without a call ends the turn; arguments may be an object or text.
func TestAnswer_CallsKeepTheTurnOpen(t *testing.T) {
	events, coverage := mapped(t,
		messageRow("message", "4", `{"role":"assistant","content":"","tool_calls":[{"id":"c1","function":{"name":"nobody_knows","arguments":"{\"a\":1}"}}]}`),
		messageRow("message", "5", `{"role":"assistant","content":"Done."}`))
	var kinds []transcript.Kind
	for _, event := range events {
		kinds = append(kinds, event.Kind)
	}
	if len(kinds) != 3 || kinds[0] != transcript.Call || kinds[1] != transcript.Reply || kinds[2] != transcript.Turn {
		t.Errorf("the events are %v", kinds)
	}
	if coverage.Unknown[""]["call nobody_knows"] != 1 {
		t.Errorf("the coverage is %+v", coverage)
	}
}

func TestRow_ThatIsNoMessageIsBroken(t *testing.T) {
	events, coverage := mapped(t, messageRow("message", "6", `{"role":`), transcript.Row{Query: "session"})
	if len(events) != 0 || coverage.Broken != 2 {
		t.Errorf("%d events, coverage %+v", len(events), coverage)
	}
}

// Sessions stand before their messages, in places that do not collide.
func TestSession_StandsBeforeItsMessages(t *testing.T) {
	row := func(id string) transcript.Row {
		return transcript.Row{Query: "session", Values: map[string]any{"id": id, "created_at": int64(1773133200), "working_directory": "/home/dev/notes", "title": "Notes", "model": "m"}}
	}
	events, coverage := mapped(t, row("s1"), row("s2"))
	blocks := map[int]bool{}
	for _, event := range events {
		if event.Ref.Offset != 0 || blocks[event.Ref.Block] {
			t.Errorf("%s stands at %+v", event.ID, event.Ref)
		}
		blocks[event.Ref.Block] = true
	}
	if len(events) != 4 || events[0].WorkDir.Cwd != "/home/dev/notes" || events[1].Text != "Notes" || coverage.Read != 2 {
		t.Errorf("%d events, coverage %+v", len(events), coverage)
	}
}

// A decision in what was taken back is taken back with it.
func TestAnswer_DecisionsShareItsBranch(t *testing.T) {
	events, _ := mapped(t, messageRow("side", "8", `{"role":"assistant","content":"DECISION: use Go over C because of memory"}`))
	decided := 0
	for _, event := range events {
		if event.Kind == transcript.Decided {
			decided++
		}
		if !event.Withdrawn {
			t.Errorf("%s stands", event.ID)
		}
	}
	if decided != 1 {
		t.Errorf("%d decisions", decided)
	}
}

func TestDecode_ThereIsNoFileToRead(t *testing.T) {
	if _, err := devin(t).Decode(transcript.Source{}, nil, transcript.Position{}); !errors.Is(err, transcript.ErrRowsOnly) {
		t.Errorf("error: %v", err)
	}
	if _, err := devin(t).Decode(transcript.Source{}, nil, transcript.Position{Offset: 1}); !errors.Is(err, transcript.ErrState) {
		t.Errorf("of a position: %v", err)
	}
}
