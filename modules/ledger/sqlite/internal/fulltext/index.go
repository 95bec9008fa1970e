// Package fulltext is the index of the ledger's words: what an event is indexed
// under, how the index follows the table of events, and the search.
package fulltext

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/bodies"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Document is what the index is made from of one event. Key, Tool and Project
// (0 for none) are the numbers of rows.
type Document struct {
	Number  int64 // in the index; 0 for one that is not in it
	Key     int64
	Tool    int64
	Project int64
	Kind    transcript.Kind
	Body    string
	Event   *transcript.Event // what Body says; nil to read it from there
}

// Changes collects changes of the index in one transaction. FTS5 flushes what it has
// gathered whenever a row's number is not above the last one's, so they are written in
// order of number. The zero value is ready to use.
type Changes struct {
	removed []entry
	added   map[int64]entry // by number
	next    map[int64]int64 // the next free number, by the first one of its stretch
}

// entry is what the index knows of one event.
type entry struct {
	number, key int64
	class       int
	terms       string
}

// Remove takes a document out that is in the index, or among the changes, as
// it is passed here.
func (c *Changes) Remove(of Document) {
	if of.Number == 0 {
		return
	}
	if _, pending := c.added[of.Number]; pending {
		delete(c.added, of.Number)
		return
	}
	c.removed = append(c.removed, entry{number: of.Number, terms: of.terms()})
}

// Add puts a document into the index, under the number that it had, and returns the
// number; 0 for one without words, which is not in the index.
func (c *Changes) Add(ctx context.Context, tx *sql.Tx, of Document) (number int64, err error) {
	terms := of.terms()
	if terms == "" {
		return 0, nil
	}
	if number = of.Number; number == 0 {
		if number, err = c.number(ctx, tx, of.Key); err != nil {
			return 0, err
		}
	}
	if c.added == nil {
		c.added = map[int64]entry{}
	}
	c.added[number] = entry{number, of.Key, classOf(of.Kind), terms}
	return number, nil
}

// number is the next free one in the stretch of an event's time. Where that is full,
// the event counts as one of the next.
func (c *Changes) number(ctx context.Context, tx *sql.Tx, key int64) (int64, error) {
	if c.next == nil {
		c.next = map[int64]int64{}
	}
	for first := db.FirstDocument(db.KeyTime(key)); ; first = db.NextStretch(first) {
		next, known := c.next[first]
		if !known {
			// 0 is no number.
			err := tx.QueryRowContext(ctx, "SELECT COALESCE(MAX(id) + 1, ?) FROM document WHERE id >= ? AND id < ?",
				max(first, 1), first, db.NextStretch(first)).Scan(&next)
			if err != nil {
				return 0, err
			}
		}
		if next < db.NextStretch(first) {
			c.next[first] = next + 1
			return next, nil
		}
		c.next[first] = next
	}
}

// Write carries the collected changes out and forgets them.
func (c *Changes) Write(ctx context.Context, tx *sql.Tx) error {
	slices.SortFunc(c.removed, func(x, y entry) int { return cmp.Compare(x.number, y.number) })
	for _, gone := range c.removed {
		_, err := tx.ExecContext(ctx, "INSERT INTO search (search, rowid, terms) VALUES ('delete', ?, ?)", gone.number, gone.terms)
		if err == nil {
			_, err = tx.ExecContext(ctx, "DELETE FROM document WHERE id = ?", gone.number)
		}
		if err != nil {
			return err
		}
	}
	added := c.added
	*c = Changes{next: c.next}
	return insert(ctx, tx, added)
}

// insert adds documents, in order of number, by one statement: FTS5 writes a
// segment at the beginning of the next. They come as one JSON object, for the
// driver binds values in time that grows with the square of their number.
// Terms need no escaping: they are letters, digits, spaces and the filter mark.
func insert(ctx context.Context, tx *sql.Tx, documents map[int64]entry) error {
	if len(documents) == 0 {
		return nil
	}
	size := 0
	for _, document := range documents {
		size += len(document.terms) + 26
	}
	var object strings.Builder
	object.Grow(size)
	open := `{"`
	rows := make([][]any, 0, len(documents))
	for _, number := range slices.Sorted(maps.Keys(documents)) {
		document := documents[number]
		object.WriteString(open)
		object.WriteString(strconv.FormatInt(number, 10))
		object.WriteString(`":"`)
		object.WriteString(document.terms)
		open = `","`
		rows = append(rows, []any{number, document.key, document.class})
	}
	object.WriteString(`"}`)
	_, err := tx.ExecContext(ctx, "INSERT INTO search (rowid, terms) SELECT CAST(key AS INTEGER), value FROM json_each(?)", object.String())
	if err != nil {
		return err
	}
	return db.Insert(ctx, tx, db.TableRows, "INSERT OR REPLACE INTO document (id, event, class) VALUES", rows)
}

