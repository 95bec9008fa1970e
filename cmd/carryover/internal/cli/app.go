// Package cli is what the commands of carryover share: the folder they work in,
// the ledger they ask, their arguments and words, what they print and how they
// fail.
package cli

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

// App is what all commands share.
type App struct {
	Output
	Dir  string // --home
	Home home.Dir
	// NoPager prints what is longer than the terminal as it is.
	NoPager bool
	pager   *pager
}

// Locate finds the folder of Carryover: that of --home, or the usual one.
func (a *App) Locate() error {
	if a.Dir != "" {
		abs, err := filepath.Abs(a.Dir)
		a.Home = home.Dir(abs)
		return err
	}
	dir, err := home.Default()
	a.Home = dir
	return err
}

// Warn shows what was left aside.
func (a *App) Warn(err error) { a.Note("carryover: warning: %s", err) }

// Explain gives the errors that a person meets their hints.
func (a *App) Explain(err error) error {
	var known *Failure
	if errors.As(err, &known) {
		return err
	}
	var file *fs.PathError
	var answered *view.Error
	var misplaced *home.MisplacedError
	switch {
	case errors.Is(err, view.ErrNotFound):
		return Coded(ExitNothing, "not_found", err, "run `carryover import` to read existing transcripts")
	case errors.Is(err, view.ErrNoLedger):
		return Coded(ExitNothing, "not_found", err, "run `carryover import` to read existing transcripts, or `carryover install` to capture new sessions")
	case errors.Is(err, client.ErrNotRunning):
		return Coded(exitDaemon, "daemon_needed", err, "run `carryover daemon start`")
	case errors.Is(err, client.ErrStuck):
		return Coded(exitDaemon, "daemon_stuck", err, "run `carryover daemon restart`; `carryover doctor` says what is wrong")
	case errors.Is(err, ledger.ErrLocked):
		return Hinted(err, "wait for the other command, or run `carryover status`")
	case errors.Is(err, ledger.ErrTooNew):
		return Hinted(err, "upgrade carryover")
	case errors.Is(err, ledger.ErrCorrupt):
		return Hinted(err, "run `carryover repair` to rebuild it from the transcripts")
	case errors.As(err, &answered) && answered.Hint != "":
		return Coded(ExitFailed, string(answered.Code), err, "%s", answered.Hint)
	case errors.As(err, &misplaced):
		return Hinted(err, "%s, then `carryover daemon start`", misplaced.Fix())
	case errors.Is(err, context.Canceled):
		return Hinted(errors.New("interrupted"), "run the command again to continue; finished work is kept")
	case errors.As(err, &file) && strings.HasPrefix(string(a.Home), file.Path), errors.As(err, &file) && strings.HasPrefix(file.Path, string(a.Home)):
		return Hinted(err, "make the folder writable, or name another one with --home or CARRYOVER_HOME")
	}
	return err
}
