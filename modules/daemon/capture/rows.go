package capture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/capture/sqlitesource"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// VisibleAfter is how long after a write to a database's log its rows are certain
// to be seen: SQLite writes the log first and shows the rows a moment later, in
// memory, which raises no event.
const VisibleAfter = time.Second

// readDatabase takes the rows that are new in a tool's database. What was read
// once stays in the ledger when the tool removes its rows.
func (in *Ingester) readDatabase(ctx context.Context, reader transcript.RowReader, source ledger.Source, seen *seen) (taken Taken, err error) {
	size, modified, err := sqlitesource.Stat(source.Path)
	if err != nil {
		return taken, err
	}
	newer := source.Revision != 0 && source.Revision != reader.Revision()
	if !newer && source.Size == size && source.ModTime.Equal(modified) {
		seen.note(source)
		taken.Unchanged = true
		return taken, nil
	}
	db, err := sqlitesource.Open(ctx, source.Path)
	if err != nil {
		return taken, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	source.Rewrites, source.Parked, source.Revision = true, "", reader.Revision()
	source.ModTime = modified
	if newer {
		source.Position = transcript.Position{}
	}
	run := &rowReading{in: in, source: source, size: size, replace: newer, taken: Taken{Sessions: map[string]bool{}}}
	if age := time.Since(modified); age >= 0 && age < VisibleAfter {
		run.size, run.taken.Unsure = unfinished, true
	}
	err = run.toEnd(ctx, db, reader)
	if errors.Is(err, transcript.ErrState) {
		run.source.Position, run.replace = transcript.Position{}, true
		err = run.toEnd(ctx, db, reader)
	}
	if err != nil {
		return run.taken, fmt.Errorf("read %s: %w", source.Path, err)
	}
	for session := range run.taken.Sessions {
		if err := in.retire(ctx, source.Tool, session); err != nil {
			return run.taken, err
		}
	}
	if !run.taken.Unsure {
		seen.note(run.source)
	}
	return run.taken, nil
}

// rowReading is one pass over one database.
type rowReading struct {
	in      *Ingester
	source  ledger.Source
	size    int64 // of the database before it was read, or unfinished
	replace bool  // the next batch empties what the source held
	taken   Taken
}

func (r *rowReading) toEnd(ctx context.Context, db *sqlitesource.Database, reader transcript.RowReader) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("the reader panicked: %v", cause)
		}
	}()
	decoder, err := db.Decode(ctx, reader, r.source.Position, r.source.ModTime, r.in.cwd(r.source.Tool, r.source.Path))
	if err != nil {
		return err
	}
	r.source.Size = unfinished
	for {
		batch, err := decoder.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if decoder.Last() {
			r.source.Size = r.size // from now on its stat says that all was read
		}
		if err := r.store(ctx, batch); err != nil {
			return err
		}
	}
}

func (r *rowReading) store(ctx context.Context, batch transcript.Batch) error {
	r.taken.Bytes += batch.Position.Offset - r.source.Position.Offset
	r.source.Position = batch.Position
	batch.Events = r.in.annotated(batch.Events)
	appended, err := r.in.Store.Append(ctx, ledger.Batch{
		Source: r.source, Events: batch.Events, Replace: r.replace, Coverage: batch.Coverage,
	})
	if err != nil {
		return fmt.Errorf("append to ledger: %w", err)
	}
	r.replace = false
	r.taken.Events += appended.Events
	r.taken.Coverage.Add(batch.Coverage)
	for _, event := range batch.Events {
		r.taken.Sessions[event.Session] = true
	}
	if r.in.Stored != nil && len(batch.Events) > 0 {
		r.in.Stored(ctx, r.source, batch.Events)
	}
	return nil
}
