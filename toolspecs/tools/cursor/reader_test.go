package cursor

import (
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func cursor(t *testing.T) *Reader {
	t.Helper()
	table, failed := toolspecs.Load(nil)
	for _, err := range failed {
		t.Fatal(err)
	}
	spec, err := table.Lookup("cursor")
	if err != nil {
		t.Fatal(err)
	}
	return New(spec)
}

// read decodes the lines of a transcript.
func read(t *testing.T, lines ...string) transcript.Batch {
	t.Helper()
	source := transcript.Source{Path: "/home/dev/.cursor/projects/home-dev-notes/agent-transcripts/c1/c1.jsonl"}
	decoder, err := cursor(t).Decode(source, strings.NewReader(strings.Join(lines, "\n")+"\n"), transcript.Position{})
	if err != nil {
		t.Fatal(err)
	}
	batch, err := decoder.Next()
	if err != nil {
		t.Fatal(err)
	}
	return batch
}

func results(batch transcript.Batch) []transcript.ResultInfo {
	var found []transcript.ResultInfo
	for _, event := range batch.Events {
		if event.Kind == transcript.Result {
			found = append(found, *event.Result)
		}
	}
	return found
}

const written = `{"role":"assistant","message":{"content":[{"type":"tool_use","name":"Write","input":{"path":"/home/dev/notes/a.go","contents":"package a"}}]}}`

// What follows a call says whether it happened; nothing says what came of it.
func TestResult_IsUnseenWhenTheAgentWentOn(t *testing.T) {
	for name, test := range map[string]struct {
		next   string
		unseen bool
	}{
		"a reply":              {`{"role":"assistant","message":{"content":[{"type":"text","text":"Done."}]}}`, true},
		"the end of the turn":  {`{"type":"turn_ended","status":"success"}`, true},
		"a prompt":             {`{"role":"user","message":{"content":[{"type":"text","text":"Go on."}]}}`, true},
		"the turn was stopped": {`{"type":"turn_ended","status":"aborted"}`, false},
		"the turn failed":      {`{"type":"error","error":"connection lost"}`, false},
	} {
		got := results(read(t, written, test.next))
		if len(got) != 1 || got[0].Outcome != transcript.UnknownOutcome || got[0].Unseen != test.unseen || got[0].Failed {
			t.Errorf("%s: the results are %+v", name, got)
		}
	}
	if open := results(read(t, written)); len(open) != 0 {
		t.Errorf("a call that nothing follows has ended: %+v", open)
	}
}

func TestPrompt_TimeIsThatOfItsStamp(t *testing.T) {
	for stamp, want := range map[string]time.Time{
		"Tuesday, Mar 10, 2026, 2:30 PM (UTC+5:30)": time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC),
		"Tuesday, Mar 10, 2026, 11:05 PM (UTC-3)":   time.Date(2026, 3, 11, 2, 5, 0, 0, time.UTC),
		"Tuesday, Mar 10, 2026, 9:05 AM (UTC)":      time.Date(2026, 3, 10, 9, 5, 0, 0, time.UTC),
		"today":                                     {},
		"Tuesday, Mar 10, 2026, 9:05 AM":            {},
	} {
		line := `{"role":"user","message":{"content":[{"type":"text","text":"<timestamp>` + stamp + `</timestamp>\n<user_query>\nSort them.\n</user_query>"}]}}`
		for _, event := range read(t, line).Events {
			if event.Kind == transcript.Prompt && (event.Text != "Sort them." || !event.Time.Equal(want)) {
				t.Errorf("%s: %q at %v, want %v", stamp, event.Text, event.Time, want)
			}
		}
	}
}

func TestPrompt_KeepsWhatStandsBesideTheQuery(t *testing.T) {
	line := `{"role":"user","message":{"content":[{"type":"text","text":"Push this branch.\n- Make no commits.\n<open_files>\n<file>a.go</file>\n</open_files>\n<timestamp>Tuesday, Mar 10, 2026, 9:05 AM (UTC)</timestamp>\n<user_query>\nRun the selected action.\n</user_query>"}]}}`
	for _, event := range read(t, line).Events {
		if event.Kind == transcript.Prompt && (event.Text != "Run the selected action.\nPush this branch.\n- Make no commits." || event.Origin != transcript.Typed || event.Time.IsZero()) {
			t.Errorf("%q of %s at %v", event.Text, event.Origin, event.Time)
		}
	}
}

