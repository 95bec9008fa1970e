package counts

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
)

// MaxAhead is how far a clock may go ahead of this machine's: a transcript can
// come from another one.
const MaxAhead = 10 * time.Minute

// Captured is when an event was at the latest, in milliseconds: a transcript that
// tells of the future would be the newest for as long. The file was last written before
// it was read, perhaps long before: where an old history is imported, or read again
// after a damage.
func Captured(ms int64, written, now time.Time) int64 {
	if ms <= now.Add(MaxAhead).UnixMilli() {
		return ms
	}
	if !written.IsZero() && written.Before(now) {
		return written.UnixMilli()
	}
	return now.UnixMilli()
}

// Stats counts what is in the ledger.
func (r *Reader) Stats(ctx context.Context) (ledger.Stats, error) {
	var stats ledger.Stats
	err := r.pool.QueryRowContext(ctx, `SELECT
		(SELECT COUNT(*) FROM event),
		(SELECT COUNT(*) FROM session WHERE events > 0),
		(SELECT COUNT(*) FROM source WHERE NOT hook),
		(SELECT COUNT(DISTINCT source) FROM original WHERE from_byte >= 0),
		(SELECT COALESCE(SUM(LENGTH(packed)), 0) FROM original),
		(SELECT COUNT(*) FROM session WHERE own AND how <> 'subagent' AND events > 0),
		(SELECT COALESCE(SUM(events), 0) FROM session WHERE own AND how <> 'subagent')_events,
		(SELECT COUNT(DISTINCT o.session) FROM event e CROSS JOIN occurrence o ON o.event = e.key WHERE e.key >= ? AND e.time IS NOT NULL)`,
		db.FirstKey(time.Now().Add(MaxAhead))).Scan(
		&stats.Events, &stats.Sessions, &stats.Sources, &stats.Kept, &stats.KeptBytes, &stats.Own, &stats.OwnEvents, &stats.Future)
	if err != nil {
		return stats, fmt.Errorf("count the ledger: %w", db.Damaged(err))
	}
	for _, name := range []string{r.file.Path(), r.file.Path() + "-wal"} {
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
