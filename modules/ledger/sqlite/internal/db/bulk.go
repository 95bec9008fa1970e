package db

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"sync/atomic"
)

// TableRows go into one INSERT. The parser and the driver cost as much as a row
// does, so a statement for each is slow; but the driver binds values in time
// that grows with the square of their number.
const TableRows = 32

// Insert adds rows, so many to a statement, by the beginning of one ("INSERT
// INTO t (a, b) VALUES"). Each row has the same number of values.
func Insert(ctx context.Context, tx *sql.Tx, perStatement int, head string, rows [][]any) error {
	if len(rows) == 0 {
		return nil
	}
	tuple := ",(" + Marks(len(rows[0])) + ")"
	if len(rows) >= 2*perStatement {
		full, err := tx.PrepareContext(ctx, head+strings.Repeat(tuple, perStatement)[1:])
		if err != nil {
			return err
		}
		defer full.Close()
		for len(rows) >= perStatement {
			if _, err := full.ExecContext(ctx, slices.Concat(rows[:perStatement]...)...); err != nil {
				return err
			}
			rows = rows[perStatement:]
		}
	}
	for len(rows) > 0 {
		part := rows[:min(perStatement, len(rows))]
		rows = rows[len(part):]
		if _, err := tx.ExecContext(ctx, head+strings.Repeat(tuple, len(part))[1:], slices.Concat(part...)...); err != nil {
			return err
		}
	}
	return nil
}

// Querier is a connection pool or a transaction.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// rowsRead counts the rows that Each has handed out.
var rowsRead atomic.Int64

// RowsRead is how many rows Each has handed out since the program began: the work that
// tests of it count.
func RowsRead() int64 { return rowsRead.Load() }

// Snapshot lets queries see the file as it is at one moment, whatever is written
// meanwhile. No other work belongs between them.
func Snapshot(ctx context.Context, pool *sql.DB, do func(tx *sql.Tx) error) error {
	tx, err := pool.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	return do(tx)
}

// Each runs a query and hands every row to scan.
func Each(ctx context.Context, db Querier, scan func(*sql.Rows) error, query string, args ...any) error {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		rowsRead.Add(1)
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Chunk is how many rows are asked for, and held in memory, at a time.
const Chunk = 512

// Chunks calls do for parts of a list.
func Chunks[T any](list []T, do func(part []any) error) error {
	for len(list) > 0 {
		n := min(Chunk, len(list))
		part := make([]any, n)
		for i, value := range list[:n] {
			part[i] = value
		}
		if err := do(part); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

// Marks is "?,?,?" for n values.
func Marks(n int) string {
	return strings.TrimSuffix(strings.Repeat("?,", n), ",")
}

// RewriteColumn makes other texts of the texts of a column, in a table with the
// key id, and counts them.
func RewriteColumn(ctx context.Context, tx *sql.Tx, table, column string, of func(string) string) (changed int, err error) {
	texts := map[int64]string{}
	err = Each(ctx, tx, func(rows *sql.Rows) error {
		var id int64
		var text string
		if err := rows.Scan(&id, &text); err != nil {
			return err
		}
		if clean := of(text); clean != text {
			texts[id] = clean
		}
		return nil
	}, "SELECT id, "+column+" FROM "+table+" WHERE "+column+" <> ''")
	for id, text := range texts {
		if err == nil {
			_, err = tx.ExecContext(ctx, "UPDATE "+table+" SET "+column+" = ? WHERE id = ?", text, id)
		}
	}
	return len(texts), err
}
