// Package cursor reads the sessions of Cursor: those of the editor from its
// databases, those of its command line from transcripts of JSON lines, which
// tell less.
package cursor

import (
	"encoding/json"
	"hash/fnv"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// revision rises when the same bytes would give other events.
const revision = 3

// Reader reads Cursor's sessions by the tables of its spec.
type Reader struct {
	*kit.Tables
	queries []transcript.RowQuery
}

var _ transcript.RowReader = (*Reader)(nil)

// New is a reader by this spec.
func New(spec *toolspecs.Spec) *Reader {
	r := &Reader{Tables: kit.For(spec)}
	for _, source := range spec.Transcripts {
		for _, query := range source.Queries {
			if !slices.Contains(r.queries, query) {
				r.queries = append(r.queries, query)
			}
		}
	}
	return r
}

// Revision implements transcript.Reader.
func (r *Reader) Revision() int { return revision }

// Decode implements transcript.Reader for the transcripts of JSON lines.
func (r *Reader) Decode(src transcript.Source, in io.Reader, pos transcript.Position) (transcript.Decoder, error) {
	file := filepath.ToSlash(src.Path)
	lines := &lines{Reader: r, cwd: src.Cwd, file: strings.TrimSuffix(path.Base(file), path.Ext(file)), slug: slugOf(file)}
	if err := transcript.DecodeState(pos.State, &lines.state); err != nil {
		return nil, err
	}
	lines.session = lines.file
	if folder := path.Dir(file); path.Base(folder) == subagents {
		lines.session, lines.subagent = path.Base(path.Dir(folder)), true
	}
	return kit.Decode(in, pos, lines), nil
}

// subagents is the folder, in that of a session, with the transcripts of its
// subagents.
const subagents = "subagents"

// record is a row, or a message in one, on its way to events.
type record struct {
	*Reader
	kit.Record
	session string
	time    time.Time
}

// emit adds an event made from this record.
func (r *record) emit(event transcript.Event) *transcript.Located {
	event.Tool, event.Session = r.Spec.Tool, r.session
	if event.Time.IsZero() {
		event.Time = r.time
	}
	return r.Add(event)
}

// blockBits leaves room for the events of one record beside its hash.
const blockBits = 6

// timeBits leaves room in an offset for what shares its millisecond.
const timeBits = 12

// placed is the place of a record among those of its session: by its time in
// milliseconds, else by its number. What shares a place, in the sessions of one
// database too, is told apart by a hash of its id.
func placed(id string, made, number int64) transcript.Ref {
	sum := fnv.New32a()
	_, _ = io.WriteString(sum, id)
	offset := number
	if made > 0 {
		offset = made << timeBits
	}
	return transcript.Ref{Offset: offset, Block: int(sum.Sum32()>>2) << blockBits}
}

// firstMillisecond is where times begin: what the tool writes below it is no
// date but time since a start.
const firstMillisecond = 946684800000

// at is a time of the tool, in milliseconds; 0 is unknown.
func at(ms int64) time.Time {
	if ms < firstMillisecond {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// decode reads an object of the tool, and says whether it is one.
func decode(data []byte, into any) bool {
	return len(data) > 0 && data[0] == '{' && json.Unmarshal(data, into) == nil
}
