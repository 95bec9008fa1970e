// Package tombstone keeps what must never be stored again: as keyed hashes in a
// file beside the ledger, so that the file tells nobody what it was, and so
// that it outlives the ledger. What is read later, from a transcript that
// still holds it, meets the same marks on its way in.
package tombstone

import (
	"bufio"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"
)

// Mark stands in the place of a forgotten text.
const Mark = "[forgotten]"

// Shortest text that can be forgotten, in characters: shorter ones stand in
// half of all words.
const Shortest = 3

// ErrTooShort says that a text is too short to be forgotten.
var ErrTooShort = fmt.Errorf("the text must have at least %d characters", Shortest)

// Tombstones are the marks of one home. The zero value has none. It is safe for
// concurrent use: marks are added while others look.
type Tombstones struct {
	dir     string
	damaged int
	adding  sync.Mutex
	set     atomic.Pointer[marks] // nil: none
}

// marks are those of one moment. They are not changed: an added mark makes others.
type marks struct {
	key      []byte
	texts    []textMark
	sessions map[string]bool
}

// Marks are what was forgotten up to a moment: two are equal when nothing was
// forgotten between them.
type Marks struct{ set *marks }

// Now are the marks of this moment.
func (t *Tombstones) Now() Marks {
	if t == nil {
		return Marks{}
	}
	return Marks{t.set.Load()}
}

// now are the marks of this moment, not nil.
func (t *Tombstones) now() *marks {
	if t != nil {
		if set := t.set.Load(); set != nil {
			return set
		}
	}
	return &marks{}
}

// textMark finds a text without holding it: by its length and a rolling hash
// first, then by a hash that cannot be turned back.
type textMark struct {
	length int
	roll   uint64
	sum    string
}

// record is one line of the file.
type record struct {
	What   string `json:"what"` // text or session
	Sum    string `json:"sum"`
	Length int    `json:"length,omitempty"` // of a text, in bytes
	Roll   uint64 `json:"roll,omitempty"`
	Time   string `json:"time"`
}

const (
	fileName = "forgotten.jsonl"
	keyName  = "forgotten.key"

	keyLength = 32 // bytes
)

// Open reads the marks kept in a folder; none when there is no file.
func Open(dir string) (*Tombstones, error) {
	t := &Tombstones{dir: dir}
	if info, err := os.Stat(filepath.Join(dir, keyName)); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("read the key of what was forgotten: %s is no file", keyName) // a FIFO would be waited for
	}
	key, err := os.ReadFile(filepath.Join(dir, keyName))
	if errors.Is(err, fs.ErrNotExist) {
		return t, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the key of what was forgotten: %w", err)
	}
	if len(key) < keyLength {
		return t, nil // a write that was torn: no mark was made with it
	}
	set := &marks{key: key, sessions: map[string]bool{}}
	t.set.Store(set)
	file, err := os.Open(filepath.Join(dir, fileName))
	if errors.Is(err, fs.ErrNotExist) {
		return t, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read what was forgotten: %w", err)
	}
	defer func() { _ = file.Close() }()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.damaged++ // a write that was torn: its mark was never promised
			continue
		}
		set.take(r)
	}
	return t, lines.Err()
}

// Damaged is how many lines of the file cannot be read.
func (t *Tombstones) Damaged() int {
	if t == nil {
		return 0
	}
	return t.damaged
}

// With is a copy that has more marks, in memory alone: for what would be
// forgotten.
func (t *Tombstones) With(text string, sessions [][2]string) (*Tombstones, error) {
	more := t.now().clone()
	if len(more.key) == 0 {
		more.key = make([]byte, keyLength)
		_, _ = rand.Read(more.key)
	}
	copied := &Tombstones{}
	copied.set.Store(more)
	for _, session := range sessions {
		more.take(record{What: "session", Sum: more.sum(session[0] + "\x00" + session[1])})
	}
	if text == "" {
		return copied, nil
	}
	if utf8.RuneCountInString(text) < Shortest {
		return nil, ErrTooShort
	}
	for _, form := range forms(text) {
		more.take(more.text(form))
	}
	return copied, nil
}

