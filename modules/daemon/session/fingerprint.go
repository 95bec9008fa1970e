package session

import (
	"encoding/binary"
	"hash/maphash"
	"slices"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// seed of the fingerprints: they tell events apart in eight bytes, for a session
// may have hundreds of thousands of them.
var seed = maphash.MakeSeed()

// fingerprint is of an event's identity and of what stores rewrite in place.
func fingerprint(event transcript.Located) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
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

// maxRecent is how many rows a database may give again and be recognised.
const maxRecent = 256

// recent are the fingerprints of the newest events, a ring.
type recent struct {
	fingerprints []uint64
	next         int
}

func (r *recent) add(print uint64) {
	if len(r.fingerprints) < maxRecent {
		r.fingerprints = append(r.fingerprints, print)
		return
	}
	r.fingerprints[r.next] = print
	r.next = (r.next + 1) % maxRecent
}

func (r *recent) has(print uint64) bool { return slices.Contains(r.fingerprints, print) }
