package gitrepo

import (
	"bytes"
	"encoding/binary"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/regularfile"
)

// maxIndex bounds the index that is read. A larger one belongs to a repository
// of a million files; there the answer of Tracks is the careful one.
const maxIndex = 256 << 20

// Tracks says whether the worktree's index holds a file or a submodule of this
// name, or anything below it. Letter case does not count, as it does not on some
// file systems. What cannot be read counts as tracked only where an index is
// there.
func (w Worktree) Tracks(name string) bool {
	shared, _ := filepath.Glob(filepath.Join(w.GitDir, "sharedindex.*"))
	for _, path := range append(shared, filepath.Join(w.GitDir, "index")) {
		if indexFileHas(path, name) {
			return true
		}
	}
	return false
}

func indexFileHas(path, name string) bool {
	if _, err := os.Lstat(path); err != nil {
		return false
	}
	data, err := regularfile.Read(path, maxIndex+1)
	if err != nil || len(data) > maxIndex {
		return true
	}
	found, ok := indexHas(data, name)
	if !ok { // another hash: look at the bytes
		return bytes.Contains(bytes.ToLower(data), []byte(strings.ToLower(name)))
	}
	return found
}

// Layout of an index entry (git's index-format, SHA-1): 40 bytes of stat, 20
// of hash, 2 of flags, then 2 more when the extended flag is set.
const (
	entryFixed   = 62
	flagExtended = 0x4000
)

// maxName bounds a name, in bytes, as Linux bounds a path: version 4 would let one long
// name be repeated by every entry.
const maxName = 4096

// indexHas walks the sorted entries of versions 2 to 4.
func indexHas(data []byte, wanted string) (found, ok bool) {
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
		if under(name, wanted) {
			return true, true
		}
		rest = rest[size:]
	}
	return false, true
}

// Unrecorded counts the files, relative to the worktree, that git has not staged or
// committed as they are: those that the index does not hold, and those whose size or
// time is another than the index has. What is staged and not committed is not seen:
// that would take reading objects.
func (w Worktree) Unrecorded(files []string) int {
	data, err := regularfile.Read(filepath.Join(w.GitDir, "index"), maxIndex+1)
	if err != nil || len(data) > maxIndex {
		return 0
	}
	recorded, ok := statsIn(data)
	if !ok {
		return 0
	}
	n := 0
	for _, file := range files {
		path := file
		if !filepath.IsAbs(path) {
			path = filepath.Join(w.Root, filepath.FromSlash(path))
		}
		name, err := filepath.Rel(w.Root, path)
		if err != nil || strings.HasPrefix(name, "..") {
			continue
		}
		known, tracked := recorded[filepath.ToSlash(name)]
		info, err := os.Lstat(path)
		switch {
		case err != nil && tracked, err == nil && !tracked && !info.IsDir():
			n++
		case err == nil && tracked && (known.size != uint32(info.Size()) || known.seconds != uint32(info.ModTime().Unix())):
			n++
		}
	}
	return n
}

// ChangedSince are files that git tracks and that were written after a moment, relative to
// the worktree, at most so many.
func (w Worktree) ChangedSince(from time.Time, most int) []string {
	data, err := regularfile.Read(filepath.Join(w.GitDir, "index"), maxIndex+1)
	if err != nil || len(data) > maxIndex {
		return nil
	}
	recorded, ok := statsIn(data)
	if !ok || len(recorded) > maxLooked {
		return nil
	}
	var changed []string
	for _, name := range slices.Sorted(maps.Keys(recorded)) {
		info, err := os.Lstat(filepath.Join(w.Root, filepath.FromSlash(name)))
		if err == nil && info.Mode().IsRegular() && info.ModTime().After(from) && len(changed) < most {
			changed = append(changed, name)
		}
	}
	return changed
}

// maxLooked bounds how many files are looked at for that.
const maxLooked = 50_000

// fileStat is what an index entry keeps of a file, as 32 bits each.
type fileStat struct{ seconds, size uint32 }

// statsIn are the stats of all entries; false for an index that is none, or whose
// entries have another layout.
func statsIn(data []byte) (map[string]fileStat, bool) {
	if len(data) < 12 || string(data[:4]) != "DIRC" {
		return nil, false
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	stats, rest, name := map[string]fileStat{}, data[12:], ""
	for range count {
		known := fileStat{}
		if len(rest) >= entryFixed {
			known = fileStat{binary.BigEndian.Uint32(rest[8:]), binary.BigEndian.Uint32(rest[36:])}
		}
		var size int
		var ok bool
		if name, size, ok = entry(rest, name, version); !ok {
			return nil, false
		}
		stats[name] = known
		rest = rest[size:]
	}
	return stats, true
}

// under says whether an entry is that of a name, or of something below it.
func under(entry, name string) bool {
	return len(entry) >= len(name) && strings.EqualFold(entry[:len(name)], name) &&
		(len(entry) == len(name) || entry[len(name)] == '/')
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
	if at > len(data) {
		return "", 0, false
	}
	kept := ""
	if version == 4 {
		strip, n := offsetVarint(data[at:])
		if n == 0 || strip > len(before) {
			return "", 0, false
		}
		kept, at = before[:len(before)-strip], at+n
	}
	end := bytes.IndexByte(data[at:], 0)
	if end < 0 || len(kept)+end > maxName {
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
