package main

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// app is what all commands share.
type app struct {
	output
	dir  string // --home
	home home.Dir
}

// locate finds the folder of Carryover: that of --home, or the usual one.
func (a *app) locate() error {
	if a.dir != "" {
		abs, err := filepath.Abs(a.dir)
		a.home = home.Dir(abs)
		return err
	}
	dir, err := home.Default()
	a.home = dir
	return err
}

// warn shows what was left aside.
func (a *app) warn(err error) { a.note("carryover: warning: %s", err) }

// explain gives the errors that a person meets their hints.
func (a *app) explain(err error) error {
	var known *failure
	if errors.As(err, &known) {
		return err
	}
	var file *fs.PathError
	var answered *view.Error
	switch {
	case errors.Is(err, view.ErrNotFound):
		return coded(exitNothing, "not_found", err, "run `carryover import` to read existing transcripts")
	case errors.Is(err, view.ErrNoLedger):
		return coded(exitNothing, "not_found", err, "run `carryover import` to read existing transcripts, or `carryover install` to capture new sessions")
	case errors.Is(err, client.ErrNotRunning):
		return coded(exitDaemon, "daemon_needed", err, "run `carryover daemon start`")
	case errors.Is(err, client.ErrStuck):
		return coded(exitDaemon, "daemon_stuck", err, "run `carryover daemon restart`; `carryover doctor` says what is wrong")
	case errors.Is(err, ledger.ErrLocked):
		return hinted(err, "wait for the other command, or run `carryover status`")
	case errors.Is(err, ledger.ErrTooNew):
		return hinted(err, "upgrade carryover")
	case errors.Is(err, ledger.ErrCorrupt):
		return hinted(err, "run `carryover repair` to rebuild it from the transcripts")
	case errors.As(err, &answered) && answered.Hint != "":
		return coded(exitFailed, string(answered.Code), err, "%s", answered.Hint)
	case errors.Is(err, context.Canceled):
		return hinted(errors.New("interrupted"), "run the command again to continue; finished work is kept")
	case errors.As(err, &file) && strings.HasPrefix(string(a.home), file.Path), errors.As(err, &file) && strings.HasPrefix(file.Path, string(a.home)):
		return hinted(err, "make the folder writable, or name another one with --home or CARRYOVER_HOME")
	}
	return err
}
