package ledger_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func TestBodyLeavesOutWhatACopyChanges(t *testing.T) {
	event := transcript.Event{
		Tool: "codex", Session: "s", ID: "i", Subagent: true, Withdrawn: true,
		Kind: transcript.Prompt, Text: "a < b", Time: time.Date(2024, 5, 1, 10, 0, 0, 5e6, time.UTC),
	}
	body, err := ledger.EncodeBody(&event)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"v":1,"time":"2024-05-01T10:00:00.005Z","kind":"prompt","text":"a < b"}`
	if string(body) != want {
		t.Errorf("body is %s\n   want %s", body, want)
	}
}

// Every field of an event comes back from its body, or from the row.
func TestBodyRoundTrip(t *testing.T) {
	var event transcript.Event
	fill(reflect.ValueOf(&event).Elem())
	event.Time = time.Date(2024, 5, 1, 10, 0, 0, 0, time.UTC)
	body, err := ledger.EncodeBody(&event)
	if err != nil {
		t.Fatal(err)
	}
	read := transcript.Event{Tool: event.Tool, Session: event.Session, ID: event.ID}
	if err := ledger.DecodeBody(body, &read); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(read, event) {
		t.Errorf("read back %+v\n     want %+v", read, event)
	}
}

func TestDecodeBodyPassesOverUnknownFields(t *testing.T) {
	var event transcript.Event
	err := ledger.DecodeBody([]byte(`{"v":9,"kind":"dream","text":"x","mood":{"a":1}}`), &event)
	if err != nil || event.Kind != "dream" || event.Text != "x" {
		t.Errorf("%+v, %v", event, err)
	}
}
