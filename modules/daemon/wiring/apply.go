// Package wiring edits the agents' settings files as a guest: it adds what a
// tool's spec says is wired, by splices into the bytes that are there, and
// takes it out again without a trace.
package wiring

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2/maybe"

	"github.com/carryover-go/carryover/modules/daemon/home"
)

// Change is what is done, or would be done, to one file.
type Change struct {
	Tool   string
	Path   string
	Before []byte // nil: no file
	After  []byte // nil: the file goes
	Note   string // one sentence the user should read
}

// Changed says whether the bytes differ.
func (c Change) Changed() bool {
	return (c.Before == nil) != (c.After == nil) || string(c.Before) != string(c.After)
}

// Plan says what Apply would do and changes nothing.
func Plan(t Target) (Change, error) {
	data, err := readSettings(t.Path)
	if err != nil {
		return Change{}, err
	}
	after, err := addEntries(data, t)
	if err != nil {
		return Change{}, fmt.Errorf("%s: %w", t.Path, err)
	}
	change := Change{Tool: t.Tool, Path: t.Path, Before: data, After: after}
	if change.Changed() {
		err = writable(t.Path)
	}
	return change, err
}

// maxTries bounds how often a change is planned again because the file was written
// meanwhile.
const maxTries = 5

// Apply adds our hooks to the file and records how to undo it. version is the
// tool's, for the record. A file that its tool writes meanwhile is read again.
func Apply(dir home.Dir, record *Record, t Target, version string) (change Change, err error) {
	for range maxTries {
		if change, err = apply(dir, record, t, version); !errors.Is(err, errWritten) {
			return change, err
		}
	}
	return change, err
}

func apply(dir home.Dir, record *Record, t Target, version string) (Change, error) {
	change, err := Plan(t)
	if err != nil {
		return Change{}, err
	}
	old, known := record.File(t.Path)
	entry := FileRecord{
		For:  old.For,
		Tool: t.Tool, Path: t.Path, Version: version, Created: change.Before == nil,
		Before: hashOf(change.Before), After: hashOf(change.After), Keys: keysToCreate(change.Before, t), Mode: "0600",
	}
	entry.Wired = old.Wired
	switch {
	case known && old.After == hashOf(change.Before): // ours on top of ours
		entry.Before, entry.Backup, entry.Created = old.Before, old.Backup, old.Created
		entry.Keys, entry.Dirs, entry.Mode = append(old.Keys, entry.Keys...), old.Dirs, old.Mode
	case known: // the user edited the file since: the old bytes are no longer the truth
		entry.Before, entry.Backup, entry.Created = "", "", false
		entry.Keys, entry.Dirs, entry.Mode = append(old.Keys, entry.Keys...), old.Dirs, old.Mode
	default:
		if info, err := os.Stat(t.Path); err == nil {
			entry.Mode = fmt.Sprintf("%04o", info.Mode().Perm())
		}
		entry.Dirs = missingDirs(filepath.Dir(t.Path))
		if entry.Backup, err = backup(dir, t.Path, change.Before); err != nil {
			return Change{}, err
		}
	}
	if change.Changed() {
		if err := write(t.Path, change.Before, change.After); err != nil {
			return Change{}, err
		}
	}
	record.put(entry)
	return change, nil
}

// PlanRemoval says what Remove would do.
func PlanRemoval(record Record, t Target) (Change, error) {
	entry, _ := record.File(t.Path)
	data, err := readSettings(t.Path)
	if err != nil {
		return Change{}, err
	}
	change := Change{Tool: t.Tool, Path: t.Path, Before: data, After: data}
	if data == nil {
		return change, nil
	}
	if entry.After == hashOf(data) { // nobody touched it since: the bytes that were there
		if entry.Created {
			change.After = nil
			return change, nil
		}
		if old, err := os.ReadFile(entry.Backup); err == nil && hashOf(old) == entry.Before {
			change.After = old
			return change, nil
		}
	}
	after, kept, err := removeEntries(data, t, entry.Keys)
	if err != nil {
		return Change{}, fmt.Errorf("%s: %w", t.Path, err)
	}
	change.After = after
	if kept {
		change.Note = Kept
	}
	return change, nil
}

// Remove removes our hooks from the file. A file that its tool writes meanwhile is
// read again.
func Remove(record *Record, t Target) (change Change, err error) {
	for range maxTries {
		if change, err = remove(record, t); !errors.Is(err, errWritten) {
			return change, err
		}
	}
	return change, err
}

func remove(record *Record, t Target) (Change, error) {
	change, err := PlanRemoval(*record, t)
	if err != nil {
		return Change{}, err
	}
	entry, _ := record.File(t.Path)
	switch {
	case change.Before == nil:
	case change.After == nil:
		if err := removeUnwritten(t.Path, change.Before); err != nil {
			return Change{}, err
		}
		for i := len(entry.Dirs) - 1; i >= 0; i-- {
			_ = os.Remove(entry.Dirs[i]) // stays when it is no longer empty
		}
	case change.Changed():
		if err := write(t.Path, change.Before, change.After); err != nil {
			return Change{}, err
		}
	}
	if entry.Backup != "" {
		_ = os.Remove(entry.Backup)
	}
	record.drop(t.Path)
	return change, nil
}

// writable refuses a file that its owner has locked: replacing it would work,
// and not be what was meant.
func writable(path string) error {
	if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o200 == 0 {
		return fmt.Errorf("%w: %s is read-only", ErrRefused, path)
	}
	return nil
}

func backup(dir home.Dir, path string, data []byte) (string, error) {
	if data == nil {
		return "", nil
	}
	name := dir.Path("backups", hashOf([]byte(path))[:16]+"-"+filepath.Base(path))
	if err := dir.Make("backups"); err != nil {
		return "", err
	}
	if err := maybe.WriteFile(name, data, 0o600); err != nil {
		return "", fmt.Errorf("back up %s: %w", path, err)
	}
	return name, nil
}

// missingDirs lists the folders that will have to be made, outermost first.
func missingDirs(dir string) []string {
	var missing []string
	for {
		if _, err := os.Stat(dir); err == nil || filepath.Dir(dir) == dir {
			return missing
		}
		missing = append([]string{dir}, missing...)
		dir = filepath.Dir(dir)
	}
}

func hashOf(data []byte) string {
	if data == nil {
		return ""
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