// clone is a copy that may be changed.
func (m *marks) clone() *marks {
	copied := &marks{key: m.key, texts: slices.Clone(m.texts), sessions: maps.Clone(m.sessions)}
	if copied.sessions == nil {
		copied.sessions = map[string]bool{}
	}
	return copied
}

// text is the record of one form of a text.
func (m *marks) text(form string) record {
	folded := fold(form)
	return record{What: "text", Sum: m.sum(folded), Length: len(folded), Roll: m.hash(folded)}
}

func (m *marks) take(r record) {
	switch r.What {
	case "text":
		m.texts = append(m.texts, textMark{r.Length, r.Roll, r.Sum})
	case "session":
		m.sessions[r.Sum] = true
	}
}

// Texts says whether any text was forgotten.
func (t *Tombstones) Texts() bool { return len(t.now().texts) > 0 }

// Session says whether a session was forgotten.
func (t *Tombstones) Session(tool, id string) bool {
	now := t.now()
	return len(now.sessions) > 0 && now.sessions[now.sum(tool+"\x00"+id)]
}

// AddSession remembers that a session is to be forgotten.
func (t *Tombstones) AddSession(tool, id string, at time.Time) error {
	return t.add(at, func(now *marks) []record {
		return []record{{What: "session", Sum: now.sum(tool + "\x00" + id)}}
	})
}

// AddText remembers that a text is to be forgotten, in whatever case.
func (t *Tombstones) AddText(text string, at time.Time) error {
	if utf8.RuneCountInString(text) < Shortest {
		return ErrTooShort
	}
	return t.add(at, func(now *marks) (list []record) {
		for _, form := range forms(text) {
			r := now.text(form)
			if !slices.ContainsFunc(now.texts, func(m textMark) bool { return m.sum == r.Sum }) {
				list = append(list, r)
			}
		}
		return list
	})
}

// forms are the ways to write a text in which more than ASCII letters differ.
func forms(text string) []string {
	list := []string{text, strings.ToLower(text), strings.ToUpper(text)}
	slices.Sort(list)
	return slices.Compact(list)
}

// add writes records to the file, then lets everybody see them.
func (t *Tombstones) add(at time.Time, records func(*marks) []record) error {
	t.adding.Lock()
	defer t.adding.Unlock()
	now := t.now().clone()
	if len(now.key) == 0 {
		key, err := makeKey(t.dir)
		if err != nil {
			return err
		}
		now.key = key
	}
	for _, r := range records(now) {
		r.Time = stamp(at)
		if err := t.write(r); err != nil {
			return err
		}
		now.take(r)
	}
	t.set.Store(now)
	return nil
}

func (t *Tombstones) write(r record) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(filepath.Join(t.dir, fileName), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("keep what was forgotten: %w", err)
	}
	_, err = file.Write(append(line, '\n'))
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("keep what was forgotten: %w", err)
	}
	return nil
}

// makeKey makes the key with the first mark. A key that another made meanwhile
// is taken.
func makeKey(dir string) ([]byte, error) {
	path := filepath.Join(dir, keyName)
	if key, err := os.ReadFile(path); err == nil && len(key) >= keyLength {
		return key, nil
	}
	key := make([]byte, keyLength)
	_, _ = rand.Read(key)
	file, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = file.Write(key)
		err = errors.Join(err, file.Sync(), file.Close())
	}
	if err != nil {
		return nil, fmt.Errorf("keep the key of what was forgotten: %w", err)
	}
	return key, nil
}

func (m *marks) sum(text string) string {
	mac := hmac.New(sha256.New, m.key)
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

func stamp(now time.Time) string { return now.UTC().Format(time.RFC3339) }

// base of the rolling hash: of the key, so that the hash tells nothing
// without it.
func (m *marks) base() uint64 { return binary.LittleEndian.Uint64(m.key) | 1 }

func (m *marks) hash(text string) uint64 {
	var h uint64
	for i := range len(text) {
		h = h*m.base() + uint64(text[i]) + 1
	}
	return h
}

// fold makes ASCII letters lower case and keeps the length.
func fold(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
