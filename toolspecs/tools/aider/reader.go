// Package aider reads the chat history of Aider: one Markdown file in a
// project, appended to by all its runs. A run is a session; it has no id but
// its beginning.
package aider

import (
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// revision rises when the same bytes would give other events.
const revision = 9

// Bounds of a batch, so that one transaction of the ledger stays short.
const (
	batchBytes  = 1 << 20
	batchEvents = 500
)

// Reader reads histories by the tables of its spec.
type Reader struct {
	*kit.Tables
	sorter *toolspecs.LineSorter
}

// New is a reader by this spec.
func New(spec *toolspecs.Spec) *Reader {
	return &Reader{Tables: kit.For(spec), sorter: spec.Records.LineSorter()}
}

// Revision implements transcript.Reader.
func (r *Reader) Revision() int { return revision }

// Decode implements transcript.Reader.
func (r *Reader) Decode(src transcript.Source, in io.Reader, pos transcript.Position) (transcript.Decoder, error) {
	h := &history{project: projectOf(src.Path), pos: pos}
	h.Reader = r
	if err := transcript.DecodeState(pos.State, &h.state); err != nil {
		return nil, err
	}
	h.blocks = newBlocks(in, pos, h.state.Last, h.state.Style)
	h.blocks.known = r.isOwn
	return h, nil
}

// projectOf is the folder of a history, which is the root that Aider names
// files from. A path that is not absolute says nothing.
func projectOf(file string) string {
	file = filepath.ToSlash(file)
	if !isWhole(file) {
		return ""
	}
	return path.Dir(file)
}

// history is one file being read.
type history struct {
	openEdits
	project string
	blocks  *blocks
	pos     transcript.Position
	done    bool
}

// Next implements transcript.Decoder.
func (h *history) Next() (transcript.Batch, error) {
	if h.done {
		return transcript.Batch{}, io.EOF
	}
	var batch transcript.Batch
	start := h.pos.Offset
	for h.pos.Offset-start < batchBytes && len(batch.Events) < batchEvents {
		next, err := h.blocks.next()
		if errors.Is(err, io.EOF) {
			h.done = true
			break
		}
		if err != nil {
			return transcript.Batch{}, err
		}
		h.block = next
		h.At(transcript.Ref{Offset: next.offset, Length: next.length, Line: next.line}, &batch, h.Spec.Tool)
		h.read()
		h.state.Last, h.state.Style = next.kind, next.style
		h.pos.Offset = next.offset + next.length
		h.pos.Line = next.line + next.count - 1
	}
	if h.pos.Offset == start {
		return transcript.Batch{}, io.EOF
	}
	state, err := transcript.EncodeState(&h.state, h.state.forget)
	if err != nil {
		return transcript.Batch{}, fmt.Errorf("keep reader state: %w", err)
	}
	h.pos.State, batch.Position = state, h.pos
	batch.Position.State = state
	return batch, nil
}

// read maps a block and counts it.
func (h *history) read() {
	coverage := h.Coverage()
	coverage.Records++
	switch {
	case h.block.kind == long:
		coverage.Records--
		coverage.TooLong++
	case h.block.kind == header:
		coverage.Read++
		h.run()
	case h.state.Session == "": // text before the first run is nobody's
		coverage.Broken++
	case h.block.kind == prompt:
		coverage.Read++
		h.flush(false)
		h.resolveEdits()
		h.prompt()
	case h.block.kind == reply:
		coverage.Read++
		h.flush(false)
		h.resolveEdits()
		h.reply()
	case h.block.kind == lint:
		coverage.Read++
		h.lintReport()
	default:
		h.systemMessage()
	}
}

// run begins a session.
func (h *history) run() {
	if h.state.Session != "" {
		h.flush(false)
		h.resolveEdits()
	}
	if h.state.First == "" {
		h.state.First = h.block.lines[0]
	}
	h.state.begin(h.sessionID())
	h.emit("start", transcript.Event{
		Kind: transcript.Session, Time: civil(h.block.time), Civil: true,
		Start: h.start(), WorkDir: &transcript.WorkDir{Cwd: h.project},
	})
}

// sessionID is made of when the run began, where in the file, and when the
// file did, which tells two projects apart whose runs began in one second.
func (h *history) sessionID() string {
	mark := transcript.Fingerprint(h.state.First + "\n" + h.block.time + "\n" + strconv.FormatInt(h.block.offset, 10))
	digits := strings.NewReplacer("-", "", ":", "", " ", "-").Replace(h.block.time)
	return fmt.Sprintf("%s-%08x", digits, mark)
}

// civil reads a time that says no zone: it is kept as it stands on the clock
// it was written by.
func civil(text string) time.Time {
	read, err := time.Parse(time.DateTime, text)
	if err != nil {
		return time.Time{}
	}
	return read
}
