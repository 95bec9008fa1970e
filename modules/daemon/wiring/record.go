package wiring

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/google/renameio/v2/maybe"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/regularfile"
)

// Record is ~/.carryover/installed.json: when Carryover was installed, and
// what it changed in which settings file, so that an uninstall can give back
// the bytes that were there.
type Record struct {
	Installed time.Time    `json:"installed"`
	Files     []FileRecord `json:"files"`

	Commands []CommandsRecord `json:"commands,omitempty"` // of `install --commands`

	// Unreached are the chosen tools that are installed and could not be wired: only
	// a block in a project's context files reaches them.
	Unreached []string `json:"unreached,omitempty"`
}

// FileRecord is one settings file.
type FileRecord struct {
	Tool    string    `json:"tool"`
	Path    string    `json:"path"`
	For     []string  `json:"for,omitempty"`     // the tools it was wired for; Tool is the one whose entries they are
	Version string    `json:"version,omitempty"` // of the tool, when it was wired
	Wired   time.Time `json:"wired,omitzero"`    // since when
	Mode    string    `json:"mode"`              // permissions before
	Before  string    `json:"before,omitempty"`  // SHA-256 of the bytes before; "" when unknown
	After   string    `json:"after"`             // SHA-256 of the bytes we wrote
	Backup  string    `json:"backup,omitempty"`
	Created bool      `json:"created,omitempty"` // there was no file
	Keys    []string  `json:"keys,omitempty"`    // keys we made
	Dirs    []string  `json:"dirs,omitempty"`    // folders we made, outermost first
}

// ReadRecord reads the record; ok is false when nothing is installed.
func ReadRecord(dir home.Dir) (record Record, ok bool, err error) {
	data, err := regularfile.ReadOwn(dir.Installed())
	if errors.Is(err, fs.ErrNotExist) {
		return Record{}, false, nil
	}
	if err != nil {
		return Record{}, false, fmt.Errorf("read install record: %w", err)
	}
	if err := json.Unmarshal(data, &record); err != nil {
		return Record{}, false, fmt.Errorf("read install record %s: %w", dir.Installed(), err)
	}
	return record, true, nil
}

// Write stores the record in one step.
func (r Record) Write(dir home.Dir) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("encode install record: %w", err)
	}
	if err := maybe.WriteFile(dir.Installed(), append(data, '\n'), 0o600); err != nil {
		return fmt.Errorf("write install record: %w", err)
	}
	return nil
}

// File finds the record of a settings file.
func (r Record) File(path string) (FileRecord, bool) {
	for _, f := range r.Files {
		if f.Path == path {
			return f, true
		}
	}
	return FileRecord{}, false
}

// Since says from when on a settings file calls us, where that is not known
// yet.
func (r *Record) Since(path string, at time.Time) {
	for i := range r.Files {
		if r.Files[i].Path == path && r.Files[i].Wired.IsZero() {
			r.Files[i].Wired = at.UTC()
		}
	}
}

func (r *Record) put(file FileRecord) {
	for i := range r.Files {
		if r.Files[i].Path == file.Path {
			r.Files[i] = file
			return
		}
	}
	r.Files = append(r.Files, file)
}

func (r *Record) drop(path string) {
	kept := r.Files[:0]
	for _, f := range r.Files {
		if f.Path != path {
			kept = append(kept, f)
		}
	}
	r.Files = kept
}

// Serves lists the tools that a file was wired for.
func (f FileRecord) Serves() []string {
	if len(f.For) == 0 { // recorded before files were shared
		return []string{f.Tool}
	}
	return f.For
}

// Serve notes that a file was wired for a tool.
func (r *Record) Serve(path, tool string) {
	for i, file := range r.Files {
		if file.Path == path && !slices.Contains(file.For, tool) {
			r.Files[i].For = append(r.Files[i].For, tool)
		}
	}
}

// Reach notes whether a chosen tool is wired.
func (r *Record) Reach(tool string, wired bool) {
	r.Unreached = slices.DeleteFunc(r.Unreached, func(t string) bool { return t == tool })
	if !wired {
		r.Unreached = append(r.Unreached, tool)
	}
}

// Unchoose forgets which tools the files were wired for: they are chosen again.
func (r *Record) Unchoose() {
	r.Unreached = nil
	for i := range r.Files {
		r.Files[i].For = nil
	}
}
