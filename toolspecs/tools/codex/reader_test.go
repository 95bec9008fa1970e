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

// A script that waited for a command hands out what was printed so far and the command's
// number; the command's end comes to a later script, which may itself be waited for.
func TestScript_OfACommandThatRunsOn(t *testing.T) {
	record := func(payload string) string {
		return `{"timestamp":"2026-03-10T09:00:00.000Z","type":"response_item","payload":` + payload + `}`
	}
	script := func(id, source string) string {
		return record(`{"type":"custom_tool_call","name":"exec","call_id":"` + id + `","input":"` + source + `"}`)
	}
	printed := func(id, head string, parts ...string) string {
		texts := `{"type":"input_text","text":"` + head + `\nOutput:\n"}`
		for _, part := range parts {
			texts += `,{"type":"input_text","text":"` + part + `"}`
		}
		return record(`{"type":"custom_tool_call_output","call_id":"` + id + `","output":[` + texts + `]}`)
	}
	wait := func(id, cell string) string {
		return record(`{"type":"function_call","name":"wait","arguments":"{\"cell_id\":\"` + cell + `\"}","call_id":"` + id + `"}`)
	}
	lines := []string{
		`{"timestamp":"2026-03-10T09:00:00.000Z","type":"session_meta","payload":{"id":"t1","cwd":"/home/dev/notes","source":"cli"}}`,
		script("c1", `const r = await tools.exec_command({cmd:\"make test\"});text(r.output); text(r.session_id);`),
		printed("c1", "Script running with cell ID 4"),
		wait("c2", "4"),
		printed("c2", "Script completed", "Compiling", "SESSION_ID=7"),
		script("c3", `const r = await tools.write_stdin({session_id:7,chars:\"\"});text(r.output);`),
		printed("c3", "Script running with cell ID 5"),
	}
	results := func(lines ...string) (all []string) {
		for _, event := range read(t, lines...).Events {
			if event.Kind == transcript.Result {
				all = append(all, event.Result.CallID+": "+event.Result.Text)
			}
		}
		return all
	}
	if got := results(lines...); len(got) != 0 {
		t.Errorf("while it runs: %q", got)
	}
	if got := results(append(lines, wait("c4", "5"), printed("c4", "Script completed", "3 tests passed"))...); len(got) != 1 || got[0] != "c1: 3 tests passed" {
		t.Errorf("at its end: %q", got)
	}
	polls := script("c5", `const r = await tools.write_stdin({session_id:7,chars:\"\",yield_time_ms:30000});text(r.output);`)
	for head, want := range map[string]int{`Script completed\nWall time 0.1 seconds`: 1, `Script completed\nWall time 30.0 seconds`: 0} {
		if got := results(append(lines[:5:5], polls, printed("c5", head, "3 tests passed"))...); len(got) != want {
			t.Errorf("polled: %s: %q", head, got)
		}
	}
}

// The reply of the last phase closes the turn; what is said before it is commentary.
func TestReplies_OfTheLastPhaseAreFinal(t *testing.T) {
	const line = `{"timestamp":"2026-03-02T08:00:08.000Z","type":"response_item","payload":{"type":"message","role":"assistant","phase":"%s","content":[{"type":"output_text","text":"It is open."}]}}`
	for phase, final := range map[string]bool{"final_answer": true, "commentary": false, "": false} {
		events := read(t, strings.Replace(line, "%s", phase, 1)).Events
		if reply := events[len(events)-1]; reply.Kind != transcript.Reply || reply.Final != final {
			t.Errorf("%q: %+v", phase, reply)
		}
	}
}
