package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"
	"strings"
	"unicode/utf8"
)

// ErrBroken says that a record is not a complete JSON object.
var ErrBroken = errors.New("not a complete JSON object")

// Peek finds the string at path (a key, then keys of nested objects) without
// decoding the record. It is aware of strings and nesting: a `"type":` inside a
// text or another object does not count. It stops at the value, so a key near
// the start of a long line costs nothing of the rest; the first of two equal
// keys wins. The result is part of line, still escaped.
func Peek(line []byte, path ...string) (text []byte, ok bool) {
	object := line
	for depth, name := range path {
		members := Walk(object)
		for {
			key, start, more := members.key()
			if !more {
				return nil, false
			}
			if string(key) == name {
				object = object[start:]
				break
			}
			if members.skip() == nil {
				return nil, false
			}
		}
		if depth == len(path)-1 {
			return stringAt(object)
		}
	}
	return nil, false
}

func stringAt(data []byte) ([]byte, bool) {
	if len(data) == 0 || data[0] != '"' {
		return nil, false
	}
	end := stringEnd(data, 0)
	if end < 0 {
		return nil, false
	}
	return data[1:end], true
}

// Walker visits the members of a JSON object without decoding them.
type Walker struct {
	data []byte
	at   int
	err  error
	end  bool
}

// Walk starts at the object that data begins with; space may stand before it.
func Walk(data []byte) *Walker {
	w := &Walker{data: data}
	w.space()
	if w.at >= len(data) || data[w.at] != '{' {
		w.err = ErrBroken
		return w
	}
	w.at++
	return w
}

// Next returns the next member: its key unescaped, its value as it stands.
func (w *Walker) Next() (key, value []byte, ok bool) {
	key, _, ok = w.key()
	if !ok {
		return nil, nil, false
	}
	value = w.skip()
	return key, value, value != nil
}

// Err is ErrBroken when the object did not end properly.
func (w *Walker) Err() error {
	if w.err == nil && !w.end {
		return ErrBroken
	}
	return w.err
}

// Members finds the members of an object by name; one that is missing is nil.
func Members(object []byte, names ...string) [][]byte {
	found := make([][]byte, len(names))
	for walker := Walk(object); ; {
		key, value, ok := walker.Next()
		if !ok {
			return found
		}
		for i, name := range names {
			if name == string(key) {
				found[i] = value
			}
		}
	}
}

// Member finds one member of an object by name, nil when it is missing.
func Member(object []byte, name string) []byte { return Members(object, name)[0] }

// key reads up to the next member's value and says where that starts.
func (w *Walker) key() (key []byte, start int, ok bool) {
	if w.err != nil || w.end {
		return nil, 0, false
	}
	w.space()
	if w.at < len(w.data) && w.data[w.at] == ',' {
		w.at++
		w.space()
	}
	if w.at < len(w.data) && w.data[w.at] == '}' {
		w.at++
		w.end = true
		return nil, 0, false
	}
	if w.at >= len(w.data) || w.data[w.at] != '"' {
		return w.broken()
	}
	end := stringEnd(w.data, w.at)
	if end < 0 {
		return w.broken()
	}
	key = unescapeKey(w.data[w.at : end+1])
	w.at = end + 1
	w.space()
	if w.at >= len(w.data) || w.data[w.at] != ':' {
		return w.broken()
	}
	w.at++
	w.space()
	return key, w.at, true
}

func (w *Walker) broken() ([]byte, int, bool) {
	w.err = ErrBroken
	return nil, 0, false
}

// skip passes over the value at the cursor; nil when it does not end.
func (w *Walker) skip() []byte {
	start := w.at
	end := valueEnd(w.data, start)
	if end < 0 {
		w.err = ErrBroken
		return nil
	}
	w.at = end
	return w.data[start:end]
}

func (w *Walker) space() {
	for w.at < len(w.data) {
		switch w.data[w.at] {
		case ' ', '\t', '\r', '\n':
			w.at++
		default:
			return
		}
	}
}

func unescapeKey(quoted []byte) []byte {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1]
	}
	var key string
	if json.Unmarshal(quoted, &key) != nil {
		return quoted[1 : len(quoted)-1]
	}
	return []byte(key)
}

// valueEnd is the index after the value at start, or -1.
func valueEnd(data []byte, start int) int {
	if start >= len(data) {
		return -1
	}
	switch data[start] {
	case '"':
		if end := stringEnd(data, start); end >= 0 {
			return end + 1
		}
		return -1
	case '{', '[':
		return nestedEnd(data, start)
	}
	for at := start; at < len(data); at++ {
		switch data[at] {
		case ',', '}', ']', ' ', '\t', '\r', '\n':
			if at == start {
				return -1
			}
			return at
		}
	}
	return -1
}

func nestedEnd(data []byte, start int) int {
	depth := 0
	for at := start; at < len(data); at++ {
		switch data[at] {
		case '"':
			if at = stringEnd(data, at); at < 0 {
				return -1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return at + 1
			}
		}
	}
	return -1
}

// stringEnd is the index of the quote that closes the string opened at start,
// or -1. Most of a transcript is long strings, so it hops from quote to quote.
func stringEnd(data []byte, start int) int {
	at := start + 1
	for {
		hop := bytes.IndexByte(data[at:], '"')
		if hop < 0 {
			return -1
		}
		at += hop
		slashes := 0
		for data[at-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return at
		}
		at++
	}
}

// Text decodes a string of JSON; anything else is "". It has the simple escapes
// of its own, which halves the cost of long outputs, and leaves \u to the
// standard library.
func Text(raw []byte) string {
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return ""
	}
	inner := raw[1 : len(raw)-1]
	if !utf8.Valid(inner) {
		return slowText(raw)
	}
	at := bytes.IndexByte(inner, '\\')
	if at < 0 {
		return string(inner)
	}
	var text strings.Builder
	text.Grow(len(inner))
	for at >= 0 {
		if at+1 >= len(inner) || simple[inner[at+1]] == 0 {
			return slowText(raw)
		}
		text.Write(inner[:at])
		text.WriteByte(simple[inner[at+1]])
		inner = inner[at+2:]
		at = bytes.IndexByte(inner, '\\')
	}
	text.Write(inner)
	return text.String()
}

// simple are the escapes of one letter.
var simple = [256]byte{'"': '"', '\\': '\\', '/': '/', 'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f'}

func slowText(raw []byte) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return ""
	}
	return text
}

// Elements are the values of a JSON array, each as it stands, with its index.
// It ends early where the array is broken.
func Elements(array []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		array = bytes.TrimSpace(array)
		if len(array) == 0 || array[0] != '[' {
			return
		}
		walker := &Walker{data: array, at: 1}
		for index := 0; ; index++ {
			walker.space()
			if walker.at < len(array) && array[walker.at] == ',' {
				walker.at++
				walker.space()
			}
			if walker.at >= len(array) || array[walker.at] == ']' {
				return
			}
			value := walker.skip()
			if value == nil || !yield(index, value) {
				return
			}
		}
	}
}
