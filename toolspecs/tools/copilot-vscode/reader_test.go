package copilotvscode

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/tools"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func copilot(t *testing.T) *toolspecs.Spec {
	t.Helper()
	table, failed := toolspecs.Load(nil)
	for _, err := range failed {
		t.Fatal(err)
	}
	spec, err := table.Lookup("copilot-vscode")
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

func fixture(t *testing.T, name string) []byte {
	t.Helper()
	data, err := fs.ReadFile(tools.Files, "copilot-vscode/fixtures/transcript/"+name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func read(t *testing.T, name string, data []byte) transcript.Batch {
	t.Helper()
	decoder, err := New(copilot(t)).Decode(transcript.Source{Path: "/home/dev/" + name}, bytes.NewReader(data), transcript.Position{})
	if err != nil {
		t.Fatal(err)
	}
	batch, err := decoder.Next()
	if err != nil {
		t.Fatal(err)
	}
	return batch
}

func TestReplay(t *testing.T) {
	tests := map[string]struct{ log, want string }{
		"set":                       {`{"kind":0,"v":{"a":1}}` + "\n" + `{"kind":1,"k":["b"],"v":[2]}`, `{"a":1,"b":[2]}`},
		"set in an array":           {`{"kind":0,"v":{"a":[{"b":1}]}}` + "\n" + `{"kind":1,"k":["a",0,"b"],"v":2}`, `{"a":[{"b":2}]}`},
		"append":                    {`{"kind":0,"v":{"a":[1]}}` + "\n" + `{"kind":2,"k":["a"],"v":[2,3]}`, `{"a":[1,2,3]}`},
		"append to nothing":         {`{"kind":0,"v":{}}` + "\n" + `{"kind":2,"k":["a"],"v":[1]}`, `{"a":[1]}`},
		"cut, then append":          {`{"kind":0,"v":{"a":[1,2,3,4]}}` + "\n" + `{"kind":2,"k":["a"],"v":[9],"i":1}`, `{"a":[1,9]}`},
		"cut only":                  {`{"kind":0,"v":{"a":[1,2,3]}}` + "\n" + `{"kind":2,"k":["a"],"i":2}`, `{"a":[1,2]}`},
		"delete":                    {`{"kind":0,"v":{"a":1,"b":2}}` + "\n" + `{"kind":3,"k":["a"]}`, `{"b":2}`},
		"rewritten":                 {`{"kind":0,"v":{"a":1}}` + "\n" + `{"kind":0,"v":{"b":1}}`, `{"b":1}`},
		"a path that leads nowhere": {`{"kind":0,"v":{"a":[1]}}` + "\n" + `{"kind":1,"k":["a",7],"v":2}`, `{"a":[1]}`},
		"a path through a text":     {`{"kind":0,"v":{"a":"x"}}` + "\n" + `{"kind":1,"k":["a","b"],"v":2}`, `{"a":"x"}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var want any
			if err := json.Unmarshal([]byte(test.want), &want); err != nil {
				t.Fatal(err)
			}
			if got := replay([]byte(test.log), &transcript.Coverage{}); !reflect.DeepEqual(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}

// Wherever a log is seen half written it can be read, and what was notified of a
// final answer is emitted again, with the same words.
func TestEveryStateOfALog(t *testing.T) {
	data := fixture(t, "log.jsonl")
	last := map[string]transcript.Event{}
	for _, event := range read(t, "log.jsonl", data).Events {
		last[event.ID] = event.Event
	}
	for end := bytes.IndexByte(data, '\n') + 1; end < len(data); end += 193 {
		batch := read(t, "log.jsonl", data[:end])
		if batch.Coverage.Broken > 0 {
			t.Errorf("at %d: %d broken records", end, batch.Coverage.Broken)
		}
		for _, event := range batch.Events {
			now, known := last[event.ID]
			final := event.Kind == transcript.Prompt || event.Kind == transcript.Reply
			if final && (!known || now.Text != event.Text) {
				t.Errorf("at %d: %s said %q, in the end %q", end, event.ID, event.Text, now.Text)
			}
		}
	}
}

// Every type that is read stands in a fixture.
func TestRecordTypesAndFixturesAgree(t *testing.T) {
	occurs := map[string]bool{"request": true}
	for _, name := range []string{"log.jsonl", "flat.json"} {
		s := &session{Reader: New(copilot(t)), batch: &transcript.Batch{}}
		for _, request := range list(s.state(fixture(t, name)), "requests") {
			for _, part := range list(request, "response") {
				occurs[partName(part)] = true
			}
		}
	}
	for _, name := range copilot(t).Records.Read {
		if !occurs[name] {
			t.Errorf("records of type %s are read but stand in no fixture", name)
		}
	}
}

func TestWorkspaceOfASession(t *testing.T) {
	log := fixture(t, "log.jsonl")
	decoder, err := New(copilot(t)).Decode(transcript.Source{Path: "x.jsonl", Cwd: "/home/dev/notes"}, bytes.NewReader(log), transcript.Position{})
	if err != nil {
		t.Fatal(err)
	}
	batch, err := decoder.Next()
	if err != nil {
		t.Fatal(err)
	}
	if workDir := batch.Events[0].WorkDir; workDir == nil || workDir.Cwd != "/home/dev/notes" {
		t.Errorf("place: %+v", workDir)
	}
	if workDir := read(t, "flat.json", fixture(t, "flat.json")).Events[0].WorkDir; workDir == nil || workDir.Cwd != "/home/dev/notes" {
		t.Errorf("place of the links: %+v", workDir)
	}
}

func TestASessionIsReadAsAWhole(t *testing.T) {
	reader := New(copilot(t))
	_, err := reader.Decode(transcript.Source{}, strings.NewReader(""), transcript.Position{Offset: 12})
	if !errors.Is(err, transcript.ErrState) {
		t.Errorf("from the middle: %v", err)
	}
	decoder, err := reader.Decode(transcript.Source{}, strings.NewReader(strings.Repeat(" ", maxFile+1)), transcript.Position{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := decoder.Next(); err == nil || !strings.Contains(err.Error(), "64 MiB") {
		t.Errorf("too long: %v", err)
	}
}

func TestWhatIsNoSessionIsCounted(t *testing.T) {
	for name, data := range map[string]string{"half.json": `{"version":3,"requests":[`, "workspace.json": `{"folder":"file:///x"}`} {
		batch := read(t, name, []byte(data))
		if len(batch.Events) != 0 || batch.Coverage.Broken != 1 {
			t.Errorf("%s: %d events, %d broken", name, len(batch.Events), batch.Coverage.Broken)
		}
	}
	line := `{"type":"user.message","data":{},"id":"e2","timestamp":"2026-03-02T09:00:01.000Z","parentId":"e1"}`
	if copied := read(t, "copy.jsonl", []byte(line)); len(copied.Events) != 0 || copied.Coverage.Skipped != 1 {
		t.Errorf("the copy for hooks: %+v", copied)
	}
}

// A request is what was said, and not to whom.
func TestPrompt_IsWithoutTheAgentItIsFor(t *testing.T) {
	for said, want := range map[string]string{"@agent Try Again": "Try Again", "write to @agent smith": "write to @agent smith"} {
		log := `{"kind":0,"v":{"version":3,"sessionId":"c0de0000-0000-4000-8000-0000000000ff","requests":[{"requestId":"r1","timestamp":1772445600000,"message":{"text":"` + said + `"},"response":[]}]}}`
		var got []string
		for _, event := range read(t, "log.jsonl", []byte(log)).Events {
			if event.Kind == transcript.Prompt {
				got = append(got, event.Text)
			}
		}
		if len(got) != 1 || got[0] != want {
			t.Errorf("%q: %q", said, got)
		}
	}
}
