package opencode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// maxExport is the largest export that is read, in bytes: all of it has to be
// held.
const maxExport = 256 << 20

// Decode implements transcript.Reader for what `opencode export` prints.
func (r *Reader) Decode(_ transcript.Source, in io.Reader, pos transcript.Position) (transcript.Decoder, error) {
	if pos.Offset > 0 || len(pos.State) > 0 {
		return nil, fmt.Errorf("%w: an export is read as a whole", transcript.ErrState)
	}
	return kit.DecodeWhole(in, "export", maxExport, r.Checked("export", r.export)), nil
}

// export is one session as it was printed.
type export struct {
	*Reader
	data    []byte
	batch   *transcript.Batch
	line    int64
	counted int // bytes whose newlines are in line
}

// export reads an export. One that is just being written is broken.
func (r *Reader) export(data []byte, batch *transcript.Batch) bool {
	if !json.Valid(data) {
		kit.Broken(&batch.Coverage)
		return false
	}
	e := &export{Reader: r, data: data, batch: batch, line: 1}
	e.read()
	return true
}

// read maps the session, its messages and their parts, in their order.
func (e *export) read() {
	start := max(bytes.IndexByte(e.data, '{'), 0)
	fields := transcript.Members(e.data[start:], "info", "messages")
	var about info
	if !decode(fields[0], &about) || about.ID == "" {
		e.broken()
		return
	}
	e.Count("session", &e.batch.Coverage)
	of := about.session(e.Reader)
	opening := e.record(of, fields[0])
	opening.opened(about)
	e.keep(opening)
	triggers := map[string]string{} // message that asked for a compaction → by whom
	for _, element := range transcript.Elements(fields[1]) {
		e.message(of, element, triggers)
	}
}

func (e *export) message(of session, element []byte, triggers map[string]string) {
	fields := transcript.Members(element, "info", "parts")
	var m message
	if !decode(fields[0], &m) || m.ID == "" {
		e.broken()
		return
	}
	if !e.Count(m.Role, &e.batch.Coverage) {
		return
	}
	for _, raw := range transcript.Elements(fields[1]) {
		p := part{role: m.Role, mode: m.Mode, done: m.Time.Completed > 0, made: m.Time.Created, trigger: triggers[m.Parent]}
		if !decode(raw, &p) || p.ID == "" {
			e.broken()
			continue
		}
		if !e.Count(p.Type, &e.batch.Coverage) {
			continue
		}
		if p.Type == compaction {
			triggers[m.ID] = trigger(p.Auto)
		}
		at := e.record(of, raw)
		at.read(p, &e.batch.Coverage)
		e.keep(at)
	}
	// Its end stands after its parts: a place of its own in what closes it.
	end := e.record(of, element[len(element)-1:])
	end.ended(m)
	e.keep(end)
}

func (e *export) broken() {
	kit.Broken(&e.batch.Coverage)
}

// record is the record that stands in the export as raw, which is a piece of
// its data: what it could grow by says where.
func (e *export) record(of session, raw []byte) *record {
	offset := cap(e.data) - cap(raw)
	if offset > e.counted {
		e.line += int64(bytes.Count(e.data[e.counted:offset], []byte("\n")))
		e.counted = offset
	}
	return &record{Reader: e.Reader, session: of, Record: kit.Record{
		Ref: transcript.Ref{Offset: int64(offset), Length: int64(len(raw)), Line: e.line},
	}}
}

func (e *export) keep(r *record) { e.batch.Events = append(e.batch.Events, r.Events...) }
