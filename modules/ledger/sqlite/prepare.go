package sqlite

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// preparers is how many batches are prepared beside each other.
const preparers = 2

// preparedAll is prepared of batches, in their order.
func preparedAll(l *Store, batches []ledger.Batch) ([]*appending, error) {
	runs := make([]*appending, len(batches))
	errs := make([]error, len(batches))
	var next atomic.Int64
	var beside sync.WaitGroup
	for range min(preparers, len(batches)) {
		beside.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(batches)); i = next.Add(1) - 1 {
				runs[i], errs[i] = preparedSafely(l, &batches[i])
			}
		})
	}
	beside.Wait()
	return runs, errors.Join(errs...)
}

// preparedSafely turns a panic into an error: it would end the program here, and a
// source that causes one is to be parked.
func preparedSafely(l *Store, batch *ledger.Batch) (run *appending, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("prepare %s: panicked: %v", batch.Source.Path, cause)
		}
	}()
	return prepared(l, batch, nil)
}

// prepared does all that needs no database. It comes before the transaction:
// it is much of the work, and readers and the disk do not wait for it.
func prepared(l *Store, batch *ledger.Batch, salvaged *salvagedBatch) (*appending, error) {
	if err := l.file.Writable(); err != nil {
		return nil, err
	}
	if len(batch.Source.Position.State) > transcript.MaxState {
		return nil, fmt.Errorf("%w: %s: reader state of %d bytes", ledger.ErrBatch,
			batch.Source.Path, len(batch.Source.Position.State))
	}
	run := &appending{log: l, batch: batch, salvaged: salvaged}
	if err := run.prepare(); err != nil {
		return nil, fmt.Errorf("append: %w", err)
	}
	return run, nil
}
