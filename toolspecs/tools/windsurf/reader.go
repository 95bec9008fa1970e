// Package windsurf reads what Windsurf's Cascade tells its hooks. Cascade keeps
// its conversations encrypted, so the payloads of its hooks, one per line, are
// the only history there is.
package windsurf

import (
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"time"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// revision rises when the same bytes would give other events.
const revision = 2

// Reader reads payloads by the tables of its spec.
type Reader struct{ *kit.Tables }

// New is a reader by this spec.
func New(spec *toolspecs.Spec) *Reader {
	return &Reader{kit.For(spec)}
}

// Revision implements transcript.Reader.
func (r *Reader) Revision() int { return revision }

// Decode implements transcript.Reader.
func (r *Reader) Decode(src transcript.Source, in io.Reader, pos transcript.Position) (transcript.Decoder, error) {
	p := &payloads{Reader: r, cwd: src.Cwd}
	if err := transcript.DecodeState(pos.State, &p.state); err != nil {
		return nil, err
	}
	return kit.Decode(in, pos, p), nil
}

// state is what one payload needs to know of those before it.
type state struct {
	Session string `json:"session,omitempty"` // conversation of the payload before
	Open    string `json:"open,omitempty"`    // its directory, as far as it is known
}

// payloads is a run of them being read.
type payloads struct {
	*Reader
	kit.Lines
	cwd     string
	state   state
	payload // being read
}

// payload is what every hook receives.
type payload struct {
	Action  string          `json:"agent_action_name"`
	Session string          `json:"trajectory_id"`
	Turn    string          `json:"execution_id"`
	Time    time.Time       `json:"timestamp"`
	Model   string          `json:"model_name"`
	Info    json.RawMessage `json:"tool_info"`
}

// State implements kit.Format.
func (p *payloads) State() (json.RawMessage, error) {
	return transcript.EncodeState(&p.state, func() { p.state = state{} })
}

// errNoSession refuses a payload that names no conversation.
var errNoSession = errors.New("no conversation")

// Parse implements kit.Format.
func (p *payloads) Parse(line []byte) error {
	p.payload = payload{}
	if err := json.Unmarshal(line, &p.payload); err != nil {
		return err
	}
	if p.Session == "" {
		return errNoSession
	}
	return nil
}

// Version implements kit.Format: no payload says it.
func (p *payloads) Version() string { return "" }

// id is made of all that a payload says of itself: nothing in it is an id of
// the one thing that happened, and a payload that comes twice is one.
func (p *payloads) id(part string) string {
	mark := transcript.Fingerprint(p.Action + string(p.Info))
	return p.Session + "/" + p.Turn + "/" + strconv.FormatInt(p.Time.UnixMilli(), 10) + "/" + strconv.FormatUint(uint64(mark), 16) + "#" + part
}

func (p *payloads) emit(part string, event transcript.Event) transcript.Event {
	if event.ID == "" {
		event.ID = p.id(part)
	}
	event.Session = p.Session
	if !p.Time.IsZero() {
		event.Time = p.Time.UTC()
	}
	return p.Add(event)
}
