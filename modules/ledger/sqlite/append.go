package sqlite

import (
	"context"
	"database/sql"

	"gorm.io/gorm"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/bodies"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/fulltext"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/projects"
	"github.com/carryover-go/carryover/modules/ledger/tombstone"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Append stores a batch in one transaction.
func (l *Store) Append(ctx context.Context, batch ledger.Batch) (ledger.Appended, error) {
	return appendTo(ctx, l, batch, nil)
}

// AppendAll stores batches, in their order, in one transaction.
func (l *Store) AppendAll(ctx context.Context, batches []ledger.Batch) ([]ledger.Appended, error) {
	runs, err := preparedAll(l, batches)
	if err != nil {
		return nil, err
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
		return group.write(ctx)
	})
}

// transaction is what the batches of one transaction share.
type transaction struct {
	rows     *gorm.DB // the small tables, in tx
	tx       *sql.Tx
	index    fulltext.Changes
	bodies   bodies.Changes
	tools    map[string]int64
	last     map[string]int64 // the last number of a table's rows, once it was asked for
	projects map[ledger.ProjectIdentity]projects.Row
	known    projects.Known
}

// write carries the collected changes of the index and of the bodies out.
func (t *transaction) write(ctx context.Context) error {
	if err := t.bodies.Write(ctx, t.tx); err != nil {
		return err
	}
	return t.index.Write(ctx, t.tx)
}

// nextID is the number of a new row of a small table. The row is stored once, when all
// of it is known.
func (t *transaction) nextID(ctx context.Context, table string) (int64, error) {
	if t.last == nil {
		t.last = map[string]int64{}
	}
	last, known := t.last[table]
	if !known {
		if err := t.tx.QueryRowContext(ctx, "SELECT COALESCE(MAX(id), 0) FROM "+table).Scan(&last); err != nil {
			return 0, err
		}
	}
	t.last[table] = last + 1
	return last + 1, nil
}

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
func (a *appending) project(identity ledger.ProjectIdentity) (projects.Row, error) {
	if row, known := a.projects[identity]; known {
		return row, nil
	}
	row, err := projects.Resolve(a.rows, &a.known, identity, a.log.same)
	if err == nil {
		if a.projects == nil {
			a.projects = map[ledger.ProjectIdentity]projects.Row{}
		}
		a.projects[identity] = row
	}
	return row, err
}

// appending is one Append.
type appending struct {
	*transaction

	log      *Store
	batch    *ledger.Batch
	salvaged *salvagedBatch  // nil for what was read
	marks    tombstone.Marks // what was forgotten when the records were made

	tool        int64
	source      sourceRow
	unread      bool               // the source was not known: it has no places
	byID        map[string]*record // as stored after this batch
	fresh       []*record          // not stored before
	occurrences []occurrence       // one for each event of the batch
	sessions    map[string]*sessionRow
	count       ledger.Appended
}

// occurrence is where the batch has an event.
type occurrence struct {
	event    *record
	session  string
	ref      transcript.Ref
	subagent bool
}

// prepare makes the records. Of an event that the batch has twice, the body
// that would stay is taken.
func (a *appending) prepare() error {
	a.marks = a.log.forgot.Now()
	a.byID, a.fresh, a.occurrences = make(map[string]*record, len(a.batch.Events)), nil, nil
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
		at := occurrence{event: read, session: read.event.Session, ref: located.Ref, subagent: read.event.Subagent}
		if first, again := a.byID[read.id]; again {
			kept, _ := merge(first, read, a.batch.Source.Rewrites)
			*first = *kept
			at.event = first
		} else {
			a.byID[read.id] = read
			a.fresh = append(a.fresh, read)
		}
		a.occurrences = append(a.occurrences, at)
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

// store is the transaction. What was forgotten since the records were made may stand
// in them; what is forgotten from now on is deleted after this transaction.
func (a *appending) store(ctx context.Context) error {
	if a.marks != a.log.forgot.Now() {
		if err := a.prepare(); err != nil {
			return err
		}
	}
	steps := []func(context.Context) error{
		a.openSource,
		a.replace,
		a.openSessions,
		a.mergeStored,
		a.insertFresh,
		a.insertOccurrences,
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
	hashes := make([]int64, len(a.fresh))
	for i, read := range a.fresh {
		hashes[i] = db.IDHash(a.batch.Source.Tool, read.id)
	}
	var known []toolRecord
	err := db.Chunks(hashes, func(part []any) error {
		some, err := a.records(ctx, "hash IN ("+db.Marks(len(part))+")", part...)
		known = append(known, some...)
		return err
	})
	if err != nil {
		return err
	}
	for _, stored := range known {
		read := a.byID[stored.id]
		if read == nil || stored.tool != a.tool {
			continue // another id with the same hash
		}
		if a.salvaged != nil && a.batch.Source.Rewrites {
			*read = *stored.record // the source has been read since, and says the newer thing
			continue
		}
		kept, changed := merge(stored.record, read, a.batch.Source.Rewrites)
		if changed {
			if err := a.update(ctx, stored.record, kept); err != nil {
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

// update writes a record over the stored one of the same event.
func (a *appending) update(ctx context.Context, stored, kept *record) error {
	if kept.body != stored.body || kept.kind != stored.kind {
		a.index.Remove(stored.indexed(a.tool))
		if err := a.reindex(ctx, kept, a.tool); err != nil {
			return err
		}
		a.count.Replaced++
	}
	if err := a.bodies.Remove(stored.key, stored.stored); err != nil {
		return err
	}
	body, err := a.keepBody(ctx, kept)
	if err != nil {
		return err
	}
	_, err = a.tx.ExecContext(ctx, "INSERT OR REPLACE INTO event ("+eventColumns+") VALUES ("+db.Marks(eventWidth)+")",
		kept.values(a.tool, a.batch.Source.Tool, body)...)
	return err
}

// keepBody stores the body of a record and returns what the column body has of it.
func (t *transaction) keepBody(ctx context.Context, r *record) (any, error) {
	stored, err := t.bodies.Add(ctx, t.tx, r.key, r.kind, r.body)
	if err != nil {
		return nil, err
	}
	return stored, r.stored.Scan(stored)
}

// insertFresh gives the new events their keys and stores them.
func (a *appending) insertFresh(ctx context.Context) error {
	if err := a.assignKeys(ctx); err != nil {
		return err
	}
	rows := make([][]any, len(a.fresh))
	for i, r := range a.fresh {
		r.project = a.sessions[r.event.Session].Project
		if err := a.reindex(ctx, r, a.tool); err != nil {
			return err
		}
		body, err := a.keepBody(ctx, r)
		if err != nil {
			return err
		}
		rows[i] = r.values(a.tool, a.batch.Source.Tool, body)
	}
	a.count.Events = len(rows)
	return db.Insert(ctx, a.tx, db.TableRows, "INSERT INTO event ("+eventColumns+") VALUES", rows)
}

// assignKeys makes the keys in the order of the source, which is the order an
// unknown time is filled in by.
func (a *appending) assignKeys(ctx context.Context) error {
	keys := make([]int64, 0, len(a.fresh))
	for _, at := range a.occurrences {
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
