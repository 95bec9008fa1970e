package transcript

import (
	"encoding/json"
	"io"
	"strings"
)

// MaxLine is the longest record a reader takes, in bytes. Longer ones are
// counted in Coverage.TooLong and skipped without being held in memory. The longest
// line in 2 GB of real transcripts has 0.7 MB; agents cut outputs and pictures.
const MaxLine = 16 << 20

// MaxState is the largest reader state that may be stored, in bytes.
const MaxState = 64 << 10

// Source names one file (or later: one database) of a tool. The path is a
// hint, for example for the session id in a file name; it is never part of
// an event's identity.
type Source struct {
	Tool string `json:"tool"`
	Path string `json:"path"`
	// Cwd is the directory of the source's sessions where a file beside the
	// source names it (Transcript.Beside of a spec), "" where none does.
	Cwd string `json:"cwd,omitempty"`
}

// Ref is the place of an event inside its source. Offsets are logical: counted
// in the uncompressed stream, in bytes from its start.
type Ref struct {
	Offset int64 `json:"offset"`
	Length int64 `json:"length"`
	Line   int64 `json:"line"`  // 1-based
	Block  int   `json:"block"` // nth event made from this record, from 0
}

// EditText is the text around an edit. Readers pass it along so that symbols
// can be found at ingest; it is never stored.
type EditText struct {
	Path   string
	Before string
	After  string
}

// Located is an event with its place.
type Located struct {
	Event
	Ref  Ref
	Edit *EditText
}

// Position is how far a source has been read. State is the reader's own JSON
// (open calls, thread id, todo list…), at most MaxState bytes.
type Position struct {
	Offset int64           `json:"offset"`
	Line   int64           `json:"line"` // lines consumed so far
	State  json.RawMessage `json:"state,omitempty"`
}

// Coverage says what became of the records of a source: nothing is dropped
// without being counted. Unknown counts record types and tool names that no
// spec knows, per tool version.
type Coverage struct {
	Records int64                       `json:"records"`
	Read    int64                       `json:"read"`
	Skipped int64                       `json:"skipped"` // on purpose
	Broken  int64                       `json:"broken"`  // not a complete JSON record
	TooLong int64                       `json:"too_long"`
	Unknown map[string]map[string]int64 `json:"unknown,omitempty"` // version → type → count
}

// Add sums other into c.
func (c *Coverage) Add(other Coverage) {
	c.Records += other.Records
	c.Read += other.Read
	c.Skipped += other.Skipped
	c.Broken += other.Broken
	c.TooLong += other.TooLong
	for version, types := range other.Unknown {
		for name, n := range types {
			c.CountUnknown(version, name, n)
		}
	}
}

// CountUnknown adds n records (or calls) of a type that no spec knows.
func (c *Coverage) CountUnknown(version, name string, n int64) {
	if c.Unknown == nil {
		c.Unknown = map[string]map[string]int64{}
	}
	if c.Unknown[version] == nil {
		c.Unknown[version] = map[string]int64{}
	}
	c.Unknown[version][name] += n
}

// MemberPrefix begins the names in Unknown that are of members of known records. Those
// are counted in a part of the records, and a new member alone loses nothing.
const MemberPrefix = "member "

// UnknownTotal is the number of unknown records and calls.
func (c Coverage) UnknownTotal() int64 {
	var total int64
	for _, types := range c.Unknown {
		for name, n := range types {
			if !strings.HasPrefix(name, MemberPrefix) {
				total += n
			}
		}
	}
	return total
}

// UnknownMembers are the unknown members, by the type of the record and the name.
func (c Coverage) UnknownMembers() map[string]int64 {
	all := map[string]int64{}
	for _, types := range c.Unknown {
		for name, n := range types {
			if member, ok := strings.CutPrefix(name, MemberPrefix); ok {
				all[member] += n
			}
		}
	}
	return all
}

// Batch is a run of records turned into events, and the position after it.
// Storing Events and Position together makes reading exactly-once: a reader
// restarted at any Batch's Position yields the same events.
type Batch struct {
	Events   []Located
	Position Position
	Coverage Coverage
}

// Decoder yields the batches of one source. Next returns io.EOF when the input
// holds no further complete record. A last line without a newline counts when
// it is a complete JSON object: its events are in the last batch, but that
// batch's Position stays before it, so that it is read again once it is whole,
// and only then it is counted in a Coverage.
type Decoder interface {
	Next() (Batch, error)
}

// Reader turns the bytes of one tool's sources into events. It reads what it
// is handed and touches nothing else: no file, no clock, no network.
type Reader interface {
	// Revision rises when the same bytes would give other events.
	Revision() int
	// Decode continues a source at pos; in delivers the bytes from pos.Offset
	// on. A state it cannot read is ErrState: the caller starts again from 0.
	Decode(src Source, in io.Reader, pos Position) (Decoder, error)
}

// Rewriter is a Reader some of whose sources are rewritten in place instead of
// appended to: those are read from the start whenever they change, and of two
// bodies of one event the newer holds.
type Rewriter interface {
	Rewrites(src Source) bool
}

// HookReader is a Reader that finds decisions, or todos, in the payload of a
// hook, where it comes before the record does or in its stead. The events have the ids that the record's
// will have, but neither tool, session nor time.
type HookReader interface {
	ReadHook(payload []byte) []Event
}
