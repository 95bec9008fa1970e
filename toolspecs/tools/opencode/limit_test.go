package opencode

import (
	"encoding/json"
	"testing"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func TestLimit_IsKnownByTheStatusOfTheAnswer(t *testing.T) {
	table, _ := toolspecs.Load(nil)
	spec, err := table.Lookup("opencode")
	if err != nil {
		t.Fatal(err)
	}
	for data, want := range map[string]transcript.Outcome{
		`{"message":"Come back later.","statusCode":429}`: transcript.Limited,
		`{"message":"Come back later.","statusCode":529}`: "",
		`{"message":"Come back later."}`:                  "",
	} {
		var m message
		if err := json.Unmarshal([]byte(`{"id":"m","role":"assistant","time":{"completed":1772442000000},"error":{"name":"APIError","data":`+data+`}}`), &m); err != nil {
			t.Fatal(err)
		}
		r := &record{Reader: New(spec)}
		r.ended(m)
		if last := r.Events[len(r.Events)-1]; last.Text != transcript.TurnFailed || last.Result.Outcome != want {
			t.Errorf("%s: %+v", data, last)
		}
	}
}
