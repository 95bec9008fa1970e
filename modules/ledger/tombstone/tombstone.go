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

// Tombstones are the marks of one home. The zero value has none.
type Tombstones struct {
	dir      string
	key      []byte
	texts    []textMark
	sessions map[string]bool
	damaged  int
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
)

// Open reads the marks kept in a folder; none when there is no file.
func Open(dir string) (*Tombstones, error) {
	t := &Tombstones{dir: dir, sessions: map[string]bool{}}
	key, err := os.ReadFile(filepath.Join(dir, keyName))
	if errors.Is(err, fs.ErrNotExist) {
		return t, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the key of what was forgotten: %w", err)
	}
	t.key = key
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
		t.take(r)
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
	more := &Tombstones{key: t.key, texts: slices.Clone(t.texts), sessions: maps.Clone(t.sessions)}
	if len(more.key) == 0 {
		more.key = make([]byte, 32)
		_, _ = rand.Read(more.key)
	}
	for _, session := range sessions {
		more.take(record{What: "session", Sum: more.sum(session[0] + "\x00" + session[1])})
	}
	if text == "" {
		return more, nil
	}
	if utf8.RuneCountInString(text) < Shortest {
		return nil, ErrTooShort
	}
	for _, form := range forms(text) {
		folded := fold(form)
		more.take(record{What: "text", Sum: more.sum(folded), Length: len(folded), Roll: more.hash(folded)})
	}
	return more, nil
}

func (t *Tombstones) take(r record) {
	switch r.What {
	case "text":
		t.texts = append(t.texts, textMark{r.Length, r.Roll, r.Sum})
	case "session":
		t.sessions[r.Sum] = true
	}
}

// Texts says whether any text was forgotten.
func (t *Tombstones) Texts() bool { return t != nil && len(t.texts) > 0 }

// Session says whether a session was forgotten.
func (t *Tombstones) Session(tool, id string) bool {
	return t != nil && len(t.sessions) > 0 && t.sessions[t.sum(tool+"\x00"+id)]
}

// AddSession remembers that a session is to be forgotten.
func (t *Tombstones) AddSession(tool, id string, now time.Time) error {
	if err := t.makeKey(); err != nil {
		return err
	}
	return t.add(record{What: "session", Sum: t.sum(tool + "\x00" + id), Time: stamp(now)})
}

// AddText remembers that a text is to be forgotten, in whatever case.
func (t *Tombstones) AddText(text string, now time.Time) error {
	if utf8.RuneCountInString(text) < Shortest {
		return ErrTooShort
	}
	if err := t.makeKey(); err != nil {
		return err
	}
	for _, form := range forms(text) {
		folded := fold(form)
		r := record{What: "text", Sum: t.sum(folded), Length: len(folded), Roll: t.hash(folded), Time: stamp(now)}
		if slices.ContainsFunc(t.texts, func(m textMark) bool { return m.sum == r.Sum }) {
			continue
		}
		if err := t.add(r); err != nil {
			return err
		}
	}
	return nil
}

// forms are the ways to write a text in which more than ASCII letters differ.
func forms(text string) []string {
	list := []string{text, strings.ToLower(text), strings.ToUpper(text)}
	slices.Sort(list)
	return slices.Compact(list)
}

func (t *Tombstones) add(r record) error {
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
	t.take(r)
	return nil
}

// makeKey makes the key with the first mark. A key that another made meanwhile
// is taken.
func (t *Tombstones) makeKey() error {
	if len(t.key) > 0 {
		return nil
	}
	key := make([]byte, 32)
	_, _ = rand.Read(key)
	path := filepath.Join(t.dir, keyName)
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		t.key, err = os.ReadFile(path)
		return err
	}
	if err != nil {
		return fmt.Errorf("keep the key of what was forgotten: %w", err)
	}
	_, err = file.Write(key)
	t.key = key
	return errors.Join(err, file.Sync(), file.Close())
}

func (t *Tombstones) sum(text string) string {
	mac := hmac.New(sha256.New, t.key)
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

func stamp(now time.Time) string { return now.UTC().Format(time.RFC3339) }

// base of the rolling hash: of the key, so that the hash tells nothing
// without it.
func (t *Tombstones) base() uint64 { return binary.LittleEndian.Uint64(t.key) | 1 }

func (t *Tombstones) hash(text string) uint64 {
	var h uint64
	for i := range len(text) {
		h = h*t.base() + uint64(text[i]) + 1
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
