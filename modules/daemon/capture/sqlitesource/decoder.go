package sqlitesource

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

const (
	// pageRows and pageBytes bound what is read in one transaction: a long one
	// keeps the agent's log from being cut.
	pageRows  = 200
	pageBytes = 8 << 20
	// overlap is how far behind the mark rows are read again: of two processes
	// that write, the later one may have taken its time first.
	overlap = 2 * time.Second
	// rowOverlap is the same in rows, where rows are known by their number: some
	// tools change the newest of them in place, or write what refers to them after
	// them.
	rowOverlap = 256
)

// schema is the mark under which the version of a database's schema is kept: it
// rises when all rows are rewritten.
const schema = ""

// Decoder turns the rows that are new into batches. Marks move only when all
// queries are through: until then a reading that is broken off starts over, and
// events that come twice are one.
type Decoder struct {
	ctx     context.Context
	db      *Database
	reader  transcript.RowReader
	queries []transcript.RowQuery // those still to be asked
	at      cursor
	from    transcript.Marks // before
	to      transcript.Marks // after
	until   int64
	cwd     string
	pos     transcript.Position
	done    bool
}

// cursor is the last row that was delivered.
type cursor struct {
	group string
	key   int64
}

var _ transcript.Decoder = (*Decoder)(nil)

// Decode reads on from a position. Modified is when the database was written
// last before it was opened: no time of a row above it is remembered, so that
// what is changed while it is read is found the next time. cwd is the directory
// that a file beside the database names, "" where none does.
func (d *Database) Decode(ctx context.Context, reader transcript.RowReader, pos transcript.Position, modified time.Time, cwd string) (*Decoder, error) {
	marks, err := transcript.ReadMarks(pos.State)
	if err != nil {
		return nil, err
	}
	queries, err := d.answerable(ctx, reader.Queries())
	if err != nil {
		return nil, err
	}
	decoder := &Decoder{
		ctx: ctx, db: d, reader: reader, queries: queries, at: first,
		from: marks, to: transcript.Marks{}, until: modified.UnixMilli(), cwd: cwd, pos: pos,
	}
	if slices.ContainsFunc(queries, func(query transcript.RowQuery) bool { return query.ByRow }) {
		if err := decoder.checkNumbers(); err != nil {
			return nil, err
		}
	}
	for name, mark := range decoder.from {
		decoder.to[name] = mark
	}
	return decoder, nil
}

// answerable are the queries whose tables this database has.
func (d *Database) answerable(ctx context.Context, queries []transcript.RowQuery) ([]transcript.RowQuery, error) {
	tables, err := d.Tables(ctx)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(queries), func(query transcript.RowQuery) bool {
		return query.Table != "" && !slices.Contains(tables, query.Table)
	}), nil
}

// checkNumbers forgets the marks that are numbers of rows when the rows may
// have been renumbered.
func (d *Decoder) checkNumbers() error {
	var version int64
	if err := d.db.pool.QueryRowContext(d.ctx, "PRAGMA schema_version").Scan(&version); err != nil {
		return fmt.Errorf("ask for the schema's version: %w", err)
	}
	if d.from[schema] != version {
		for _, query := range d.queries {
			if query.ByRow {
				delete(d.from, query.Name)
			}
		}
	}
	d.from[schema] = version
	return nil
}

// first stands before every row.
var first = cursor{key: -1}

// Next implements transcript.Decoder.
func (d *Decoder) Next() (transcript.Batch, error) {
	for len(d.queries) > 0 {
		query := d.queries[0]
		rows, size, more, err := d.page(query)
		if err != nil {
			return transcript.Batch{}, fmt.Errorf("query %s: %w", query.Name, err)
		}
		if !more {
			d.queries, d.at = d.queries[1:], first
		}
		if len(rows) == 0 {
			continue
		}
		d.pos.Offset += size
		d.pos.Line += int64(len(rows))
		batch := transcript.Batch{Position: d.pos}
		batch.Events, batch.Coverage = d.reader.MapRows(rows)
		return batch, nil
	}
	if d.done {
		return transcript.Batch{}, io.EOF
	}
	d.done = true
	state, err := d.to.State()
	if err != nil {
		return transcript.Batch{}, err
	}
	d.pos.State = state
	return transcript.Batch{Position: d.pos}, nil
}

// Last says that the batch that came last ends the reading.
func (d *Decoder) Last() bool { return d.done }

// page is what follows in a query's answer, and the bytes of it.
func (d *Decoder) page(query transcript.RowQuery) (page []transcript.Row, size int64, more bool, err error) {
	behind := overlap.Milliseconds()
	if query.ByRow {
		behind = rowOverlap
	}
	rows, err := d.db.pool.QueryContext(d.ctx, query.SQL, sql.Named("mark", max(0, d.from[query.Name]-behind)),
		sql.Named("group", d.at.group), sql.Named("key", d.at.key), sql.Named("cwd", d.cwd))
	if err != nil {
		return nil, 0, false, err
	}
	defer func() { _ = rows.Close() }()
	names, err := rows.Columns()
	if err != nil {
		return nil, 0, false, err
	}
	for rows.Next() {
		values := make([]any, len(names))
		into := make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, 0, false, err
		}
		row := transcript.Row{Query: query.Name, Values: make(map[string]any, len(names))}
		for i, name := range names {
			row.Values[name] = values[i]
			size += sizeOf(values[i])
		}
		d.passed(query, row)
		page = append(page, row)
		if len(page) == pageRows || size >= pageBytes {
			return page, size, true, nil
		}
	}
	return page, size, false, rows.Err()
}

// passed moves the cursor behind a row, and the mark that will hold up to it.
func (d *Decoder) passed(query transcript.RowQuery, row transcript.Row) {
	d.at = cursor{group: row.Text("group"), key: row.Int("key")}
	mark := row.Int("mark")
	if !query.ByRow {
		mark = min(mark, d.until)
	}
	d.to[query.Name] = max(d.to[query.Name], mark)
}

func sizeOf(value any) int64 {
	switch value := value.(type) {
	case string:
		return int64(len(value))
	case []byte:
		return int64(len(value))
	case nil:
		return 0
	}
	return 8
}
