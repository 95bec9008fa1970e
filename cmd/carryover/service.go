package main

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

// reader answers out of the ledger, opened read-only beside whoever writes it.
// done closes it.
func (a *app) reader() (service view.Service, done func(), err error) {
	return closing(daemon.OpenReadOnly(a.home, a.warn))
}

// writer changes the ledger: in process, or through the daemon that holds it.
// done closes it.
func (a *app) writer(ctx context.Context) (service view.Service, done func(), err error) {
	service, done, err = closing(daemon.OpenReadWrite(a.home, a.warn))
	if errors.Is(err, ledger.ErrLocked) {
		service, err = a.holder(ctx)
		return service, func() {}, err
	}
	return service, done, err
}

// holder is the daemon that holds the ledger.
func (a *app) holder(ctx context.Context) (view.Service, error) {
	holder := client.New(a.home)
	_, err := holder.Health(ctx)
	if errors.Is(err, client.ErrNotRunning) {
		err = coded(exitDaemon, "daemon_needed", ledger.ErrLocked, "wait for the other command to end, or run `carryover daemon restart`")
	}
	return holder, err
}

func closing(services *daemon.Services, err error) (view.Service, func(), error) {
	if err != nil {
		return nil, func() {}, err
	}
	return services, func() { _ = services.Store.Close() }, nil
}

// captured says that there is a ledger: opening one for writing makes it.
func (a *app) captured() error {
	if _, err := os.Stat(a.home.Ledger()); errors.Is(err, fs.ErrNotExist) {
		return view.ErrNoLedger
	}
	return nil
}
