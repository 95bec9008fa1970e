package continuity

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
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger/redact"
)

// Spool is where saves lie until somebody has kept them: a save is written
// there first, so that neither a daemon that is away nor a wrapper that is
// killed loses one.
type Spool struct{ dir string }

// SpoolOf is the spool of a home.
func SpoolOf(dir home.Dir) Spool { return Spool{dir.Path("spool", "continuity")} }

// Put adds a message and returns its place, for Remove.
func (s Spool) Put(message view.AgentMessage) (file string, err error) {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return "", fmt.Errorf("make spool: %w", err)
	}
	data, err := json.Marshal(message)
	if err != nil {
		return "", fmt.Errorf("encode message: %w", err)
	}
	data = []byte(redact.JSON(string(data)))
	file = filepath.Join(s.dir, fmt.Sprintf("%020d-%s.json", time.Now().UnixNano(), message.AgentName))
	if err := maybe.WriteFile(file, data, 0o600); err != nil {
		return "", fmt.Errorf("write spool: %w", err)
	}
	return file, nil
}

// Remove drops a message that was kept.
func (s Spool) Remove(file string) { _ = os.Remove(file) }

// ErrRefused says that a message will never be kept, however often it is
// handed over.
var ErrRefused = errors.New("not saved")

// Refusal is the error of an answer; nil for an ACK.
func Refusal(a view.AgentAnswer) error {
	switch {
	case a.Type != view.Nack:
		return nil
	case a.Final:
		return fmt.Errorf("%w: %s", ErrRefused, a.Reason)
	}
	return fmt.Errorf("not saved yet: %s", a.Reason)
}

// Drain hands over every message, oldest first, and drops those for which keep
// returns nil. What is refused is put aside, so that it is notified of once.
func (s Spool) Drain(keep func(view.AgentMessage) error) error {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read spool: %w", err)
	}
	var errs []error
	names := make([]string, 0, len(entries))
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), ".json") && !strings.HasPrefix(entry.Name(), ".") {
			names = append(names, entry.Name())
		}
	}
	slices.Sort(names) // they begin with the time
	for _, name := range names {
		file := filepath.Join(s.dir, name)
		data, err := regularfile.ReadOwn(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue // its wrapper was faster
		}
		var message view.AgentMessage
		if err == nil {
			if json.Unmarshal(data, &message) != nil {
				err = fmt.Errorf("%w: not a message", ErrRefused)
			} else {
				err = keep(message)
			}
		}
		switch {
		case errors.Is(err, ErrRefused):
			errs = append(errs, fmt.Errorf("%w (it is kept in %s)", err, s.putAside(name)))
		case err != nil:
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		default:
			s.Remove(file)
		}
	}
	return errors.Join(errs...)
}

// putAside moves a message to where nobody hands it over again, and says where
// it is.
func (s Spool) putAside(name string) string {
	from, aside := filepath.Join(s.dir, name), filepath.Join(s.dir, "refused", name)
	if os.MkdirAll(filepath.Dir(aside), 0o700) != nil || os.Rename(from, aside) != nil {
		return from
	}
	return aside
}
