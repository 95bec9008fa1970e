// Package windsurf reads what Windsurf's Cascade tells its hooks. Cascade keeps
// its conversations encrypted, so the payloads of its hooks, one per line, are
// the only history there is.
package windsurf

import (
	"encoding/json"
	"io"
	"strconv"
	"time"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// revision rises when the same bytes would give other events.
const revision = 2

// Reader reads payloads by the tables of its spec.
type Reader struct {
	spec   *toolspecs.Spec
	sorter *toolspecs.Sorter
	calls  *toolspecs.CallTable
}

// New is a reader by this spec.
func New(spec *toolspecs.Spec) *Reader {
	return &Reader{spec: spec, sorter: spec.Records.Sorter(), calls: spec.CallTable()}
}

// Revision implements transcript.Reader.
func (r *Reader) Revision() int { return revision }

// Decode implements transcript.Reader.
func (r *Reader) Decode(src transcript.Source, in io.Reader, pos transcript.Position) (transcript.Decoder, error) {
	p := &payloads{Reader: r, cwd: src.Cwd}
	if err := transcript.DecodeState(pos.State, &p.state); err != nil {
		return nil, err
	}
	return transcript.DecodeLines(in, pos, p), nil
}

// state is what one payload needs to know of those before it.
type state struct {
	Session string `json:"session,omitempty"` // conversation of the payload before
	Open    string `json:"open,omitempty"`    // its directory, as far as it was told
}

// payloads is a run of them being read.
type payloads struct {
	*Reader
	cwd   string
	state state

	// The payload being mapped.
	batch *transcript.Batch
	line  transcript.Line
	payload
}

// payload is what every hook is told.
type payload struct {
	Action  string          `json:"agent_action_name"`
	Session string          `json:"trajectory_id"`
	Turn    string          `json:"execution_id"`
	Time    time.Time       `json:"timestamp"`
	Model   string          `json:"model_name"`
	Info    json.RawMessage `json:"tool_info"`
}

// State implements transcript.LineMapper.
func (p *payloads) State() (json.RawMessage, error) {
	return transcript.EncodeState(&p.state, func() { p.state = state{} })
}

// Map implements transcript.LineMapper.
func (p *payloads) Map(line transcript.Line, batch *transcript.Batch) {
	batch.Coverage.Records++
	name, class := p.sorter.Sort(line.Text)
	if class == toolspecs.Skipped {
		batch.Coverage.Skipped++
		return
	}
	var now payload
	if json.Unmarshal(line.Text, &now) != nil || now.Session == "" {
		batch.Coverage.Broken++
		return
	}
	if class == toolspecs.Unknown {
		batch.Coverage.CountUnknown("", name, 1)
		return
	}
	batch.Coverage.Read++
	p.batch, p.line, p.payload = batch, line, now
	p.read()
	p.batch, p.line, p.payload = nil, transcript.Line{}, payload{}
}

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
	event.Tool, event.Session = p.spec.Tool, p.Session
	if !p.Time.IsZero() {
		event.Time = p.Time.UTC()
	}
	ref := p.line.Ref()
	if n := len(p.batch.Events); n > 0 && p.batch.Events[n-1].Ref.Line == ref.Line {
		ref.Block = p.batch.Events[n-1].Ref.Block + 1
	}
	p.batch.Events = append(p.batch.Events, transcript.Located{Event: event, Ref: ref})
	return event
}
