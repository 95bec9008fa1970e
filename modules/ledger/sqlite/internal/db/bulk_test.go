package db_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
)

const inserted = 500 // rows, as in a batch of an import

// mappedEvent is a row of the table event, for gorm.
type mappedEvent struct {
	Key       int64 `gorm:"primaryKey;autoIncrement:false"`
	Tool      int64
	ID        string
	Kind      string
	Time      int64
	Withdrawn bool
	Outside   bool
	Revision  int
	RedactRev int
	Project   int64
	Body      string
}

func (mappedEvent) TableName() string { return "event" }

func (e *mappedEvent) values() []any {
	return []any{e.Key, e.Tool, e.ID, e.Kind, e.Time, e.Withdrawn, e.Outside, e.Revision, e.RedactRev, e.Project, e.Body}
}

const insertEvent = "INSERT INTO event (key, tool, id, kind, time, withdrawn, outside, revision, redact_rev, project, body) VALUES"

// BenchmarkInsert is one transaction that inserts 500 events. The driver
// compiles a statement each time it is run, so a prepared one is not cheaper;
// many rows to a statement are (ADR 0032).
func BenchmarkInsert(b *testing.B) {
	ctx := context.Background()
	bulk := func(rows int) func(*db.File, *sql.Tx, []mappedEvent) error {
		return func(_ *db.File, tx *sql.Tx, events []mappedEvent) error {
			values := make([][]any, len(events))
			for i := range events {
				values[i] = events[i].values()
			}
			return db.Insert(ctx, tx, rows, insertEvent, values)
		}
	}
	for _, way := range []struct {
		name   string
		insert func(*db.File, *sql.Tx, []mappedEvent) error
	}{
		{"gorm, a row at a time", func(file *db.File, tx *sql.Tx, events []mappedEvent) error {
			for i := range events {
				if err := file.RowsIn(ctx, tx).Create(&events[i]).Error; err != nil {
					return err
				}
			}
			return nil
		}},
		{"gorm, 32 rows at a time", func(file *db.File, tx *sql.Tx, events []mappedEvent) error {
			return file.RowsIn(ctx, tx).CreateInBatches(events, 32).Error
		}},
		{"plain, a row at a time", func(_ *db.File, tx *sql.Tx, events []mappedEvent) error {
			for i := range events {
				if _, err := tx.Exec(insertEvent+" ("+db.Marks(11)+")", events[i].values()...); err != nil {
					return err
				}
			}
			return nil
		}},
		{"prepared, a row at a time", bulk(1)},
		{"prepared, 32 rows at a time", bulk(db.TableRows)},
	} {
		b.Run(way.name, func(b *testing.B) {
			file, err := db.Open(filepath.Join(b.TempDir(), "ledger.sqlite"), nil)
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = file.Close() }()
			key := int64(0)
			for b.Loop() {
				events := make([]mappedEvent, inserted)
				for i := range events {
					key++
					events[i] = mappedEvent{Key: key, Tool: 1, ID: fmt.Sprintf("%08x", key), Kind: "reply", Time: key, Body: strings.Repeat("word ", 80)}
				}
				err := file.InTx(ctx, "insert", func(tx *sql.Tx) error { return way.insert(file, tx, events) })
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/inserted, "µs/row")
		})
	}
}
