package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite"
)

// Repair checks a ledger nobody has open. A damaged one is set aside, never
// deleted, and a new one is filled from the transcripts, then with what only
// the old one had. A sound one has its index rebuilt and every transcript
// read again.
func Repair(ctx context.Context, dir home.Dir, warn Warn, progress view.Progress) (view.RepairResult, error) {
	err := sqlite.Check(ctx, dir.Ledger())
	if errors.Is(err, fs.ErrNotExist) {
		return view.RepairResult{Schema: 1}, view.ErrNoLedger
	}
	if err != nil && !errors.Is(err, ledger.ErrCorrupt) {
		return view.RepairResult{Schema: 1}, err
	}
	result := view.RepairResult{Schema: 1}
	if err != nil {
		result.Damaged = err.Error()
		if result.Aside, err = setAside(dir, time.Now()); err != nil {
			return result, err
		}
	}
	p, err := OpenReadWrite(dir, warn)
	if errors.Is(err, ledger.ErrCorrupt) && result.Aside == "" { // a fault that the check does not see
		result.Damaged = err.Error()
		if result.Aside, err = setAside(dir, time.Now()); err != nil {
			return result, err
		}
		p, err = OpenReadWrite(dir, warn)
	}
	if err != nil {
		return result, err
	}
	defer func() { _ = p.Store.Close() }()
	return p.Rebuild(ctx, result, progress)
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
