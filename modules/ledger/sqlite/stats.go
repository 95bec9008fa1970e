package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
)

// Stats counts what is in the ledger.
func (l *Store) Stats(ctx context.Context) (ledger.Stats, error) {
	var stats ledger.Stats
	err := l.file.Rows(ctx).Raw(`SELECT
		(SELECT COUNT(*) FROM event) AS events,
		(SELECT COUNT(*) FROM session WHERE events > 0) AS sessions,
		(SELECT COUNT(*) FROM source WHERE NOT hook) AS sources,
		(SELECT COUNT(DISTINCT o.session) FROM event e CROSS JOIN occurrence o ON o.event = e.key WHERE e.key >= ? AND e.time IS NOT NULL) AS future`,
		db.FirstKey(time.Now().Add(maxAhead))).Scan(&stats).Error
	if err != nil {
		return stats, fmt.Errorf("count the ledger: %w", db.Damaged(err))
	}
	for _, name := range []string{l.file.Path(), l.file.Path() + "-wal"} {
		info, err := os.Stat(name)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return stats, fmt.Errorf("size of the ledger: %w", err)
		}
		stats.Bytes += info.Size()
	}
	return stats, nil
}
