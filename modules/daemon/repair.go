package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/api"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/ingest"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite"
)

// Repaired is what `carryover repair` did (docs/json-output.md).
type Repaired struct {
	Schema   int             `json:"schema"`
	Damaged  string          `json:"damaged,omitempty"` // what was wrong with the ledger; absent when nothing was
	Aside    string          `json:"aside,omitempty"`   // where the damaged one is kept
	Salvaged int             `json:"salvaged"`          // events only the damaged one had
	Read     ingest.Imported `json:"read"`              // what the transcripts gave
}

// Repair checks a ledger nobody has open. A damaged one is set aside, never
// deleted, and a new one is filled from the transcripts, then with what only
// the old one had. A sound one has its index made anew and every transcript
// read again.
func Repair(ctx context.Context, dir home.Dir, warn Warn, progress api.Progress) (Repaired, error) {
	err := sqlite.Check(ctx, dir.Ledger())
	if errors.Is(err, fs.ErrNotExist) {
		return Repaired{Schema: 1}, ErrNoLedger
	}
	if err != nil && !errors.Is(err, ledger.ErrCorrupt) {
		return Repaired{Schema: 1}, err
	}
	result := Repaired{Schema: 1}
	if err != nil {
		result.Damaged = err.Error()
		if result.Aside, err = setAside(dir, time.Now()); err != nil {
			return result, err
		}
	}
	p, err := Writing(dir, warn)
	if errors.Is(err, ledger.ErrCorrupt) && result.Aside == "" { // a fault that the check does not see
		result.Damaged = err.Error()
		if result.Aside, err = setAside(dir, time.Now()); err != nil {
			return result, err
		}
		p, err = Writing(dir, warn)
	}
	if err != nil {
		return result, err
	}
	defer func() { _ = p.Log.Close() }()
	return p.repair(ctx, result, progress)
}

// Repair makes the index anew and reads every transcript again.
func (p *Pipeline) Repair(ctx context.Context, progress api.Progress) (Repaired, error) {
	return p.repair(ctx, Repaired{Schema: 1}, progress)
}

func (p *Pipeline) repair(ctx context.Context, result Repaired, progress api.Progress) (Repaired, error) {
	store, ok := p.Log.(*sqlite.Log)
	if !ok {
		return result, errors.New("repair: the ledger is no file")
	}
	if err := store.Reread(ctx); err != nil {
		return result, err
	}
	p.ingest.ForgetFiles()
	var err error
	if result.Read, err = p.ImportHistory(ctx, api.ImportRequest{}, progress); err != nil {
		return result, err
	}
	if result.Aside != "" {
		result.Salvaged, err = store.Salvage(ctx, result.Aside, func(path string) bool {
			_, err := os.Stat(path)
			return errors.Is(err, fs.ErrNotExist)
		})
	}
	p.sessions.Reset()
	p.ingest.ForgetHeads()
	return result, err
}

// setAside renames a damaged ledger, with its log.
func setAside(dir home.Dir, now time.Time) (string, error) {
	aside := fmt.Sprintf("%s.damaged-%d", dir.Ledger(), now.Unix())
	for _, end := range []string{"", "-wal", "-shm"} {
		if err := os.Rename(dir.Ledger()+end, aside+end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("set the damaged ledger aside: %w", err)
		}
	}
	return aside, nil
}
