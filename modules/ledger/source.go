package ledger

import (
	"time"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Source is a file or database of a tool, and how far it has been read.
type Source struct {
	Tool     string
	Path     string
	Main     string // session the file belongs to, "" when unknown
	Subagent bool
	Rewrites bool // the tool rewrites it in place: of two bodies of one event the newer stays
	Device   uint64
	Inode    uint64
	Size     int64
	ModTime  time.Time // of the last stat; only compared, never shown as a time of an event
	Head     string    // hash of the first min(4 KiB, offset) bytes
	Tail     string    // hash of the last 4 KiB before the offset
	Revision int       // of the reader
	Position transcript.Position
	Parked   string // why it is not read; "" when it is
}
