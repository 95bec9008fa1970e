// Package damage remembers that a ledger was damaged, until the file that was set
// aside is deleted: what it was, and what became of its events.
package damage

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/renameio/v2/maybe"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/regularfile"
	"github.com/carryover-go/carryover/modules/ledger"
)

// Record is one damage.
type Record struct {
	Found  time.Time        `json:"found"`
	Cause  string           `json:"cause"`
	Aside  string           `json:"aside"`            // where the damaged ledger is kept
	Before []string         `json:"before,omitempty"` // others, that could not be salvaged before this one was damaged too
	Result *ledger.Salvaged `json:"result,omitempty"` // nil until it was salvaged
	// Mirrors is how many records of named agents came from their files in
	// projects.
	Mirrors int `json:"mirrors,omitempty"`
	// Handoffs are the last handoffs of sessions of which nothing else is left.
	Handoffs []string `json:"handoffs,omitempty"`
}

// Read reads the last damage; false when there was none, or its file is gone.
func Read(dir home.Dir) (Record, bool) {
	var r Record
	data, err := regularfile.ReadOwn(dir.Damage())
	if err != nil || json.Unmarshal(data, &r) != nil {
		return Record{}, false
	}
	if _, err := os.Stat(r.Aside); err != nil {
		return Record{}, false
	}
	return r, true
}

// Write remembers a damage in place of the last one.
func (r Record) Write(dir home.Dir) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("encode damage: %w", err)
	}
	if err := maybe.WriteFile(dir.Damage(), append(data, '\n'), 0o600); err != nil {
		return fmt.Errorf("write damage: %w", err)
	}
	return nil
}

// Salvage are the files to salvage.
func (r Record) Salvage() []string { return append(slices.Clone(r.Before), r.Aside) }

// SetAside renames a damaged ledger, with its log, and remembers why.
func SetAside(dir home.Dir, cause error, now time.Time) (Record, error) {
	r := Record{Found: now.UTC(), Cause: cause.Error(), Aside: fmt.Sprintf("%s.damaged-%d", dir.Ledger(), now.UnixMilli())}
	if last, found := Read(dir); found && last.Result == nil {
		r.Before = last.Salvage()
	}
	// Written first: a process that is killed in between must not leave a file
	// that nobody salvages.
	if err := r.Write(dir); err != nil {
		return r, err
	}
	for _, end := range []string{"-wal", "-shm", ""} {
		if err := os.Rename(dir.Ledger()+end, r.Aside+end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return r, fmt.Errorf("set the damaged ledger aside: %w", err)
		}
	}
	return r, nil
}

// Asides are the damaged ledgers that were set aside, with their logs. A folder that
// stood in a ledger's place is not among them: Carryover wrote nothing into it.
func Asides(dir home.Dir) []string {
	list, _ := filepath.Glob(dir.Ledger() + ".damaged-*") // the pattern is sound
	return slices.DeleteFunc(list, func(path string) bool {
		info, err := os.Lstat(path)
		return err == nil && info.IsDir()
	})
}

// IsComplete says that nothing was lost.
func (r Record) IsComplete() bool {
	return r.Result != nil && len(r.Handoffs)+r.Result.Lost+len(r.Result.LostAgents)+r.Result.LostRestores == 0 && !r.Result.AtLeast
}

// String says it in one line.
func (r Record) String() string {
	when := "damaged on " + r.Found.Format(time.DateOnly)
	if _, why, said := strings.Cut(r.Cause, ledger.ErrCorrupt.Error()+": "); said {
		when += " (" + why + ")"
	}
	if r.Result == nil {
		return when + ", being rebuilt from the transcripts; it is kept as " + filepath.Base(r.Aside)
	}
	only := ""
	if n := len(r.Handoffs); n > 0 {
		only = fmt.Sprintf("; of %s only the last handoff is left, in %s", counted(n, "session"), r.Handoffs[0])
	}
	return fmt.Sprintf("%s, rebuilt from the transcripts; %s recovered from it, %s lost; it is kept as %s%s",
		when, counted(r.Result.Events, "event"), lost(*r.Result), filepath.Base(r.Aside), only)
}

// lost says what is lost.
func lost(s ledger.Salvaged) string {
	var parts []string
	if s.Lost > 0 {
		part := counted(s.Lost, "event")
		if n := len(s.LostSessions); n > 0 {
			part += " of " + counted(n, "session")
		}
		parts = append(parts, part)
	}
	if n := len(s.LostAgents); n > 0 {
		parts = append(parts, counted(n, "note")+" of named agents")
	}
	if s.LostRestores > 0 {
		parts = append(parts, counted(s.LostRestores, "decision")+" of the restore gate")
	}
	switch text := strings.Join(parts, " and "); {
	case text == "" && s.AtLeast:
		return "an unknown number"
	case text == "":
		return "none"
	case s.AtLeast:
		return "at least " + text
	default:
		return text
	}
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
