package bodies

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Changes are what a transaction does to blocks. Nothing of it is in the table before
// Write. The zero value is ready to use.
type Changes struct {
	open   [classes]*block
	filled []*block                 // full, and not yet written
	gone   map[int64]map[int64]bool // by block: the events whose bodies leave it
	last   int64                    // number of the newest block; 0: not looked up
}

// block is one that still takes bodies.
type block struct {
	id, class int64
	content   content
}

// Add stores the body of an event and returns what the column body has of it.
func (c *Changes) Add(ctx context.Context, tx *sql.Tx, key int64, kind transcript.Kind, body string) (stored any, err error) {
	if isPlain(kind, body) {
		return body, nil
	}
	class := classOf(kind)
	at := c.open[class]
	if at == nil {
		if at, err = c.newest(ctx, tx, class); err != nil {
			return nil, err
		}
	}
	if len(at.content) > 0 && len(at.content)+len(body) > blockSize {
		c.filled = append(c.filled, at)
		c.last++
		at = &block{id: c.last, class: int64(class)}
	}
	at.content = at.content.with(key, body)
	c.open[class] = at
	return at.id, nil
}

// Remove takes the body of an event out of its block.
func (c *Changes) Remove(key int64, from Stored) error {
	if from.Block == 0 {
		return nil
	}
	if at := c.pending(from.Block); at != nil {
		rest, err := at.content.without(map[int64]bool{key: true})
		at.content = rest
		return err
	}
	if c.gone == nil {
		c.gone = map[int64]map[int64]bool{}
	}
	if c.gone[from.Block] == nil {
		c.gone[from.Block] = map[int64]bool{}
	}
	c.gone[from.Block][key] = true
	return nil
}

// pending is a block that is not written yet, nil for any other.
func (c *Changes) pending(id int64) *block {
	for _, at := range slices.Concat(c.filled, c.open[:]) {
		if at != nil && at.id == id {
			return at
		}
	}
	return nil
}

// Load is the function, also of bodies that are not written yet.
func (c *Changes) Load(ctx context.Context, tx *sql.Tx, wanted []Wanted, visit func(i int, body []byte) error) error {
	wanted = slices.Clone(wanted)
	texts := map[int64]map[int64]string{} // of pending blocks, by block and key
	for i, one := range wanted {
		at := c.pending(one.Block)
		if one.Block == 0 || at == nil {
			continue
		}
		if texts[at.id] == nil {
			texts[at.id] = map[int64]string{}
			err := at.content.each(func(key int64, body []byte) { texts[at.id][key] = string(body) })
			if err != nil {
				return err
			}
		}
		wanted[i].Stored = Stored{Text: texts[at.id][one.Key]}
	}
	return Load(ctx, tx, wanted, visit)
}

// candidates is among how many of the newest blocks one of a class is looked for.
const candidates = 8

// newest is the newest block of a class where it has room, else a new one.
func (c *Changes) newest(ctx context.Context, tx *sql.Tx, class int) (*block, error) {
	if c.last == 0 {
		if err := tx.QueryRowContext(ctx, "SELECT COALESCE(MAX(id), 0) FROM block").Scan(&c.last); err != nil {
			return nil, err
		}
	}
	var id int64
	var size int
	err := tx.QueryRowContext(ctx, "SELECT id, size FROM block WHERE id > ? AND class = ? ORDER BY id DESC LIMIT 1", c.last-candidates, class).Scan(&id, &size)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, err
	}
	if err == nil && size < blockSize {
		content, err := c.load(ctx, tx, id)
		return &block{id: id, class: int64(class), content: content}, err
	}
	c.last++
	return &block{id: c.last, class: int64(class)}, nil
}

// load reads a block without what is gone of it.
func (c *Changes) load(ctx context.Context, tx *sql.Tx, id int64) (content, error) {
	var packed []byte
	if err := tx.QueryRowContext(ctx, "SELECT packed FROM block WHERE id = ?", id).Scan(&packed); err != nil {
		return nil, err
	}
	content, err := unpacked(packed, nil)
	if err != nil || c.gone[id] == nil {
		return content, err
	}
	gone := c.gone[id]
	delete(c.gone, id)
	return content.without(gone)
}

// Spill writes the blocks that are full, so that they need no more memory.
func (c *Changes) Spill(ctx context.Context, tx *sql.Tx) error {
	for _, at := range c.filled {
		if err := at.write(ctx, tx); err != nil {
			return err
		}
	}
	c.filled = nil
	return nil
}

// Write carries the changes out and forgets them.
func (c *Changes) Write(ctx context.Context, tx *sql.Tx) error {
	if err := c.Spill(ctx, tx); err != nil {
		return err
	}
	for _, at := range c.open {
		if at == nil {
			continue
		}
		if err := at.write(ctx, tx); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(c.gone)) {
		var class int64
		if err := tx.QueryRowContext(ctx, "SELECT class FROM block WHERE id = ?", id).Scan(&class); err != nil {
			return err
		}
		content, err := c.load(ctx, tx, id)
		if err != nil {
			return err
		}
		rest := &block{id: id, class: class, content: content}
		if err := rest.write(ctx, tx); err != nil {
			return err
		}
	}
	*c = Changes{}
	return nil
}

func (b *block) write(ctx context.Context, tx *sql.Tx) error {
	if len(b.content) == 0 {
		_, err := tx.ExecContext(ctx, "DELETE FROM block WHERE id = ?", b.id)
		return err
	}
	packed, err := b.content.packed()
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO block (id, class, size, packed) VALUES (?, ?, ?, ?)", b.id, b.class, len(b.content), packed)
	return err
}
