package geminicli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// maxDocument is the largest document that is read, in bytes: all of it has to
// be held.
const maxDocument = 256 << 20

// document decodes a chat that is one JSON document, rewritten with every
// change.
type document struct {
	chat *chat
	in   io.Reader
	done bool
}

// Next implements transcript.Decoder: one batch holds it all. A document that
// is just being written is broken, and its position stays at the start.
func (d *document) Next() (transcript.Batch, error) {
	if d.done {
		return transcript.Batch{}, io.EOF
	}
	d.done = true
	data, err := io.ReadAll(io.LimitReader(d.in, maxDocument+1))
	if err != nil {
		return transcript.Batch{}, fmt.Errorf("read transcript: %w", err)
	}
	if len(data) > maxDocument {
		return transcript.Batch{}, fmt.Errorf("read transcript: a document of more than %d MiB", maxDocument>>20)
	}
	var batch transcript.Batch
	if len(bytes.TrimSpace(data)) == 0 {
		return batch, io.EOF
	}
	if !json.Valid(data) {
		batch.Coverage.Records, batch.Coverage.Broken = 1, 1
		return batch, nil
	}
	d.read(data, &batch)
	batch.Position = transcript.Position{Offset: int64(len(data)), Line: int64(bytes.Count(data, []byte("\n")))}
	return batch, nil
}

// read maps the head of the document and each of its messages as a record of
// its own, at its place in the document.
func (d *document) read(data []byte, batch *transcript.Batch) {
	start := bytes.IndexByte(data, '{')
	if start < 0 {
		batch.Coverage.Records, batch.Coverage.Broken = 1, 1
		return
	}
	batch.Coverage.Records++
	batch.Coverage.Read++
	d.chat.batch, d.chat.line = batch, transcript.Line{Offset: int64(start), Number: 1}
	d.chat.session(data[start:])
	parts := transcript.Members(data[start:], "messages", "turns")
	turns := len(parts[1]) > 0
	if turns {
		parts[0] = parts[1]
	}
	line, counted := int64(1), 0
	for _, element := range transcript.Elements(parts[0]) {
		// An element is a part of the data: what it could grow by says where.
		offset := cap(data) - cap(element)
		line, counted = line+int64(bytes.Count(data[counted:offset], []byte("\n"))), offset
		at := transcript.Line{Offset: int64(offset), Number: line, Text: element}
		if turns {
			d.turn(at, batch)
		} else {
			d.chat.Map(at, batch)
		}
	}
}

// turn maps an entry of the form with roles and parts, which a relative of the
// tool writes: it has no ids and no times, and a step's outcome is a text of
// the model.
func (d *document) turn(line transcript.Line, batch *transcript.Batch) {
	batch.Coverage.Records++
	batch.Coverage.Read++
	c := d.chat
	c.batch, c.line = batch, line
	fields := transcript.Members(line.Text, "role", "parts")
	m := message{ID: c.state.Session + "/" + strconv.FormatInt(line.Offset, 10), Content: fields[1]}
	if transcript.Text(fields[0]) == "user" {
		c.user(m)
		return
	}
	text := strings.Join(texts(m.Content), "\n")
	if !strings.HasPrefix(text, "Created At: ") {
		c.model(m)
		return
	}
	call, _ := c.emit(transcript.Event{ID: m.ID + "#0", Kind: transcript.Call, Call: &transcript.CallInfo{
		ID: m.ID, Name: "step", Meaning: transcript.Other,
	}})
	c.derived(call, "r", transcript.Event{Kind: transcript.Result, Result: &transcript.ResultInfo{CallID: m.ID, Text: text}})
}
