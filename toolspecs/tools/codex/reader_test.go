package codex

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func read(t *testing.T, lines ...string) transcript.Batch {
	t.Helper()
	table, problems := toolspecs.Load(nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	spec, err := table.Lookup("codex")
	if err != nil {
		t.Fatal(err)
	}
	decoder, err := New(spec).Decode(transcript.Source{Path: "/home/dev/.codex/sessions/r.jsonl"}, strings.NewReader(strings.Join(lines, "\n")+"\n"), transcript.Position{})
	if err != nil {
		t.Fatal(err)
	}
	batch, err := decoder.Next()
	if err != nil {
		t.Fatal(err)
	}
	return batch
}

// A subagent that is given its parent's history reads all of it first; its own work begins where it
// is marked as one.
func TestSubagent_BeginsBehindTheHistoryOfItsParent(t *testing.T) {
	batch := read(t,
		`{"timestamp":"2026-03-10T09:00:00.000Z","type":"session_meta","payload":{"id":"t2","forked_from_id":"t1","cwd":"/home/dev/notes","source":{"subagent":{"thread_spawn":{"parent_thread_id":"t1","agent_role":"explorer"}}}}}`,
		`{"timestamp":"2026-03-10T09:00:00.000Z","type":"session_meta","payload":{"id":"t1","cwd":"/home/dev/notes","source":"cli"}}`,
		`{"timestamp":"2026-03-10T09:00:00.000Z","type":"response_item","payload":{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"make\"}","call_id":"c1"}}`,
		`{"timestamp":"2026-03-10T09:00:00.000Z","type":"response_item","payload":{"type":"function_call","name":"spawn_agent","arguments":"{\"message\":\"Review it.\"}","call_id":"c2"}}`,
		`{"timestamp":"2026-03-10T09:00:00.000Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c2","output":"You are the newly spawned agent. The history is your parent's."}}`,
		`{"timestamp":"2026-03-10T09:00:05.000Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"late"}}`)
	at, results := 0, 0
	for i, event := range batch.Events {
		if event.Kind == transcript.Session && event.Start.How == transcript.Boundary {
			at = i
		}
		if event.Kind == transcript.Result {
			results++
		}
	}
	if at == 0 || results != 0 {
		t.Errorf("the boundary is event %d of %d, with %d results", at, len(batch.Events), results)
	}
}
