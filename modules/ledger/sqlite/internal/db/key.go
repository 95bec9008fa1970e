package db

import (
	"hash/fnv"
	"time"
)

// keyBits is how many bits of a key tell events of one millisecond apart.
const keyBits = 20

// maxMilliseconds is what fits above them: the year 2248.
const maxMilliseconds = 1<<(63-keyBits) - 1

// NewKey makes the key of an event. Keys are in time order, because the search
// looks at the newest first; an event without a time gets the one of the last
// event before it that has one. A history that is imported late takes the
// place in the order that its times give it, and the lower bits are a hash, so
// a key depends on the event and not on when it was read. (Two events of one
// millisecond whose hashes meet are the exception: the later takes the next
// free key. No key is part of the digest.)
func NewKey(tool, id string, ms int64) int64 {
	hash := fnv.New32a()
	hash.Write([]byte(tool))
	hash.Write([]byte{0})
	hash.Write([]byte(id))
	low := int64(hash.Sum32() & (1<<keyBits - 1))
	return min(max(ms, 0), maxMilliseconds)<<keyBits | low
}

// KeyTime is the time in a key, in milliseconds.
func KeyTime(key int64) int64 { return key >> keyBits }

// The numbers of the index (documents) are of a stretch of time, above so many bits
// that count what is in it: near each other they take less room in every list of a
// word, and the newest are found first.
const (
	stretchBits = 20 // of a stretch, in milliseconds: 17 minutes
	numberBits  = 13
)

// FirstDocument is the smallest number of a document in the stretch of a time, in
// milliseconds.
func FirstDocument(ms int64) int64 { return ms >> stretchBits << numberBits }

// Stretch is the smallest number of a document in the stretch of another one.
func Stretch(document int64) int64 { return document >> numberBits << numberBits }

// NextStretch is the smallest number of a document in the stretch after that of
// another one.
func NextStretch(document int64) int64 { return (document>>numberBits + 1) << numberBits }

// IDHash stands for the id of an event in an index: an index over ids themselves takes
// three times as much room. Two may have the same one. It is below 0, and its lower
// bits are those of the event's key (made of the same hash): a damaged ledger is read
// by what its numbers look like.
func IDHash(tool, id string) int64 {
	hash := fnv.New64a()
	hash.Write([]byte(tool))
	hash.Write([]byte{0})
	hash.Write([]byte(id))
	high := int64(hash.Sum64() >> (64 - hashBits + keyBits))
	return -1 - (high<<keyBits | NewKey(tool, id, 0))
}

// hashBits is the size of IDHash without its sign.
const hashBits = 47

// HashFits says whether a key can be that of the event with a hash of its id. The next
// ones are those of events whose hashes meet.
func HashFits(hash, key int64) bool {
	const most = 4
	made := (-1 - hash) & (1<<keyBits - 1)
	low := key & (1<<keyBits - 1)
	return hash < 0 && low >= made && low-made < most
}

// FirstKey is the smallest key of an event at or after a time.
func FirstKey(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return min(max(t.UnixMilli(), 0), maxMilliseconds) << keyBits
}
