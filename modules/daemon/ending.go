package daemon

import (
	"context"
	"errors"
	"runtime"
	"time"

	"go.uber.org/zap"
)

// EndWithin is how long a daemon takes to end at most. `carryover daemon stop`, a
// service manager and a logout wait longer than that.
const EndWithin = 8 * time.Second

// ErrStuck says that something of a daemon goes on though it was asked to end.
var ErrStuck = errors.New("the daemon did not end in time; its log names what it waits for")

// maxStacks bounds what the log is given of a daemon that does not end, in bytes.
const maxStacks = 256 << 10

// endsWithin runs until run returns, but not much longer than the context. What still
// goes on by then is written to the log. Every change of the ledger is one transaction,
// and what agents wrote and hooks left is read again, so that exiting loses nothing.
func endsWithin(ctx context.Context, limit time.Duration, log *zap.Logger, run func() error) error {
	ended := make(chan error, 1)
	go func() { ended <- run() }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(limit):
		stacks := make([]byte, maxStacks)
		log.Error("the daemon did not end", zap.Duration("within", limit), zap.ByteString("stacks", stacks[:runtime.Stack(stacks, true)]))
		_ = log.Sync()
		return ErrStuck
	}
}
