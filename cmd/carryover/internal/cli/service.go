package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// Reader answers out of the ledger, opened read-only beside whoever writes it.
// done closes it.
func (a *App) Reader() (service view.Service, done func(), err error) {
	return closing(daemon.OpenReadOnly(a.Home, a.Warn))
}

// Asked answers out of the running daemon, which has in memory what takes a while to
// make, else as Reader does; warm says which. done closes it.
func (a *App) Asked(ctx context.Context) (service view.Service, warm bool, done func(), err error) {
	holder := client.New(a.Home)
	if _, err := holder.Health(ctx); err == nil {
		return holder, true, func() {}, nil
	}
	service, done, err = a.Reader()
	return service, false, done, err
}

// Writer changes the ledger: in process, or through the daemon that holds it.
// done closes it.
func (a *App) Writer(ctx context.Context) (service view.Service, done func(), err error) {
	service, done, err = closing(daemon.OpenReadWrite(a.Home, a.Warn))
	if errors.Is(err, ledger.ErrLocked) {
		service, err = a.Holder(ctx)
		return service, func() {}, err
	}
	return service, done, err
}

// Holder is the daemon that holds the ledger.
func (a *App) Holder(ctx context.Context) (view.Service, error) {
	holder := client.New(a.Home)
	_, err := holder.Health(ctx)
	if errors.Is(err, client.ErrNotRunning) {
		err = Coded(exitDaemon, "daemon_needed", ledger.ErrLocked, "wait for the other command to end, or run `carryover daemon restart`")
	}
	return holder, err
}

func closing(services *daemon.Services, err error) (view.Service, func(), error) {
	if err != nil {
		return nil, func() {}, err
	}
	return services, func() { _ = services.Store.Close() }, nil
}

// Captured says that there is a ledger: opening one for writing makes it.
func (a *App) Captured() error {
	if _, err := os.Stat(a.Home.Ledger()); errors.Is(err, fs.ErrNotExist) {
		return view.ErrNoLedger
	}
	return nil
}

// Query opens the reader, asks it, and prints the answer: as JSON with --json,
// else as print does.
func Query[A any](a *App, ask func(view.Service) (A, error), print func(A)) error {
	service, done, err := a.Reader()
	if err != nil {
		return err
	}
	defer done()
	answer, err := ask(service)
	switch {
	case err != nil:
		return err
	case a.JSON:
		return a.Object(answer)
	}
	print(answer)
	return nil
}
