package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite"
	"github.com/carryover-go/carryover/toolspecs"
)

// Warn gets what a command should show beside its result: a configuration
// or an override that was left aside.
type Warn func(err error)

// WithoutLedger are the services without a ledger: it can distil a file.
func WithoutLedger(dir home.Dir, warn Warn) *Services {
	return assemble(dir, nil, warn)
}

// OpenReadOnly are the services over the ledger of a home, opened read-only beside
// whoever writes it. view.ErrNoLedger when there is none.
func OpenReadOnly(dir home.Dir, warn Warn) (*Services, error) {
	log, err := sqlite.OpenReadOnly(dir.Ledger())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, view.ErrNoLedger
	}
	if err != nil {
		return nil, err
	}
	return assemble(dir, log, warn), nil
}

// OpenReadWrite are the services over the ledger of a home, opened for writing.
// ledger.ErrLocked when a daemon holds it.
func OpenReadWrite(dir home.Dir, warn Warn) (*Services, error) {
	if err := dir.Make(); err != nil {
		return nil, err
	}
	log, err := OpenLedger(dir)
	if err != nil {
		return nil, err
	}
	return assemble(dir, log, warn), nil
}

func assemble(dir home.Dir, log ledger.Store, warn Warn) *Services {
	choices, err := config.Load(dir)
	if err != nil {
		warn(fmt.Errorf("using the defaults: %w", err))
	}
	table, failed := toolspecs.Load(os.DirFS(dir.Toolspecs()))
	for _, err := range failed {
		warn(err)
	}
	return NewServices(dir, choices, table, log, zap.NewNop(), Driver{Report: warn})
}
