// Package opencode reads the sessions of OpenCode: from its database, or as
// `opencode export` prints one.
package opencode

import (
	"encoding/json"
	"hash/fnv"
	"time"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// revision rises when the same bytes would give other events.
const revision = 3

// Reader reads OpenCode's sessions by the tables of its spec.
type Reader struct{ kit.Database }

var _ transcript.RowReader = (*Reader)(nil)

// New is a reader by this spec.
func New(spec *toolspecs.Spec) *Reader { return &Reader{kit.ForDatabase(spec)} }

// Revision implements transcript.Reader.
func (r *Reader) Revision() int { return revision }

// session is what every event of a session has in common.
type session struct {
	id, parent string
	headless   bool
}

// record is a session, a message or a part on its way to events.
type record struct {
	*Reader
	kit.Record
	session session
}

// emit adds an event made from this record.
func (r *record) emit(event transcript.Event) *transcript.Located {
	event.Tool, event.Session = r.Spec.Tool, r.session.id
	if r.session.parent != "" {
		event.Session, event.Subagent = r.session.parent, true
	}
	return r.Add(event)
}

// blockBits leaves room for the events of one record beside its hash.
const blockBits = 4

// placed is the place of a record of the database: the time it was made, in
// milliseconds, is its offset. What was made in the same one is told apart by
// a hash of its id.
func placed(id string, made int64) transcript.Ref {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(id))
	return transcript.Ref{Offset: max(made, 0)*counted + counter(id), Block: int(sum.Sum32()>>2) << blockBits}
}

// counted is how many ids of one millisecond the tool tells apart by counting.
const counted = 1 << 12

// counter is the count in an id: a prefix, then twelve digits to the base 16
// that hold the time and, in the last three, the count.
func counter(id string) int64 {
	const prefix, digits, last = 4, 12, 3
	if len(id) < prefix+digits {
		return 0
	}
	var n int64
	for _, digit := range id[prefix+digits-last : prefix+digits] {
		switch {
		case digit >= '0' && digit <= '9':
			n = n<<4 | int64(digit-'0')
		case digit >= 'a' && digit <= 'f':
			n = n<<4 | int64(digit-'a'+10)
		}
	}
	return n
}

// at is a time of the tool, in milliseconds; 0 is unknown.
func at(ms int64) time.Time {
	if ms <= 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// decode reads an object of the tool, and says whether it is one.
func decode(data []byte, into any) bool {
	return len(data) > 0 && data[0] == '{' && json.Unmarshal(data, into) == nil
}
