package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strings"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/agents"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/fulltext"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Check reads a whole ledger and fails with ledger.ErrCorrupt when SQLite finds
// fault with it. Nothing is changed.
func Check(ctx context.Context, path string) error {
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("check ledger: %w", err)
	}
	pool, err := db.Connect(path)
	if err != nil {
		return err
	}
	defer func() { _ = pool.Close() }()
	var verdict string
	if err := pool.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return fmt.Errorf("check ledger: %w", db.Damaged(err))
	}
	if verdict != "ok" {
		return fmt.Errorf("check ledger: %w: %s", ledger.ErrCorrupt, strings.TrimSpace(verdict))
	}
	return nil
}

// Reread rebuilds the index and lets every transcript be read again from its
// start, as a better reader would: its events take the place of the former
// ones in one transaction. What only the ledger has stays.
func (l *Store) Reread(ctx context.Context) error {
	return l.file.InTx(ctx, "repair", func(tx *sql.Tx) error {
		if err := fulltext.Rebuild(ctx, tx); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "UPDATE source SET revision = -1 WHERE NOT hook")
		return err
	})
}

// Salvage brings over from a ledger that was set aside what no transcript can
// give any more: the events of sources that are gone, the hooks' and git's,
// the decisions of the restore gate, what named agents left. What cannot be
// read is passed over. Returned is how many events were found.
func (l *Store) Salvage(ctx context.Context, from string, gone func(path string) bool) (int, error) {
	old, err := db.Connect(from)
	if err != nil {
		return 0, err
	}
	defer func() { _ = old.Close() }()
	n := 0
	for _, source := range lostSources(ctx, old, gone) {
		batch := ledger.Batch{Source: source.Source, Events: lostEvents(ctx, old, source), Hook: source.hook}
		if len(batch.Events) == 0 {
			continue
		}
		appended, err := l.Append(ctx, batch)
		if err != nil {
			return n, fmt.Errorf("salvage %s: %w", source.Path, err)
		}
		n += appended.Events
	}
	return n, l.salvageTables(ctx, old)
}

// lostSource is a source that cannot be read again.
type lostSource struct {
	ledger.Source
	id   int64
	hook bool
}

// lostSources lists them, as far as the old file can be read: an error ends
// the list.
func lostSources(ctx context.Context, old *sql.DB, gone func(string) bool) (list []lostSource) {
	_ = db.Each(ctx, old, func(rows *sql.Rows) error {
		var s lostSource
		if err := rows.Scan(&s.id, &s.Tool, &s.Path, &s.Main, &s.hook, &s.Subagent, &s.Revision); err != nil {
			return err
		}
		if s.hook || gone(s.Path) {
			list = append(list, s)
		}
		return nil
	}, "SELECT s.id, t.name, s.path, s.main, s.hook, s.subagent, s.revision FROM source s JOIN tool t ON t.id = s.tool ORDER BY s.id")
	return list
}

func lostEvents(ctx context.Context, old *sql.DB, source lostSource) (events []transcript.Located) {
	_ = db.Each(ctx, old, func(rows *sql.Rows) error {
		var e transcript.Located
		var body []byte
		var ms int64
		err := rows.Scan(&e.ID, &body, &ms, &e.Withdrawn, &e.Session, &e.Ref.Offset, &e.Ref.Block, &e.Ref.Length, &e.Ref.Line, &e.Subagent)
		if err != nil {
			return err
		}
		if ledger.DecodeBody(body, &e.Event) != nil {
			return nil // one body that cannot be read costs itself only
		}
		e.Tool, e.Time = source.Tool, db.Time(ms)
		if e.Ref.Offset < 0 {
			e.Ref.Offset = -1 - e.Ref.Offset // a former place is the only one it has
		}
		events = append(events, e)
		return nil
	}, `SELECT e.id, e.body, COALESCE(e.time, 0), e.withdrawn, n.name, o.offset, o.block, o.length, o.line, o.subagent
		FROM occurrence o JOIN event e ON e.key = o.event JOIN session n ON n.id = o.session WHERE o.source = ? ORDER BY o.offset, o.block`, source.id)
	return events
}

// salvageTables brings over what is in no transcript at all.
func (l *Store) salvageTables(ctx context.Context, old *sql.DB) error {
	var restores []ledger.Restore
	_ = db.Each(ctx, old, func(rows *sql.Rows) error {
		var r ledger.Restore
		var ms int64
		if err := rows.Scan(&r.Session.Tool, &r.Session.ID, &r.From.Tool, &r.From.ID, &r.Project, &r.Event, &r.Source, &r.Decision, &r.Reason, &r.Lines, &r.Bytes, &r.SHA256, &ms); err != nil {
			return err
		}
		r.Time = db.Time(ms)
		restores = append(restores, r)
		return nil
	}, "SELECT tool, session, from_tool, from_id, project, event, source, decision, reason, lines, bytes, sha256, time FROM restore ORDER BY id")
	err := agents.Salvage(ctx, l.agentStore, old)
	for _, r := range restores {
		if err == nil {
			err = l.RecordRestore(ctx, r)
		}
	}
	return err
}
