// Package homelock lets one daemon serve a home.
package homelock

import (
	"errors"
	"fmt"

	"github.com/gofrs/flock"

	"github.com/carryover-go/carryover/modules/daemon/home"
)

// ErrRunning says that another daemon serves this home.
var ErrRunning = errors.New("a daemon is already running for this home")

// Acquire makes sure that one daemon serves a home: ErrRunning when another one
// does. The lock ends with the process, however it ends.
func Acquire(dir home.Dir) (release func(), err error) {
	lock := flock.New(dir.Lock(), flock.SetPermissions(0o600))
	locked, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", dir.Lock(), err)
	}
	if !locked {
		return nil, ErrRunning
	}
	return func() { _ = lock.Unlock() }, nil
}

// Held says whether a daemon has the home. It may still be starting, or be
// about to end, and not answer.
func Held(dir home.Dir) bool {
	release, err := Acquire(dir)
	if err == nil {
		release()
	}
	return errors.Is(err, ErrRunning)
}
