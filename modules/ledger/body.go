package ledger

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// body is an event as it is stored: everything but its identity and what a
// copy of the record in another session changes, which stand in columns. The
// embedded event brings the fields of tomorrow along; the fields named here
// hide those of the same JSON name.
type body struct {
	Version int `json:"v"`
	*transcript.Event
	Tool      *string `json:"tool,omitempty"`
	Session   *string `json:"session,omitempty"`
	ID        *string `json:"id,omitempty"`
	Subagent  *bool   `json:"subagent,omitempty"`
	Withdrawn *bool   `json:"withdrawn,omitempty"`
}

// EncodeBody returns the stored form of an event: one line of JSON that is the
// same for the same event, whichever session it was read in.
func EncodeBody(event *transcript.Event) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(body{Version: transcript.BodyVersion, Event: event}); err != nil {
		return nil, fmt.Errorf("encode event %s: %w", event.ID, err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// DecodeBody fills an event from its stored form. Fields that this version
// does not know are passed over; they stay in the stored bytes.
func DecodeBody(stored []byte, event *transcript.Event) error {
	if err := json.Unmarshal(stored, event); err != nil {
		return fmt.Errorf("decode event body: %w", err)
	}
	return nil
}
