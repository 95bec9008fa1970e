package home

import (
	"fmt"
	"os"
)

// Misplaced are what stands in the place of a file or folder of ours and is of another
// kind, so that no daemon can run; each with what to do. Other files of ours can be done
// without: status and doctor tell of them.
func (d Dir) Misplaced() []*MisplacedError {
	var found []*MisplacedError
	for _, folder := range []string{d.Path("run"), d.Spool(), d.Handoffs(), d.Path("log"), d.Path("bin")} {
		if info, err := os.Stat(folder); err == nil && !info.IsDir() {
			found = append(found, &MisplacedError{Path: folder, Want: "folder"})
		}
	}
	for _, file := range []string{d.Token(), d.Lock(), d.Path("ledger.lock")} {
		if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
			found = append(found, &MisplacedError{Path: file, Want: "file"})
		}
	}
	return found
}

// MisplacedError says that something of another kind stands in the place of a file or
// folder of ours.
type MisplacedError struct {
	Path string
	Want string // "file" or "folder"
}

func (e *MisplacedError) Error() string {
	return fmt.Sprintf("%s is no %s, as Carryover keeps there", e.Path, e.Want)
}

// Fix is the command that makes room.
func (e *MisplacedError) Fix() string { return fmt.Sprintf("run `mv %s %s.away`", e.Path, e.Path) }
