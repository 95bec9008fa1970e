package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strconv"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/redact"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/agents"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// redactRevision is the key in meta of the revision that everything but events
// was last redacted with. Events say it themselves.
const redactRevision = "redact_revision"

// refreshRedaction goes over what an older rule set has let through: events,
// titles and branches of sessions, reader states, what named agents left. The
// file is rewritten afterwards, so that no free page holds what was replaced.
func (l *Store) refreshRedaction(ctx context.Context) error {
	var done ledger.Forgotten
	err := l.file.InTx(ctx, "redact again", func(tx *sql.Tx) error {
		var made string
		err := tx.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = ?", redactRevision).Scan(&made)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		now := strconv.Itoa(redact.Revision)
		if made == now {
			return nil
		}
		run := &forgetting{appending: appending{log: l, transaction: &transaction{tx: tx}}, done: &done}
		if err := run.redactAgain(ctx); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", redactRevision, now)
		return err
	})
	if err != nil || done.Events+done.Agents == 0 {
		return err
	}
	return l.compact(ctx)
}

func (f *forgetting) redactAgain(ctx context.Context) error {
	for last := int64(-1); ; {
		stale, err := f.records(ctx, "key > ? AND redact_rev < ? ORDER BY key LIMIT ?", last, redact.Revision, scrubbed)
		if err != nil {
			return err
		}
		if len(stale) == 0 {
			break
		}
		for _, r := range stale {
			last = r.key
			if err := f.redactEvent(ctx, r); err != nil {
				return err
			}
		}
		if err := f.write(ctx); err != nil {
			return err
		}
	}
	for _, column := range textColumns {
		n, err := db.RewriteColumn(ctx, f.tx, column.table, column.name, redact.JSON)
		if err != nil {
			return err
		}
		f.done.Events += n
	}
	changed, err := agents.RewriteAll(ctx, f.log.agentStore, f.tx, redact.JSON)
	if f.done.Agents += changed; err != nil {
		return err
	}
	changed, err = f.log.Rewrite(ctx, f.tx, redact.Revision, nil)
	f.done.Events += changed // the file is rewritten for them, too
	return err
}

func (f *forgetting) redactEvent(ctx context.Context, r toolRecord) error {
	var event transcript.Event
	if err := ledger.DecodeBody([]byte(r.body), &event); err == nil {
		ledger.Prepare(&event)
		body, err := ledger.EncodeBody(&event)
		if err != nil {
			return err
		}
		if string(body) != r.body {
			if err := f.rewriteBody(ctx, r.record, r.tool, string(body)); err != nil {
				return err
			}
			f.done.Events++
		}
	}
	_, err := f.tx.ExecContext(ctx, "UPDATE event SET redact_rev = ? WHERE key = ?", redact.Revision, r.key)
	return err
}
