package sqlite

import (
	"context"
	"database/sql"
	"strings"
)

// chunk is how many rows go into one statement: SQLite's parser and the
// driver cost as much as the row itself when every row is a statement.
const chunk = 64

// insert adds rows by the beginning of a statement ("INSERT INTO t (a, b)
// VALUES"). Each row has the same number of values.
func insert(ctx context.Context, tx *sql.Tx, head string, rows [][]any) error {
	for len(rows) > 0 {
		part := rows[:min(chunk, len(rows))]
		rows = rows[len(part):]
		var query strings.Builder
		query.WriteString(head)
		args := make([]any, 0, len(part)*len(part[0]))
		for i, row := range part {
			if i > 0 {
				query.WriteByte(',')
			}
			query.WriteString(" (?" + strings.Repeat(",?", len(row)-1) + ")")
			args = append(args, row...)
		}
		if _, err := tx.ExecContext(ctx, query.String(), args...); err != nil {
			return err
		}
	}
	return nil
}

// querier is a connection pool or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// each runs a query and hands every row to scan.
func each(ctx context.Context, db querier, scan func(*sql.Rows) error, query string, args ...any) error {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// chunks calls do for parts of a list, as many as one statement takes.
func chunks[T any](list []T, do func(part []any) error) error {
	for len(list) > 0 {
		n := min(8*chunk, len(list))
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

// marks is "?,?,?" for n values.
func marks(n int) string {
	return strings.TrimSuffix(strings.Repeat("?,", n), ",")
}
