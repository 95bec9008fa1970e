package bodies

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
)

// Stored is what the column body has of an event: the body, or the number of the block
// that it is in.
type Stored struct {
	Text  string
	Block int64 // 0: Text is the body
}

// Scan reads the column.
func (s *Stored) Scan(value any) error {
	*s = Stored{}
	switch value := value.(type) {
	case int64:
		s.Block = value
	case string:
		s.Text = value
	case []byte:
		s.Text = string(value)
	default:
		return fmt.Errorf("%w: a body is a %T", ledger.ErrCorrupt, value)
	}
	return nil
}

// Wanted is a body that is to be read.
type Wanted struct {
	Key int64
	Stored
}

// atOnce is how many blocks are asked for at a time.
const atOnce = 32

// Load hands every body to visit, in any order; what it gets is valid until it
// returns. The rows that name the blocks must have been read in the same transaction: a
// block changes when its events do. It fails with ledger.ErrCorrupt where a block does
// not have a body that it should.
func Load(ctx context.Context, tx db.Querier, wanted []Wanted, visit func(i int, body []byte) error) error {
	at := map[int64]int{} // index by key
	var blocks []int64
	for i, one := range wanted {
		if one.Block == 0 {
			if err := visit(i, []byte(one.Text)); err != nil {
				return err
			}
			continue
		}
		at[one.Key] = i
		blocks = append(blocks, one.Block)
	}
	slices.Sort(blocks)
	blocks = slices.Compact(blocks)
	var buffer content
	for len(blocks) > 0 {
		part := blocks[:min(atOnce, len(blocks))]
		blocks = blocks[len(part):]
		if err := loadBlocks(ctx, tx, part, &buffer, func(block, key int64, body []byte) error {
			i, ok := at[key]
			if !ok || wanted[i].Block != block {
				return nil
			}
			delete(at, key)
			return visit(i, body)
		}); err != nil {
			return err
		}
	}
	for key := range at {
		return fmt.Errorf("%w: the body of event %d is missing", ledger.ErrCorrupt, key)
	}
	return nil
}

func loadBlocks(ctx context.Context, tx db.Querier, ids []int64, buffer *content, visit func(block, key int64, body []byte) error) error {
	args := make([]any, len(ids))
	for i, id := range ids {
		args[i] = id
	}
	return db.Each(ctx, tx, func(rows *sql.Rows) (err error) {
		var id int64
		var packed sql.RawBytes
		if err := rows.Scan(&id, &packed); err != nil {
			return err
		}
		if *buffer, err = unpacked(packed, *buffer); err != nil {
			return err
		}
		eachErr := buffer.each(func(key int64, body []byte) {
			if err == nil {
				err = visit(id, key, body)
			}
		})
		if err == nil {
			err = eachErr
		}
		return err
	}, "SELECT id, packed FROM block WHERE id IN ("+db.Marks(len(ids))+")", args...)
}
