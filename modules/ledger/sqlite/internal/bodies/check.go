package bodies

import (
	"context"
	"database/sql"

	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
)

// checked is how many events are held in memory at a time by WrongSums.
const checked = 2048

// WrongSums counts the events whose checksum does not hold. A block that cannot be
// unpacked fails with ledger.ErrCorrupt.
func WrongSums(ctx context.Context, pool *sql.DB) (wrong int, err error) {
	type row struct {
		id        string
		withdrawn bool
		sum       int64
	}
	for last, more := int64(-1), true; more; {
		err := db.Snapshot(ctx, pool, func(tx *sql.Tx) error {
			var list []row
			var wanted []Wanted
			err := db.Each(ctx, tx, func(found *sql.Rows) error {
				var r row
				var w Wanted
				err := found.Scan(&w.Key, &r.id, &r.withdrawn, &w.Stored, &r.sum)
				list, wanted, last = append(list, r), append(wanted, w), w.Key
				return err
			}, "SELECT key, id, withdrawn, body, sum FROM event WHERE key > ? AND sum <> 0 ORDER BY key LIMIT ?", last, checked)
			if err != nil {
				return err
			}
			more = len(list) == checked
			return Load(ctx, tx, wanted, func(i int, body []byte) error {
				if db.EventSum(wanted[i].Key, list[i].id, list[i].withdrawn, string(body)) != list[i].sum {
					wrong++
				}
				return nil
			})
		})
		if err != nil {
			return wrong, err
		}
	}
	return wrong, nil
}
