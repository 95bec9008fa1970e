package counts

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
)

// EachSource visits every source with what tells whether its file has changed.
func (r *Reader) EachSource(ctx context.Context, visit func(ledger.Source)) error {
	err := db.Each(ctx, r.pool, func(rows *sql.Rows) error {
		var source ledger.Source
		var device, inode, modified int64
		err := rows.Scan(&source.Tool, &source.Path, &source.Main, &device, &inode, &source.Size, &modified, &source.Revision)
		source.Device, source.Inode = uint64(device), uint64(inode)
		if modified != 0 {
			source.ModTime = time.Unix(0, modified).UTC()
		}
		visit(source)
		return err
	}, "SELECT t.name, s.path, s.main, s.device, s.inode, s.size, s.modified, s.revision FROM source s JOIN tool t ON t.id = s.tool WHERE NOT s.hook")
	if err != nil {
		return fmt.Errorf("list sources: %w", db.Damaged(err))
	}
	return nil
}
