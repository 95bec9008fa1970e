package wreck

import (
	"context"
	"database/sql"
	"slices"

	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/pages"
)

// Missing is what another ledger does not have.
type Missing struct {
	Found    map[int64]pages.Address // where the events stand that can be read, by key
	Lost     []int64                 // the keys of those that cannot, in order
	Complete bool                    // no more than these are lost
}

// Missing says where the events stand that another ledger does not have, by
// key, and lists the keys, in order, of those that cannot be read here and are
// not there; Complete is as of Events. An event that the other ledger has as
// something else counts as missing: one of two transcripts may have said it so.
func (l *Ledger) Missing(ctx context.Context, other db.Querier) (m Missing, err error) {
	m.Found = map[int64]pages.Address{}
	var part []Event
	flush := func() {
		if err == nil {
			err = l.unknown(ctx, other, part, m.Found)
		}
		part = part[:0]
	}
	var lost []int64
	lost, m.Complete = l.Events(func(event Event) {
		event.Sum, event.Body = db.EventSum(event.Key, event.ID, event.Withdrawn, event.Body), "" // it is read again where it is wanted
		if part = append(part, event); len(part) == db.Chunk {
			flush()
		}
	})
	flush()
	if err != nil {
		return m, err
	}
	// A key is made of the event, so the same event has the same one there.
	known := map[int64]bool{}
	err = db.Chunks(lost, func(part []any) error {
		return db.Each(ctx, other, func(rows *sql.Rows) error {
			var key int64
			err := rows.Scan(&key)
			known[key] = true
			return err
		}, "SELECT key FROM event WHERE key IN ("+db.Marks(len(part))+")", part...)
	})
	m.Lost = slices.DeleteFunc(lost, func(key int64) bool { return known[key] })
	return m, err
}

// unknown adds those of some events that the other ledger does not have.
func (l *Ledger) unknown(ctx context.Context, other db.Querier, events []Event, found map[int64]pages.Address) error {
	byTool := map[int64][]Event{}
	for _, event := range events {
		byTool[event.Tool] = append(byTool[event.Tool], event)
	}
	for tool, events := range byTool {
		if err := l.learnTool(ctx, other, tool, events); err != nil {
			return err
		}
		hashes := make([]int64, len(events))
		for i, event := range events {
			hashes[i] = db.IDHash(l.Tools[tool], event.ID)
		}
		known := map[string]int64{}
		err := db.Chunks(hashes, func(part []any) error {
			return db.Each(ctx, other, func(rows *sql.Rows) error {
				var id string
				var sum int64
				err := rows.Scan(&id, &sum)
				known[id] = sum
				return err
			}, "SELECT id, sum FROM event WHERE tool = (SELECT id FROM tool WHERE name = ?) AND hash IN ("+db.Marks(len(part))+")",
				append([]any{l.Tools[tool]}, part...)...)
		})
		if err != nil {
			return err
		}
		for _, event := range events {
			if known[event.ID] != event.Sum {
				found[event.Key] = event.Address
			}
		}
	}
	return nil
}

// learnTool learns what a tool is called, where its row cannot be read, of an
// event that the other ledger has too.
func (l *Ledger) learnTool(ctx context.Context, other db.Querier, tool int64, events []Event) error {
	if l.Tools[tool] != "" {
		return nil
	}
	for _, event := range events {
		err := db.Each(ctx, other, func(rows *sql.Rows) error {
			var name string
			err := rows.Scan(&name)
			l.Tools[tool] = name
			return err
		}, "SELECT t.name FROM event e JOIN tool t ON t.id = e.tool WHERE e.key = ? AND e.id = ?", event.Key, event.ID)
		if err != nil || l.Tools[tool] != "" {
			l.nameTools()
			return err
		}
	}
	return nil
}
