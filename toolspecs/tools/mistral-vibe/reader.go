// Package mistralvibe reads the sessions of Mistral Vibe: a folder per session, in
// which a journal of JSON lines is folded, at the end of a run, into chunks that are
// lists of the same entries. No record names the folder; a file beside them does.
package mistralvibe

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// revision rises when the same bytes would give other events.
const revision = 1

// maxChunk bounds one chunk, in bytes: all of it has to be held.
const maxChunk = 64 << 20

// Reader reads Vibe's sessions by the tables of its spec.
type Reader struct{ *kit.Tables }

// New is a reader by this spec.
func New(spec *toolspecs.Spec) *Reader { return &Reader{kit.For(spec)} }

// Revision implements transcript.Reader.
func (r *Reader) Revision() int { return revision }

// Rewrites implements transcript.Rewriter: a chunk is one document.
func (r *Reader) Rewrites(src transcript.Source) bool { return strings.HasSuffix(src.Path, ".json") }

// Decode implements transcript.Reader.
func (r *Reader) Decode(src transcript.Source, in io.Reader, pos transcript.Position) (transcript.Decoder, error) {
	s := &session{Log: kit.NewLog[record](r.Tables, &state{}), cwd: src.Cwd}
	if !r.Rewrites(src) {
		return kit.Resume(in, pos, s)
	}
	if pos.Offset > 0 || len(pos.State) > 0 {
		return nil, fmt.Errorf("%w: a chunk is read as a whole", transcript.ErrState)
	}
	return kit.DecodeWhole(in, "chunk of Mistral Vibe", maxChunk, s.chunk), nil
}

// state is what one record needs to know of those before it.
type state struct {
	Opened string        `json:"opened,omitempty"` // the session that was told of
	Turn   string        `json:"turn,omitempty"`   // under way
	Open   kit.OpenCalls `json:"open,omitempty"`
	Said   int64         `json:"said,omitempty"` // when the last reply of the turn came
	Used   int64         `json:"used,omitempty"` // tokens of the context, as told last
}

// Forget implements kit.Memory.
func (s *state) Forget() { *s = state{Opened: s.Opened} }

// session is a journal or a chunk being read.
type session struct {
	kit.Log[record, *state]
	cwd string
}

// record is a line of a journal, or an entry of a chunk.
type record struct {
	Sequence int64 `json:"sequence"`
	Payload  struct {
		Delta []delta `json:"delta"`
	} `json:"payload"`
	entry
}

// delta is a change of the history: an entry that is added or replaced, or what is
// known of the session.
type delta struct {
	Op    string `json:"op"`
	Entry entry  `json:"entry"`
	State struct {
		Turn struct {
			ID     string `json:"id"`
			Status string `json:"status"`
		} `json:"latestTurn"`
		Session struct {
			Usage struct {
				Total int64 `json:"totalTokens"`
			} `json:"contextUsage"`
		} `json:"session"`
	} `json:"state"`
}

// Read implements kit.Format.
func (s *session) Read(kind string) {
	if kind != "projection_delta" {
		s.entry(s.Record.entry)
		return
	}
	for _, change := range s.Record.Payload.Delta {
		switch change.Op {
		case "append_entry", "replace_entry":
			s.entry(change.Entry)
		case "set_envelope":
			s.used(change)
			if change.State.Turn.ID == s.Memory.Turn {
				s.ended(change.State.Turn.Status)
			}
		case "remove_entry": // of a notice, as far as was seen
		default:
			s.Coverage().CountUnknown("", "change "+change.Op, 1)
		}
	}
}

// chunk reads a list of entries; false says that it is not whole yet.
func (s *session) chunk(data []byte, batch *transcript.Batch) bool {
	if trimmed := bytes.TrimSpace(data); trimmed[0] != '[' || trimmed[len(trimmed)-1] != ']' {
		return false
	}
	at := int64(0)
	for n, element := range transcript.Elements(data) {
		at += int64(bytes.Index(data[at:], element))
		kit.Map(s, transcript.Line{Offset: at, Number: int64(n) + 1, Text: element}, batch)
		at += int64(len(element))
	}
	s.ended("completed") // what goes on stands in the journal
	return true
}
