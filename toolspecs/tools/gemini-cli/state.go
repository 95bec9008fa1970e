package geminicli

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"slices"
	"time"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Bounds of what is remembered from line to line, so that a stored state stays
// below transcript.MaxState. The oldest entries go first, by line order, so
// that any division of the source forgets the same.
const (
	maxSeen    = 8000 // events emitted; a session of that many has hours behind it
	maxPrompts = 500
)

// state is what one line needs to know of the lines before it.
type state struct {
	Session string `json:"session,omitempty"` // the file's own
	Started string `json:"started,omitempty"` // as its first line says it
	Agent   bool   `json:"agent,omitempty"`   // a subagent's file
	Cwd     string `json:"cwd,omitempty"`

	// Seen are the events that were emitted: a message is written again each time
	// it grows, and whole histories are repeated.
	Seen prints `json:"seen,omitempty"`
	// Prompts are the messages by which the user's prompts are known now, in
	// order, for what the tool takes back.
	Prompts prints `json:"prompts,omitempty"`
	// Answered is the reply that ends the turn if a prompt comes next.
	Answered *reply `json:"answered,omitempty"`
	// Ended says that the tool has reported the end of the turn itself.
	Ended bool `json:"ended,omitempty"`
	// Repeats is when the tool began to write the history again.
	Repeats time.Time `json:"repeats,omitzero"`
}

// reply is a message of the model with no tool asked for, as far as was read.
type reply struct {
	ID   string    `json:"id"`
	Time time.Time `json:"time,omitzero"`
}

// forget drops all but what the events' identity hangs on.
func (s *state) forget() {
	s.Prompts, s.Seen, s.Answered = nil, s.Seen[len(s.Seen)/2:], nil
}

// first says that an event was not emitted before, and remembers it.
func (s *state) first(id string) bool {
	print := transcript.Fingerprint(id)
	if slices.Contains(s.Seen, print) {
		return false
	}
	s.Seen = transcript.Remember(s.Seen, print, maxSeen)
	return true
}

// prints are fingerprints, four bytes each in the stored state.
type prints []uint32

// MarshalJSON implements json.Marshaler.
func (p prints) MarshalJSON() ([]byte, error) {
	packed := make([]byte, 0, 4*len(p))
	for _, print := range p {
		packed = binary.LittleEndian.AppendUint32(packed, print)
	}
	return json.Marshal(base64.RawStdEncoding.EncodeToString(packed))
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *prints) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	packed, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return err
	}
	*p = nil
	for ; len(packed) >= 4; packed = packed[4:] {
		*p = append(*p, binary.LittleEndian.Uint32(packed))
	}
	return nil
}
