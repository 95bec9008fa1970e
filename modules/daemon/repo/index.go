package repo

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
)

// maxIndex bounds the index that is read. A larger one belongs to a repository
// of a million files; there the answer of Tracks is the careful one.
const maxIndex = 256 << 20

// Tracks says whether the worktree's index holds a path with this prefix.
// What cannot be read counts as tracked only where an index is there.
func (w Worktree) Tracks(prefix string) bool {
	path := filepath.Join(w.GitDir, "index")
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	if info.Size() > maxIndex {
		return true
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return true
	}
	found, ok := indexHas(data, prefix)
	if !ok { // another hash or a split index: look at the bytes
		return bytes.Contains(data, []byte(prefix))
	}
	return found
}

// Layout of an index entry (git's index-format, SHA-1): 40 bytes of stat, 20
// of hash, 2 of flags, then 2 more when the extended flag is set.
const (
	entryFixed   = 62
	flagExtended = 0x4000
)

// indexHas walks the sorted entries of versions 2 to 4.
func indexHas(data []byte, prefix string) (found, ok bool) {
	if len(data) < 12 || string(data[:4]) != "DIRC" {
		return false, false
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	if version < 2 || version > 4 {
		return false, false
	}
	rest, name := data[12:], ""
	for range count {
		var size int
		if name, size, ok = entry(rest, name, version); !ok {
			return false, false
		}
		if strings.HasPrefix(name, prefix) {
			return true, true
		}
		rest = rest[size:]
	}
	return false, true
}

// entry reads one entry's name and size; version 4 shortens a name by what it
// shares with the one before.
func entry(data []byte, before string, version uint32) (name string, size int, ok bool) {
	if len(data) < entryFixed {
		return "", 0, false
	}
	at := entryFixed
	if binary.BigEndian.Uint16(data[60:])&flagExtended != 0 {
		at += 2
	}
	kept := ""
	if version == 4 {
		strip, n := offsetVarint(data[at:])
		if n == 0 || strip > len(before) {
			return "", 0, false
		}
		kept, at = before[:len(before)-strip], at+n
	}
	if at > len(data) {
		return "", 0, false
	}
	end := bytes.IndexByte(data[at:], 0)
	if end < 0 {
		return "", 0, false
	}
	name = kept + string(data[at:at+end])
	if version == 4 {
		return name, at + end + 1, true
	}
	size = (at + end + 8) / 8 * 8 // NUL-padded to a multiple of eight
	return name, size, size <= len(data)
}

// offsetVarint is the variable-length number of pack offsets, as version 4 uses it.
func offsetVarint(data []byte) (value, n int) {
	for i, b := range data {
		if i > 4 {
			return 0, 0
		}
		value = value<<7 | int(b&0x7f)
		if b&0x80 == 0 {
			return value, i + 1
		}
		value++
	}
	return 0, 0
}
