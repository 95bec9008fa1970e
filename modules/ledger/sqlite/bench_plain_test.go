package sqlite_test

import (
	"database/sql"
	"os"
	"testing"
)

// plainIndex is what one gets from FTS5 as it comes: the same events, its own
// tokenizer, its own ranking over all hits, its own snippets. Search is measured
// beside it.
type plainIndex struct{ db *sql.DB }

// newPlainIndex makes the index, or takes the one that is there.
func newPlainIndex(b *testing.B, path string, events int) plainIndex {
	b.Helper()
	_, err := os.Stat(path)
	db, openErr := sql.Open("sqlite", "file:"+path)
	if openErr != nil {
		b.Fatal(openErr)
	}
	b.Cleanup(func() { _ = db.Close() })
	if err != nil {
		fillPlainIndex(b, db, events)
	}
	return plainIndex{db}
}

func fillPlainIndex(b *testing.B, db *sql.DB, events int) {
	b.Helper()
	if _, err := db.Exec("CREATE VIRTUAL TABLE plain USING fts5 (text)"); err != nil {
		b.Fatal(err)
	}
	tx, err := db.Begin()
	if err != nil {
		b.Fatal(err)
	}
	add, err := tx.Prepare("INSERT INTO plain (text) VALUES (?)")
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = add.Close() }()
	batches, _ := newVocabulary().batches(events)
	for _, batch := range batches {
		for _, event := range batch.Events {
			text := event.Text
			if event.Call != nil {
				text = event.Call.Command
			}
			if event.Result != nil {
				text = event.Result.Text
			}
			if _, err := add.Exec(text); err != nil {
				b.Fatal(err)
			}
		}
	}
	if err := tx.Commit(); err != nil {
		b.Fatal(err)
	}
}

func (p plainIndex) search(b *testing.B, query string) {
	for b.Loop() {
		if err := p.best(query); err != nil {
			b.Fatal(err)
		}
	}
}

// best reads the best twenty hits.
func (p plainIndex) best(query string) error {
	rows, err := p.db.Query("SELECT rowid, snippet(plain, 0, '[', ']', '…', 20) FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT 20", query)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var key int64
		var snippet string
		if err := rows.Scan(&key, &snippet); err != nil {
			return err
		}
	}
	return rows.Err()
}
