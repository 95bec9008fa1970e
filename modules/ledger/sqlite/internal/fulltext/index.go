// Package fulltext is the index of the ledger's words: what an event is indexed
// under, how the index follows the table of events, and the search.
package fulltext

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Document is what the index is made from of one event. Key, Tool and Project
// (0 for none) are the numbers of rows.
type Document struct {
	Key     int64
	Tool    int64
	Project int64
	Kind    transcript.Kind
	Body    string
	Event   *transcript.Event // what Body says; nil to read it from there
}

// Changes collects changes of the index. FTS5 flushes what it has gathered
// whenever a row's key is not above the last one's, so they are written in
// order of key. The zero value is ready to use.
type Changes struct {
	removed []entry
	added   map[int64]string // terms by key
}

// entry is what the index knows of one event.
type entry struct {
	key   int64
	terms string
}

// Remove takes a document out that is in the index, or among the changes, as
// it is passed here.
func (c *Changes) Remove(of Document) {
	if _, pending := c.added[of.Key]; pending {
		delete(c.added, of.Key)
		return
	}
	if terms := of.terms(); terms != "" {
		c.removed = append(c.removed, entry{of.Key, terms})
	}
}

// Add puts a document into the index.
func (c *Changes) Add(of Document) {
	if terms := of.terms(); terms != "" {
		if c.added == nil {
			c.added = map[int64]string{}
		}
		c.added[of.Key] = terms
	}
}

// Write carries the collected changes out and forgets them.
func (c *Changes) Write(ctx context.Context, tx *sql.Tx) error {
	slices.SortFunc(c.removed, func(x, y entry) int { return cmp.Compare(x.key, y.key) })
	for _, gone := range c.removed {
		_, err := tx.ExecContext(ctx, "INSERT INTO search (search, rowid, terms) VALUES ('delete', ?, ?)", gone.key, gone.terms)
		if err != nil {
			return err
		}
	}
	added := c.added
	*c = Changes{}
	return insert(ctx, tx, added)
}

// insert adds documents, in order of key, by one statement: FTS5 writes a
// segment at the beginning of the next. They come as one JSON object, for the
// driver binds values in time that grows with the square of their number.
// Terms need no escaping: they are letters, digits, spaces and the filter mark.
func insert(ctx context.Context, tx *sql.Tx, documents map[int64]string) error {
	if len(documents) == 0 {
		return nil
	}
	size := 0
	for _, terms := range documents {
		size += len(terms) + 26
	}
	var object strings.Builder
	object.Grow(size)
	open := `{"`
	for _, key := range slices.Sorted(maps.Keys(documents)) {
		object.WriteString(open)
		object.WriteString(strconv.FormatInt(key, 10))
		object.WriteString(`":"`)
		object.WriteString(documents[key])
		open = `","`
	}
	object.WriteString(`"}`)
	_, err := tx.ExecContext(ctx, "INSERT INTO search (rowid, terms) SELECT CAST(key AS INTEGER), value FROM json_each(?)", object.String())
	return err
}

// terms is the indexed text of a document: its words, and what a search can be
// narrowed by; "" for one without words, which is not in the index. It must be
// made from the document alone, the same each time: a contentless index deletes
// by text, and silently fails when it is another.
func (d Document) terms() string {
	event := d.Event
	if event == nil {
		event = &transcript.Event{}
		// A body that cannot be read has no words, now and later.
		_ = ledger.DecodeBody([]byte(d.Body), event)
	}
	words := ledger.SearchText(event)
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

// Refresh rebuilds the index when words are made another way than when it was
// built. It comes before anything could be deleted from it with the wrong words.
func Refresh(ctx context.Context, tx *sql.Tx) error {
	var built string
	err := tx.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = ?", revisionKey).Scan(&built)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	now := strconv.Itoa(ledger.SearchRevision)
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
	if _, err := tx.ExecContext(ctx, "INSERT INTO search (search) VALUES ('delete-all')"); err != nil {
		return err
	}
	for last := int64(-1); ; {
		documents := map[int64]string{}
		read := 0
		err := db.Each(ctx, tx, func(found *sql.Rows) error {
			var of Document
			if err := found.Scan(&of.Key, &of.Tool, &of.Kind, &of.Project, &of.Body); err != nil {
				return err
			}
			last = of.Key
			read++
			if terms := of.terms(); terms != "" {
				documents[of.Key] = terms
			}
			return nil
		}, "SELECT key, tool, kind, project, body FROM event WHERE key > ? ORDER BY key LIMIT ?", last, rebuilt)
		if err != nil || read == 0 {
			return err
		}
		if err := insert(ctx, tx, documents); err != nil {
			return err
		}
	}
}
