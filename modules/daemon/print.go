package daemon

import (
	"encoding/binary"
	"hash/maphash"
	"slices"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// prints tell events apart in eight bytes: a session may have hundreds of
// thousands of them.
var prints = maphash.MakeSeed()

// printOf is the print of an event's identity and of what stores write anew in
// place.
func printOf(event transcript.Located) uint64 {
	var h maphash.Hash
	h.SetSeed(prints)
	part := func(text string) {
		_, _ = h.WriteString(text)
		_ = h.WriteByte(0)
	}
	part(event.ID)
	part(event.Text)
	if event.Call != nil {
		part(event.Call.Command)
		part(event.Call.Detail)
	}
	if event.Result != nil {
		part(event.Result.Text)
	}
	if event.Usage != nil {
		var context [8]byte
		binary.LittleEndian.PutUint64(context[:], uint64(event.Usage.Context))
		_, _ = h.Write(context[:])
	}
	return h.Sum64()
}

// maxRecent is how many rows a database may give again and be known.
const maxRecent = 256

// recent are the prints of the newest events, the oldest of them next to go.
type recent struct {
	prints []uint64
	next   int
}

func (r *recent) add(print uint64) {
	if len(r.prints) < maxRecent {
		r.prints = append(r.prints, print)
		return
	}
	r.prints[r.next] = print
	r.next = (r.next + 1) % maxRecent
}

func (r *recent) has(print uint64) bool { return slices.Contains(r.prints, print) }
