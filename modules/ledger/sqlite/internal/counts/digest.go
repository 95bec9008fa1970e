package counts

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/bodies"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
)

// digested is how many events are held in memory at a time: ids are in another order
// than bodies, and the more there are the less often a block is unpacked.
const digested = 1 << 15

// Digest hashes tool, id, body and withdrawn of every event that came from a
// transcript, by tool and id. Each text is preceded by its length.
func (r *Reader) Digest(ctx context.Context) (ledger.Digest, error) {
	sum := sha256.New()
	var keys []int64
	err := db.Snapshot(ctx, r.pool, func(tx *sql.Tx) error {
		err := db.Each(ctx, tx, func(rows *sql.Rows) error {
			var key int64
			err := rows.Scan(&key)
			keys = append(keys, key)
			return err
		}, "SELECT e.key FROM tool t JOIN event e ON e.tool = t.id WHERE NOT e.outside ORDER BY t.name, e.id")
		for left := keys; err == nil && len(left) > 0; left = left[min(digested, len(left)):] {
			err = digest(ctx, tx, left[:min(digested, len(left))], sum)
		}
		return err
	})
	if err != nil {
		return ledger.Digest{}, fmt.Errorf("digest: %w", db.Damaged(err))
	}
	return ledger.Digest{Events: len(keys), SHA256: hex.EncodeToString(sum.Sum(nil))}, nil
}

// frame is what the digest takes of an event.
type frame struct {
	tool, id, body string
	withdrawn      bool
}

// digest adds some events to a hash, in the order of their keys in the list.
func digest(ctx context.Context, tx *sql.Tx, keys []int64, sum hash.Hash) error {
	frames := make(map[int64]*frame, len(keys))
	wanted := make([]bodies.Wanted, 0, len(keys))
	err := db.Chunks(keys, func(part []any) error {
		return db.Each(ctx, tx, func(rows *sql.Rows) error {
			var one bodies.Wanted
			f := &frame{}
			err := rows.Scan(&one.Key, &one.Stored, &f.tool, &f.id, &f.withdrawn)
			wanted = append(wanted, one)
			frames[one.Key] = f
			return err
		}, "SELECT e.key, e.body, t.name, e.id, e.withdrawn FROM event e JOIN tool t ON t.id = e.tool WHERE e.key IN ("+db.Marks(len(part))+")", part...)
	})
	if err != nil {
		return err
	}
	err = bodies.Load(ctx, tx, wanted, func(i int, body []byte) error {
		frames[wanted[i].Key].body = string(body)
		return nil
	})
	if err != nil {
		return err
	}
	var framed []byte
	for _, key := range keys {
		framed = frames[key].append(framed[:0])
		sum.Write(framed)
	}
	return nil
}

func (f *frame) append(to []byte) []byte {
	for _, text := range []string{f.tool, f.id, f.body} {
		to = binary.AppendUvarint(to, uint64(len(text)))
		to = append(to, text...)
	}
	if f.withdrawn {
		return append(to, 1)
	}
	return append(to, 0)
}
