package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"gorm.io/gorm"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/fulltext"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Append stores a batch in one transaction.
func (l *Store) Append(ctx context.Context, batch ledger.Batch) (ledger.Appended, error) {
	return appendTo(ctx, l, batch, nil)
}

// AppendAll stores batches, in their order, in one transaction.
func (l *Store) AppendAll(ctx context.Context, batches []ledger.Batch) ([]ledger.Appended, error) {
	runs := make([]*appending, len(batches))
	for i := range batches {
		run, err := prepared(l, &batches[i], nil)
		if err != nil {
			return nil, err
		}
		runs[i] = run
	}
	if err := appendRuns(ctx, l, "append to ledger", runs); err != nil {
		return nil, err
	}
	counts := make([]ledger.Appended, len(runs))
	for i, run := range runs {
		counts[i] = run.count
	}
	return counts, nil
}

// appendTo is Append, also of what was salvaged.
func appendTo(ctx context.Context, l *Store, batch ledger.Batch, salvaged *salvagedBatch) (ledger.Appended, error) {
	run, err := prepared(l, &batch, salvaged)
	if err != nil {
		return ledger.Appended{}, err
	}
	if err := appendRuns(ctx, l, "append "+batch.Source.Path, []*appending{run}); err != nil {
		return ledger.Appended{}, err
	}
	return run.count, nil
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
	run := &appending{log: l, batch: batch, salvaged: salvaged, byID: make(map[string]*record, len(batch.Events))}
	if err := run.prepare(); err != nil {
		return nil, fmt.Errorf("append: %w", err)
	}
	return run, nil
}

// appendRuns is one transaction of as many batches as there are. The index is
// written once for all of them: FTS5 makes a segment for each statement.
func appendRuns(ctx context.Context, l *Store, what string, runs []*appending) error {
	return l.file.InTx(ctx, what, func(tx *sql.Tx) error {
		group := &transaction{rows: l.file.RowsIn(ctx, tx), tx: tx}
		for _, run := range runs {
			run.transaction = group
			if err := run.store(ctx); err != nil {
				return err
			}
		}
		return group.writeIndex(ctx)
	})
}

// transaction is what the batches of one transaction share.
type transaction struct {
	rows     *gorm.DB // the small tables, in tx
	tx       *sql.Tx
	index    fulltext.Changes
	tools    map[string]int64
	projects map[ledger.ProjectIdentity]projectRow
}

// writeIndex carries the collected changes of the index out.
func (t *transaction) writeIndex(ctx context.Context) error { return t.index.Write(ctx, t.tx) }

// toolID is the number of a tool, asked for once.
func (t *transaction) toolID(name string) (int64, error) {
	if id, known := t.tools[name]; known {
		return id, nil
	}
	id, err := toolID(t.rows, name)
	if err == nil {
		if t.tools == nil {
			t.tools = map[string]int64{}
		}
		t.tools[name] = id
	}
	return id, err
}

// project is the project of a directory, resolved once.
func (t *transaction) project(identity ledger.ProjectIdentity) (projectRow, error) {
	if row, known := t.projects[identity]; known {
		return row, nil
	}
	row, err := resolveProject(t.rows, identity)
	if err == nil {
		if t.projects == nil {
			t.projects = map[ledger.ProjectIdentity]projectRow{}
		}
		t.projects[identity] = row
	}
	return row, err
}

// appending is one Append.
type appending struct {
	*transaction

	log      *Store
	batch    *ledger.Batch
	salvaged *salvagedBatch // nil for what was read

	tool     int64
	source   sourceRow
	unread   bool               // the source was not known: it has no places
	byID     map[string]*record // as stored after this batch
	fresh    []*record          // not stored before
	places   []place            // one for each event of the batch
	sessions map[string]*sessionRow
	count    ledger.Appended
}

// place is where the batch has an event.
type place struct {
	event    *record
	session  string
	ref      transcript.Ref
	subagent bool
}

// prepare makes the records. Of an event that the batch has twice, the body
// that would stay is taken.
func (a *appending) prepare() error {
	for i := range a.batch.Events {
		located := &a.batch.Events[i]
		if a.log.forgot.Session(a.batch.Source.Tool, sessionOf(located, a.batch)) {
			continue
		}
		event := located.Event
		a.log.Scrub(&event)
		read, err := newRecord(event, a.batch)
		if err != nil {
			return err
		}
		if a.salvaged != nil {
			read.revision = a.salvaged.revisions[read.id]
		}
		at := place{event: read, session: read.event.Session, ref: located.Ref, subagent: read.event.Subagent}
		if first, again := a.byID[read.id]; again {
			kept, _ := merge(first, read, a.batch.Source.Rewrites)
			*first = *kept
			at.event = first
		} else {
			a.byID[read.id] = read
			a.fresh = append(a.fresh, read)
		}
		a.places = append(a.places, at)
	}
	return nil
}

