package bodies

import (
	"context"
	"database/sql"

	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Migration is the schema whose migration Adopt is a part of.
const Migration = 7

// adopted is how many events are held in memory at a time by Adopt.
const adopted = 2048

// Adopt copies the events of a former schema, whose bodies stand in their rows, into
// the table of this one, in the transaction that makes it.
func Adopt(ctx context.Context, tx *sql.Tx) error {
	tools := map[int64]string{}
	err := db.Each(ctx, tx, func(rows *sql.Rows) error {
		var id int64
		var name string
		err := rows.Scan(&id, &name)
		tools[id] = name
		return err
	}, "SELECT id, name FROM tool")
	if err != nil {
		return err
	}
	var changes Changes
	for last := int64(-1); ; {
		rows, err := former(ctx, tx, last)
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			return changes.Write(ctx, tx)
		}
		values := make([][]any, len(rows))
		for i := range rows {
			r := &rows[i]
			last = r.key
			stored, err := changes.Add(ctx, tx, r.key, r.kind, r.body)
			if err != nil {
				return err
			}
			values[i] = []any{
				r.key, r.tool, r.id, string(r.kind), r.time, r.withdrawn, r.outside, r.revision, r.redacted, r.project, stored, r.sum,
				db.IDHash(tools[r.tool], r.id),
			}
		}
		err = db.Insert(ctx, tx, db.TableRows, `INSERT INTO event_packed
			(key, tool, id, kind, time, withdrawn, outside, revision, redact_rev, project, body, sum, hash) VALUES`, values)
		if err != nil {
			return err
		}
		if err := changes.Spill(ctx, tx); err != nil {
			return err
		}
		// To drop the whole table by one statement would take as much memory: SQLite
		// remembers what a statement changes.
		if _, err := tx.ExecContext(ctx, "DELETE FROM event WHERE key <= ?", last); err != nil {
			return err
		}
	}
}

// formerRow is a row of the table event as it was.
type formerRow struct {
	key, tool, revision, redacted, project, sum int64
	id, body                                    string
	kind                                        transcript.Kind
	time                                        sql.NullInt64
	withdrawn, outside                          bool
}

func former(ctx context.Context, tx *sql.Tx, after int64) (list []formerRow, err error) {
	err = db.Each(ctx, tx, func(rows *sql.Rows) error {
		var r formerRow
		err := rows.Scan(&r.key, &r.tool, &r.id, &r.kind, &r.time, &r.withdrawn, &r.outside, &r.revision, &r.redacted, &r.project, &r.body, &r.sum)
		list = append(list, r)
		return err
	}, "SELECT key, tool, id, kind, time, withdrawn, outside, revision, redact_rev, project, body, sum FROM event WHERE key > ? ORDER BY key LIMIT ?", after, adopted)
	return list, err
}
