package main

import (
	"errors"
	"io/fs"
	"os"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/ledger"
)

// write changes the ledger: itself, or by asking the daemon that holds it.
func write[T any](a *app, here func(p *daemon.Pipeline) (T, error), there func(c *client.Client, into *T) error) (T, error) {
	var result T
	pipeline, err := daemon.Writing(a.home, a.warn)
	if errors.Is(err, ledger.ErrLocked) {
		err := there(client.New(a.home), &result)
		if errors.Is(err, client.ErrNotRunning) {
			return result, coded(exitDaemon, "daemon_needed", ledger.ErrLocked, "wait for the other command to end, or run `carryover daemon restart`")
		}
		return result, err
	}
	if err != nil {
		return result, err
	}
	defer func() { _ = pipeline.Log.Close() }()
	return here(pipeline)
}

// reading opens the ledger to look something up.
func (a *app) reading(do func(pipeline *daemon.Pipeline) error) error {
	pipeline, err := daemon.Reading(a.home, a.warn)
	if err != nil {
		return err
	}
	defer func() { _ = pipeline.Log.Close() }()
	return do(pipeline)
}

// captured says that there is a ledger: opening one for writing makes it.
func (a *app) captured() error {
	if _, err := os.Stat(a.home.Ledger()); errors.Is(err, fs.ErrNotExist) {
		return daemon.ErrNoLedger
	}
	return nil
}

// absent is an error that says that what was named is not there, by this
// command or by the daemon; ambiguous that it names several things.
func absent(err error) (missing, ambiguous bool) {
	var refused *client.Refused
	of := func(code string) bool { return errors.As(err, &refused) && refused.Code == code }
	return errors.Is(err, daemon.ErrNothing) || of("not_found"), errors.Is(err, daemon.ErrInvalid) || of("invalid")
}