// sessionOf is the session an event of a batch belongs to.
func sessionOf(event *transcript.Located, batch *ledger.Batch) string {
	if event.Session != "" {
		return event.Session
	}
	return batch.Source.Main
}

// store is the transaction.
func (a *appending) store(ctx context.Context) error {
	steps := []func(context.Context) error{
		a.openSource,
		a.replace,
		a.openSessions,
		a.mergeStored,
		a.insertFresh,
		a.insertPlaces,
		a.saveSessions,
		a.saveSource,
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// mergeStored finds the events that are known already, and lets the better
// body stay.
func (a *appending) mergeStored(ctx context.Context) error {
	ids := make([]string, len(a.fresh))
	for i, read := range a.fresh {
		ids[i] = read.id
	}
	var known []*record
	err := db.Chunks(ids, func(part []any) error {
		return db.Each(ctx, a.tx, func(rows *sql.Rows) error {
			stored, err := scanRecord(rows)
			known = append(known, stored)
			return err
		}, "SELECT key, id, kind, COALESCE(time, 0), withdrawn, outside, revision, project, body FROM event WHERE tool = ? AND id IN ("+
			db.Marks(len(part))+")", append([]any{a.tool}, part...)...)
	})
	if err != nil {
		return err
	}
	for _, stored := range known {
		read := a.byID[stored.id]
		if a.salvaged != nil && a.batch.Source.Rewrites {
			*read = *stored // the source has been read since, and says the newer thing
			continue
		}
		kept, changed := merge(stored, read, a.batch.Source.Rewrites)
		if changed {
			if err := a.update(ctx, stored, kept); err != nil {
				return err
			}
		}
		*read = *kept
	}
	a.fresh = newOnly(a.fresh)
	return nil
}

// newOnly keeps the records that have no key yet.
func newOnly(records []*record) []*record {
	fresh := records[:0]
	for _, r := range records {
		if r.key == 0 {
			fresh = append(fresh, r)
		}
	}
	return fresh
}

func scanRecord(rows *sql.Rows) (*record, error) {
	var r record
	err := rows.Scan(&r.key, &r.id, &r.kind, &r.time, &r.withdrawn, &r.outside, &r.revision, &r.project, &r.body)
	return &r, err
}

// update writes a record over the stored one of the same event.
func (a *appending) update(ctx context.Context, stored, kept *record) error {
	if kept.body != stored.body || kept.kind != stored.kind {
		a.index.Remove(stored.document(a.tool))
		a.index.Add(kept.document(a.tool))
		a.count.Replaced++
	}
	_, err := a.tx.ExecContext(ctx, "INSERT OR REPLACE INTO event ("+eventColumns+") VALUES ("+db.Marks(eventWidth)+")",
		kept.values(a.tool)...)
	return err
}

// insertFresh gives the new events their keys and stores them.
func (a *appending) insertFresh(ctx context.Context) error {
	if err := a.assignKeys(ctx); err != nil {
		return err
	}
	rows := make([][]any, len(a.fresh))
	for i, r := range a.fresh {
		r.project = a.sessions[r.event.Session].Project
		rows[i] = r.values(a.tool)
		a.index.Add(r.document(a.tool))
	}
	a.count.Events = len(rows)
	return db.Insert(ctx, a.tx, db.TableRows, "INSERT INTO event ("+eventColumns+") VALUES", rows)
}

// assignKeys makes the keys in the order of the source, which is the order an
// unknown time is filled in by.
func (a *appending) assignKeys(ctx context.Context) error {
	keys := make([]int64, 0, len(a.fresh))
	for _, at := range a.places {
		if at.event.time != 0 {
			a.source.Latest = at.event.time
		}
		if at.event.key == 0 {
			at.event.key = db.NewKey(a.batch.Source.Tool, at.event.id, a.source.Latest)
			keys = append(keys, at.event.key)
		}
	}
	taken := map[int64]bool{}
	err := db.Chunks(keys, func(part []any) error {
		return db.Each(ctx, a.tx, func(rows *sql.Rows) error {
			var key int64
			err := rows.Scan(&key)
			taken[key] = true
			return err
		}, "SELECT key FROM event WHERE key IN ("+db.Marks(len(part))+")", part...)
	})
	if err != nil {
		return err
	}
	for _, r := range a.fresh {
		for taken[r.key] {
			r.key++
			if err := a.lookUp(ctx, r.key, taken); err != nil {
				return err
			}
		}
		taken[r.key] = true
	}
	return nil
}

// lookUp adds a key to taken when a stored event has it.
func (a *appending) lookUp(ctx context.Context, key int64, taken map[int64]bool) error {
	return db.Each(ctx, a.tx, func(rows *sql.Rows) error {
		taken[key] = true
		return nil
	}, "SELECT 1 FROM event WHERE key = ?", key)
}
