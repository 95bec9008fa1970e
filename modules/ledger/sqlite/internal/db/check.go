package db

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strings"

	"github.com/carryover-go/carryover/modules/ledger"
)

// Check reads a whole file and fails with ledger.ErrCorrupt when SQLite finds
// fault with it, when the checksum of a row does not hold, or when places name
// events, sessions or sources that are not there. ofEvents counts the events whose
// checksums do not hold.
func Check(ctx context.Context, path string, ofEvents func(ctx context.Context, pool *sql.DB) (int, error)) error {
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("check ledger: %w", err)
	}
	if err := Own(path); err != nil {
		return fmt.Errorf("check ledger: %w", err)
	}
	pool, err := Connect(path)
	if err != nil {
		return err
	}
	defer func() { _ = pool.Close() }()
	var verdict string
	if err := pool.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict); err != nil {
		return fmt.Errorf("check ledger: %w", Damaged(err))
	}
	if verdict != "ok" {
		return fmt.Errorf("check ledger: %w: %s", ledger.ErrCorrupt, strings.TrimSpace(verdict))
	}
	if version, err := schemaVersion(pool); err != nil || version < summedSchema {
		return Damaged(err)
	}
	wrong, err := wrongSums(ctx, pool)
	if err == nil {
		var events int
		events, err = ofEvents(ctx, pool)
		wrong += events
	}
	if err != nil {
		return fmt.Errorf("check ledger: %w", Damaged(err))
	}
	if wrong > 0 {
		return fmt.Errorf("check ledger: %w: %d rows differ from their checksums", ledger.ErrCorrupt, wrong)
	}
	return unplaced(ctx, pool)
}

// summedSchema is the first version of the schema with checksums.
const summedSchema = 4

// wrongSums counts the rows of named agents whose checksum does not hold.
func wrongSums(ctx context.Context, pool *sql.DB) (wrong int, err error) {
	var body, name, kind, uid sql.RawBytes
	var sum int64
	err = Each(ctx, pool, func(rows *sql.Rows) error {
		if err := rows.Scan(&name, &kind, &uid, &body, &sum); err != nil {
			return err
		}
		if Sum(string(name), string(kind), string(uid), string(body)) != sum {
			wrong++
		}
		return nil
	}, "SELECT name, kind, uid, body, sum FROM agent WHERE sum <> 0")
	return wrong, err
}

// unplaced fails when tables do not fit together.
func unplaced(ctx context.Context, pool *sql.DB) error {
	for what, query := range map[string]string{
		"places without an event":            "SELECT count(*) FROM occurrence o WHERE NOT EXISTS (SELECT 1 FROM event WHERE key = o.event)",
		"places without a session or source": "SELECT count(*) FROM occurrence WHERE session NOT IN (SELECT id FROM session) OR source NOT IN (SELECT id FROM source)",
	} {
		var n int
		if err := pool.QueryRowContext(ctx, query).Scan(&n); err != nil {
			return fmt.Errorf("check ledger: %w", Damaged(err))
		}
		if n > 0 {
			return fmt.Errorf("check ledger: %w: %d %s", ledger.ErrCorrupt, n, what)
		}
	}
	return nil
}

// fillSums makes the checksums of rows that were stored without.
func fillSums(ctx context.Context, tx *sql.Tx) error {
	type summed struct{ row, sum int64 }
	fill := func(table, key, query string, sum func(*sql.Rows) (summed, error)) error {
		for last := int64(-1 << 62); ; {
			var part []summed
			err := Each(ctx, tx, func(rows *sql.Rows) error {
				one, err := sum(rows)
				part = append(part, one)
				return err
			}, query+" FROM "+table+" WHERE "+key+" > ? ORDER BY "+key+" LIMIT 2048", last)
			if err != nil || len(part) == 0 {
				return err
			}
			last = part[len(part)-1].row
			for _, one := range part {
				if _, err := tx.ExecContext(ctx, "UPDATE "+table+" SET sum = ? WHERE "+key+" = ?", one.sum, one.row); err != nil {
					return err
				}
			}
		}
	}
	err := fill("event", "key", "SELECT key, id, withdrawn, body", func(rows *sql.Rows) (one summed, err error) {
		var id, body string
		var withdrawn bool
		err = rows.Scan(&one.row, &id, &withdrawn, &body)
		one.sum = EventSum(one.row, id, withdrawn, body)
		return one, err
	})
	if err != nil {
		return err
	}
	return fill("agent", "id", "SELECT id, name, kind, uid, body", func(rows *sql.Rows) (one summed, err error) {
		var name, kind, uid, body string
		err = rows.Scan(&one.row, &name, &kind, &uid, &body)
		one.sum = Sum(name, kind, uid, body)
		return one, err
	})
}
