package geminicli

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// maxDocument is the largest document that is read, in bytes: all of it has to
// be held.
const maxDocument = 256 << 20

// document reads a chat that is one JSON document, rewritten with every change:
// its head and each of its messages as a record of its own, at its place.
func (c *chat) document(data []byte, batch *transcript.Batch) bool {
	if !json.Valid(data) {
		kit.Broken(&batch.Coverage)
		return false
	}
	start := bytes.IndexByte(data, '{')
	if start < 0 {
		kit.Broken(&batch.Coverage)
		return true
	}
	batch.Coverage.Records++
	batch.Coverage.Read++
	c.At(transcript.Ref{Offset: int64(start), Line: 1}, batch, c.Spec.Tool)
	c.session(data[start:])
	c.CheckMembers("session", "", data[start:], &batch.Coverage)
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
			c.turn(at, batch)
		} else {
			kit.Map(c, at, batch)
		}
	}
	return true
}

// turn maps an entry of the form with roles and parts, which a relative of the
// tool writes: it has no ids and no times, and a step's outcome is a text of
// the model.
func (c *chat) turn(line transcript.Line, batch *transcript.Batch) {
	batch.Coverage.Records++
	batch.Coverage.Read++
	c.CheckMembers("turn", "", line.Text, &batch.Coverage)
	c.At(line.Ref(), batch, c.Spec.Tool)
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
