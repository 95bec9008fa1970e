package sqlite

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
)

// What a hook and status ask for must not cost more with a longer history: the
// newest sessions are read off an index, and no others are looked at.
func TestSessions_NewestAreReadOffAnIndex(t *testing.T) {
	log, err := Open(filepath.Join(t.TempDir(), "ledger.sqlite"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for name, filter := range map[string]ledger.SessionFilter{
		"all":      {Limit: 1},
		"tool":     {Tool: "codex", Limit: 1},
		"project":  {Project: "p", Limit: 16},
		"worktree": {Project: "p", Worktree: "/home/dev/shop", Limit: 16},
		"since":    {Since: now, Limit: 16},
		"page":     {After: ledger.SessionMark{Tool: "codex", ID: "s", Last: now}, Limit: 16},
	} {
		query, args := filtered(log.file, filter)
		plan := planOf(t, log.file, query+" ORDER BY s.last DESC, t.name, s.name LIMIT 1", args...)
		if !strings.Contains(plan, "s USING INDEX session_") || strings.Contains(plan, "SCAN source") || strings.Contains(plan, "SCAN t") {
			t.Errorf("%s: sessions are not read off an index:\n%s", name, plan)
		}
		// One is of the path of the session's source, which has few.
		if strings.Count(plan, "TEMP B-TREE FOR ORDER BY") > 1 {
			t.Errorf("%s: all sessions are sorted:\n%s", name, plan)
		}
	}
}

func planOf(t *testing.T, file *db.File, query string, args ...any) string {
	t.Helper()
	var plan strings.Builder
	err := db.Each(context.Background(), file.Reader(), func(rows *sql.Rows) error {
		var id, parent, unused int
		var detail string
		err := rows.Scan(&id, &parent, &unused, &detail)
		plan.WriteString(detail + "\n")
		return err
	}, "EXPLAIN QUERY PLAN "+query, args...)
	if err != nil {
		t.Fatal(err)
	}
	return plan.String()
}
