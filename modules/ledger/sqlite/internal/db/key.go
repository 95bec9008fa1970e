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

// FirstKey is the smallest key of an event at or after a time.
func FirstKey(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return min(max(t.UnixMilli(), 0), maxMilliseconds) << keyBits
}
