package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gorm.io/gorm"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// entry is what the index knows of one event.
type entry struct {
	key   int64
	terms string
}

// indexing collects changes of the index. FTS5 flushes what it has gathered
// whenever a row's key is not above the last one's, so they are written in
// order of key.
type indexing struct {
	removed []entry
	added   []entry
}

func (x *indexing) remove(r *record, tool int64) {
	if terms := terms(r, tool); terms != "" {
		x.removed = append(x.removed, entry{r.key, terms})
	}
}

func (x *indexing) add(r *record, tool int64) {
	if terms := terms(r, tool); terms != "" {
		x.added = append(x.added, entry{r.key, terms})
	}
}

// terms is the indexed text of a record: its words, and what a search can be
// narrowed by; "" for one without words, which is not in the index. It must be made from the record alone, the same each time: a
// contentless index deletes by text, and silently fails when it is another.
func terms(r *record, tool int64) string {
	event := r.event
	if event == nil {
		event = &transcript.Event{}
		// A body that cannot be read has no words, now and later.
		_ = ledger.DecodeBody([]byte(r.body), event)
	}
	words := ledger.SearchText(event)
	if words == "" {
		return ""
	}
	filters := []string{filterTerm("t", tool), kindTerm(r.kind)}
	if r.project != 0 {
		filters = append(filters, filterTerm("p", r.project))
	}
	return strings.Join(append(filters, words), " ")
}

// filterMark begins the terms that are no words. No word can: it is neither
// letter nor digit.
const filterMark = "·"

func filterTerm(name string, number int64) string {
	return filterMark + name + strconv.FormatInt(number, 10)
}

func kindTerm(kind transcript.Kind) string {
	return filterMark + "k" + strings.Join(ledger.Words(string(kind)), "")
}

// writeIndex carries the collected changes out.
func (a *appending) writeIndex(ctx context.Context) error {
	byKey := func(x, y entry) int { return cmp.Compare(x.key, y.key) }
	slices.SortFunc(a.index.removed, byKey)
	slices.SortFunc(a.index.added, byKey)
	for _, gone := range a.index.removed {
		_, err := a.tx.ExecContext(ctx, "INSERT INTO search (search, rowid, terms) VALUES ('delete', ?, ?)", gone.key, gone.terms)
		if err != nil {
			return err
		}
	}
	rows := make([][]any, len(a.index.added))
	for i, e := range a.index.added {
		rows[i] = []any{e.key, e.terms}
	}
	a.index = indexing{}
	return insert(ctx, a.tx, indexRows, "INSERT INTO search (rowid, terms) VALUES", rows)
}

// moveToProject indexes the events of a session that were indexed under its
// former project, or under none, anew.
func (a *appending) moveToProject(ctx context.Context, session *sessionRow, former int64) error {
	var moved []*record
	err := each(ctx, a.tx, func(rows *sql.Rows) error {
		stored, err := scanRecord(rows)
		moved = append(moved, stored)
		return err
	}, `SELECT key, id, kind, COALESCE(time, 0), withdrawn, outside, revision, project, body FROM event
		WHERE project = ? AND key IN (SELECT event FROM occurrence WHERE session = ?)`, former, session.ID)
	if err != nil {
		return err
	}
	for _, r := range moved {
		a.index.remove(r, a.tool)
		r.project = session.Project
		a.index.add(r, a.tool)
		if _, err := a.tx.ExecContext(ctx, "UPDATE event SET project = ? WHERE key = ?", r.project, r.key); err != nil {
			return err
		}
	}
	// Written at once: the same event may change its words in this batch too.
	return a.writeIndex(ctx)
}

// indexRevision is the key in meta of the revision the index was made with.
const indexRevision = "search_revision"

// refreshIndex makes the index anew when the words are made another way now.
// It comes before anything could be deleted from it with the wrong words.
func (l *Store) refreshIndex(ctx context.Context) error {
	err := l.write.WithContext(ctx).Transaction(func(db *gorm.DB) error {
		tx, ok := db.Statement.ConnPool.(*sql.Tx)
		if !ok {
			return errors.New("transaction without connection")
		}
		var made string
		err := tx.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = ?", indexRevision).Scan(&made)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		now := strconv.Itoa(ledger.SearchRevision)
		if made == now {
			return nil
		}
		if err := reindex(ctx, tx); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", indexRevision, now)
		return err
	})
	if err != nil {
		return fmt.Errorf("search index: %w", damaged(err))
	}
	return nil
}

// reindexed is how many events are held in memory at a time by reindex.
const reindexed = 2048

func reindex(ctx context.Context, tx *sql.Tx) error {
	if _, err := tx.ExecContext(ctx, "INSERT INTO search (search) VALUES ('delete-all')"); err != nil {
		return err
	}
	for last := int64(-1); ; {
		var rows [][]any
		read := 0
		err := each(ctx, tx, func(found *sql.Rows) error {
			var r record
			var tool int64
			if err := found.Scan(&r.key, &tool, &r.kind, &r.project, &r.body); err != nil {
				return err
			}
			last = r.key
			read++
			if terms := terms(&r, tool); terms != "" {
				rows = append(rows, []any{r.key, terms})
			}
			return nil
		}, "SELECT key, tool, kind, project, body FROM event WHERE key > ? ORDER BY key LIMIT ?", last, reindexed)
		if err != nil || read == 0 {
			return err
		}
		if err := insert(ctx, tx, indexRows, "INSERT INTO search (rowid, terms) VALUES", rows); err != nil {
			return err
		}
	}
}
