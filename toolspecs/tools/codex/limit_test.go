package codex

import (
	"testing"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func TestLimit_IsKnownByTheKindOfTheFailure(t *testing.T) {
	for failure, want := range map[string]transcript.Outcome{
		`{"message":"Come back later.","codex_error_info":"usage_limit_exceeded"}`: transcript.Limited,
		`{"message":"Come back later.","codex_error_info":"server_overloaded"}`:    "",
		`{"message":"Come back later."}`:                                           "",
	} {
		batch := read(t,
			`{"timestamp":"2026-03-10T09:00:00.000Z","type":"session_meta","payload":{"id":"t1","cwd":"/home/dev/notes","source":"cli"}}`,
			`{"timestamp":"2026-03-10T09:00:01.000Z","type":"event_msg","payload":{"type":"task_complete","turn_id":"1","error":`+failure+`}}`,
		)
		last := batch.Events[len(batch.Events)-1]
		if last.Kind != transcript.Turn || last.Text != transcript.TurnFailed || last.Result.Outcome != want {
			t.Errorf("%s: %+v", failure, last)
		}
	}
}
