package counts

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
)

// Digest hashes tool, id, body and withdrawn of every event that came from a
// transcript, by tool and id. Each text is preceded by its length.
func (r *Reader) Digest(ctx context.Context) (ledger.Digest, error) {
	hash := sha256.New()
	var frame []byte
	var events int
	var tool, id, body sql.RawBytes
	var withdrawn bool
	err := db.Each(ctx, r.pool, func(rows *sql.Rows) error {
		if err := rows.Scan(&tool, &id, &body, &withdrawn); err != nil {
			return err
		}
		frame = frame[:0]
		for _, text := range []sql.RawBytes{tool, id, body} {
			frame = binary.AppendUvarint(frame, uint64(len(text)))
			frame = append(frame, text...)
		}
		if withdrawn {
			frame = append(frame, 1)
		} else {
			frame = append(frame, 0)
		}
		hash.Write(frame)
		events++
		return nil
	}, `SELECT t.name, e.id, e.body, e.withdrawn FROM tool t CROSS JOIN event e ON e.tool = t.id
		WHERE NOT e.outside ORDER BY t.name, e.id`)
	if err != nil {
		return ledger.Digest{}, fmt.Errorf("digest: %w", db.Damaged(err))
	}
	return ledger.Digest{Events: events, SHA256: hex.EncodeToString(hash.Sum(nil))}, nil
}
