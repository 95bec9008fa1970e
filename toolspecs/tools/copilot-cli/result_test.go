package copilotcli

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// A person who turns a call down is told apart from a guard, whatever the code.
func TestResult_TellsWhoRefused(t *testing.T) {
	table, _ := toolspecs.Load(nil)
	spec, err := table.Lookup("copilot-cli")
	if err != nil {
		t.Fatal(err)
	}
	for failure, want := range map[string]transcript.Outcome{
		`{"message":"The user rejected this tool call. User feedback: keep it here","code":"denied"}`: transcript.Rejected,
		`{"message":"The user rejected this tool call.","code":"rejected"}`:                           transcript.Rejected,
		`{"message":"Not allowed by the rules of the organisation","code":"denied"}`:                  transcript.Blocked,
		`{"message":"Denied by preToolUse hook: no","code":"denied"}`:                                 transcript.Blocked,
		`{"message":"No such file","code":"failure"}`:                                                 "",
	} {
		record := `{"type":"tool.execution_complete","data":{"toolCallId":"call_1","success":false,"error":` + failure + `},"id":"e1","timestamp":"2026-03-02T08:00:24.000Z"}` + "\n"
		decoder, err := New(spec).Decode(transcript.Source{Path: "/home/dev/.copilot/session-state/s/events.jsonl"}, strings.NewReader(record), transcript.Position{})
		if err != nil {
			t.Fatal(err)
		}
		batch, err := decoder.Next()
		if err != nil || len(batch.Events) == 0 || batch.Events[0].Result == nil {
			t.Fatalf("%s: %+v, %v", failure, batch, err)
		}
		if got := batch.Events[0].Result.Outcome; got != want {
			t.Errorf("%s is %q, want %q", failure, got, want)
		}
	}
}
