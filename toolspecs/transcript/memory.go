package transcript

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"
)

// Remember appends to what a reader keeps from line to line, and forgets the
// oldest beyond the bound: by line order, so that any division of a source forgets
// the same.
func Remember[T any](list []T, item T, bound int) []T {
	list = append(list, item)
	if len(list) > bound {
		list = slices.Delete(list, 0, len(list)-bound)
	}
	return list
}

// EncodeState is a reader's state as it is stored. One beyond MaxState, which
// only a hostile source brings about, is marshalled again after forget has
// dropped what it can do without.
func EncodeState(state any, forget func()) (json.RawMessage, error) {
	data, err := json.Marshal(state)
	if err == nil && len(data) > MaxState {
		forget()
		data, err = json.Marshal(state)
	}
	return data, err
}

// DecodeState reads back what EncodeState made of a reader's state; nothing
// stored leaves it as it is. A state with members the reader does not know is
// that of another reader: the error is ErrState, and the source is read again.
func DecodeState(stored json.RawMessage, state any) error {
	if len(stored) == 0 {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(stored))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(state); err != nil {
		return fmt.Errorf("%w: %w", ErrState, err)
	}
	return nil
}

// Fingerprint is a short hash of a text, blind to space around it, for states
// that have no room for the text.
func Fingerprint(text string) uint32 {
	sum := fnv.New32a()
	_, _ = io.WriteString(sum, strings.TrimSpace(text))
	return sum.Sum32()
}

// Truncate shortens a text to a number of bytes, at a rune boundary.
func Truncate(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && text[limit]&0xC0 == 0x80 {
		limit--
	}
	return text[:limit]
}
