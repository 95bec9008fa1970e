package daemon

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite"
)

// checkEvery is how often the ledger is read as a whole, for damage that nothing
// else would notice.
const checkEvery = 24 * time.Hour

// faults asks for a check of the ledger.
type faults chan struct{}

func (f faults) note() {
	select {
	case f <- struct{}{}:
	default: // one is asked for already
	}
}

// watchLedger checks the ledger when the history was read, then every day and
// whenever a change meets a fault. It returns errDamaged when there is one, and
// nil when the context ends.
func (d *Daemon) watchLedger(ctx context.Context) error {
	select {
	case <-d.history:
	case <-ctx.Done():
		return nil
	}
	daily := time.NewTicker(checkEvery)
	defer daily.Stop()
	for {
		err := sqlite.Check(ctx, d.Home.Ledger())
		if errors.Is(err, ledger.ErrCorrupt) {
			return fmt.Errorf("%w: %w", errDamaged, err)
		}
		if err != nil && ctx.Err() == nil {
			d.Logger.Warn("ledger not checked", zap.Error(err))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-daily.C:
		case <-d.fault:
		}
	}
}

// salvage adds what only a ledger has that was set aside.
func (d *Daemon) salvage(ctx context.Context) {
	if _, _, err := d.Salvage(ctx); err != nil && ctx.Err() == nil {
		d.Logger.Error("the damaged ledger could not be salvaged; it is tried again at the next start", zap.Error(err))
	}
}
