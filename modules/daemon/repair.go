package daemon

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/damage"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/homelock"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite"
)

// Repair checks a ledger nobody has open. A damaged one is set aside, never
// deleted, and a new one is filled from the transcripts, then with what only
// the old one and the files of named agents have. A sound one has its index rebuilt
// and every transcript read again.
func Repair(ctx context.Context, dir home.Dir, warn Warn, progress view.Progress) (view.RepairResult, error) {
	result := view.RepairResult{Schema: 1}
	release, err := homelock.Acquire(dir)
	if errors.Is(err, homelock.ErrRunning) {
		return result, ledger.ErrLocked
	}
	if err != nil {
		return result, err
	}
	defer release()
	err = sqlite.Check(ctx, dir.Ledger())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return result, view.ErrNoLedger
	case err != nil && !errors.Is(err, ledger.ErrCorrupt):
		return result, err
	}
	p, err := openRepaired(dir, warn, err)
	if err != nil {
		return result, err
	}
	defer func() { _ = p.Store.Close() }()
	return p.Rebuild(ctx, result, progress)
}

// openRepaired opens the ledger, and a new one where damage was found or is met.
func openRepaired(dir home.Dir, warn Warn, found error) (*Services, error) {
	if found == nil {
		p, err := OpenReadWrite(dir, warn)
		if !errors.Is(err, ledger.ErrCorrupt) {
			return p, err
		}
		found = err // a fault that the check does not see
	}
	if _, err := damage.SetAside(dir, found, time.Now()); err != nil {
		return nil, err
	}
	return OpenReadWrite(dir, warn)
}