func TestDynamicCall_IsTheCallItStandsFor(t *testing.T) {
	batch := read(t,
		`{"role":"assistant","message":{"content":[{"type":"tool_use","name":"CallDynamicTool","input":{"namespace":"cursor","toolName":"Shell","arguments":{"command":"make"}}}]}}`,
		`{"role":"assistant","message":{"content":[{"type":"tool_use","name":"CallDynamicTool","input":{"toolName":""}}]}}`)
	var calls []transcript.CallInfo
	for _, event := range batch.Events {
		if event.Kind == transcript.Call {
			calls = append(calls, *event.Call)
		}
	}
	if len(calls) != 2 || calls[0].Meaning != transcript.Shell || calls[0].Command != "make" || calls[1].Meaning != transcript.Other {
		t.Errorf("the calls are %+v", calls)
	}
	if n := batch.Coverage.UnknownTotal(); n != 0 {
		t.Errorf("%d unknown", n)
	}
}

// A slug cannot be read back: the folder is the one above a named path that has
// it.
func TestSession_IsHeldWhereItsPathsLead(t *testing.T) {
	var dirs []string
	for _, event := range read(t, written).Events {
		if event.Kind == transcript.Session && event.WorkDir != nil {
			dirs = append(dirs, event.WorkDir.Cwd)
		}
	}
	if len(dirs) != 1 || dirs[0] != "/home/dev/notes" {
		t.Errorf("the places are %q", dirs)
	}
}

func TestTodos_AListThatIsMergedIsLeftAlone(t *testing.T) {
	const todo = `{"role":"assistant","message":{"content":[{"type":"tool_use","name":"TodoWrite","input":{"merge":MERGE,"todos":[{"content":"one","status":"completed"},{"content":"two","status":"cancelled"}]}}]}}`
	for merge, want := range map[string]int{"false": 1, "true": 0} {
		lists := 0
		for _, event := range read(t, strings.Replace(todo, "MERGE", merge, 1)).Events {
			if event.Kind == transcript.Todo {
				lists++
				if len(event.Items) != 1 || event.Items[0].State != "done" {
					t.Errorf("the items are %+v", event.Items)
				}
			}
		}
		if lists != want {
			t.Errorf("merge %s: %d lists", merge, lists)
		}
	}
}

func TestReply_WhatIsLeftOutIsNotSaid(t *testing.T) {
	batch := read(t, `{"role":"assistant","message":{"content":[{"type":"text","text":"[REDACTED]"},{"type":"text","text":"It works. [REDACTED]"}]}}`)
	var said []string
	for _, event := range batch.Events {
		if event.Kind == transcript.Reply {
			said = append(said, event.Text)
		}
	}
	if len(said) != 1 || said[0] != "It works." {
		t.Errorf("said is %q", said)
	}
}

// The workspace's database says which sessions belong to its folder.
func TestWorkspace_NamesThePlaceOfItsSessions(t *testing.T) {
	events, coverage := cursor(t).MapRows([]transcript.Row{{Query: "workspace", Values: map[string]any{
		"name": composersKey, "cwd": "/home/dev/notes", "data": `{"allComposers":[{"composerId":"c2"}],"selectedComposerIds":["c1","c2"]}`,
	}}, {Query: "workspace", Values: map[string]any{"data": "half"}}, {Query: "bubble", Values: map[string]any{"data": `{}`}}})
	if len(events) != 2 || events[0].Session != "c1" || events[1].WorkDir.Cwd != "/home/dev/notes" {
		t.Errorf("the events are %+v", events)
	}
	if coverage.Read != 1 || coverage.Broken != 2 {
		t.Errorf("coverage is %+v", coverage)
	}
}

// Sessions of one database share an axis of time; a record's place is its own.
func TestPlaced_RecordsOfOneMillisecondAreToldApart(t *testing.T) {
	a, b, later := placed("a", 1773133200000, 0), placed("b", 1773133200000, 0), placed("a", 1773133200001, 0)
	if a.Offset != b.Offset || a.Block == b.Block || later.Offset <= a.Offset {
		t.Errorf("places are %+v, %+v, %+v", a, b, later)
	}
	if unknown := placed("a", 0, 3); unknown.Offset != 3 {
		t.Errorf("without a time it stands at %+v", unknown)
	}
}