// TermsOf are the words that a body is indexed under.
func TermsOf(body string) string {
	var event transcript.Event
	_ = ledger.DecodeBody([]byte(body), &event) // a body that cannot be read has no words
	return ledger.SearchText(&event)
}

// terms is the indexed text of a document: its words, and what a search can be
// narrowed by; "" for one without words, which is not in the index. It must be
// made from the document alone, the same each time: a contentless index deletes
// by text, and silently fails when it is another.
func (d Document) terms() string {
	words := ""
	if d.Event != nil {
		words = ledger.SearchText(d.Event)
	} else {
		words = TermsOf(d.Body)
	}
	if words == "" {
		return ""
	}
	filters := []string{filterTerm("t", d.Tool), kindTerm(d.Kind)}
	if d.Project != 0 {
		filters = append(filters, filterTerm("p", d.Project))
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

// revisionKey is the key in meta of the revision the index was made with.
const revisionKey = "search_revision"

// layout rises whenever the index is built another way of the same words, as with other
// numbers or classes.
const layout = 3

// Refresh rebuilds the index when it is made another way than when it was
// built. It comes before anything could be deleted from it with the wrong words.
func Refresh(ctx context.Context, tx *sql.Tx) error {
	var built string
	err := tx.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = ?", revisionKey).Scan(&built)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	now := fmt.Sprintf("%d.%d", ledger.SearchRevision, layout)
	if built == now {
		return nil
	}
	if err := Rebuild(ctx, tx); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", revisionKey, now)
	return err
}

// rebuilt is how many events are held in memory at a time by Rebuild.
const rebuilt = 2048

// Rebuild rebuilds the index from the table of events.
func Rebuild(ctx context.Context, tx *sql.Tx) error {
	if err := empty(ctx, tx); err != nil {
		return err
	}
	numbered, err := tx.PrepareContext(ctx, "UPDATE event SET document = ? WHERE key = ?")
	if err != nil {
		return err
	}
	defer func() { _ = numbered.Close() }()
	var changes Changes
	for last := int64(-1); ; {
		documents, err := documentsAfter(ctx, tx, last)
		if err != nil || len(documents) == 0 {
			return err
		}
		last = documents[len(documents)-1].Key
		for _, of := range documents {
			former := of.Number
			of.Number = 0
			number, err := changes.Add(ctx, tx, of)
			if err != nil {
				return err
			}
			if number == former {
				continue
			}
			if _, err := numbered.ExecContext(ctx, number, of.Key); err != nil {
				return err
			}
		}
		if err := changes.Write(ctx, tx); err != nil {
			return err
		}
	}
}

// empty takes everything out of the index, its data in parts: SQLite remembers in memory
// what a statement changes. The first ten rows are not data.
func empty(ctx context.Context, tx *sql.Tx) error {
	for deleted := int64(1); deleted > 0; {
		result, err := tx.ExecContext(ctx, "DELETE FROM search_data WHERE id IN (SELECT id FROM search_data WHERE id > 10 LIMIT 2048)")
		if err != nil {
			return err
		}
		if deleted, err = result.RowsAffected(); err != nil {
			return err
		}
	}
	_, err := tx.ExecContext(ctx, "INSERT INTO search (search) VALUES ('delete-all'); DELETE FROM document")
	return err
}

// documentsAfter reads the documents of the events that follow a key, in order.
func documentsAfter(ctx context.Context, tx *sql.Tx, key int64) (documents []Document, err error) {
	var wanted []bodies.Wanted
	err = db.Each(ctx, tx, func(found *sql.Rows) error {
		var of Document
		var stored bodies.Stored
		err := found.Scan(&of.Number, &of.Key, &of.Tool, &of.Kind, &of.Project, &stored)
		documents, wanted = append(documents, of), append(wanted, bodies.Wanted{Key: of.Key, Stored: stored})
		return err
	}, "SELECT document, key, tool, kind, project, body FROM event WHERE key > ? ORDER BY key LIMIT ?", key, rebuilt)
	if err != nil {
		return nil, err
	}
	return documents, bodies.Load(ctx, tx, wanted, func(i int, body []byte) error {
		documents[i].Body = string(body)
		return nil
	})
}
