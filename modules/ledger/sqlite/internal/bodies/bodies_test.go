package bodies_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/bodies"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// inTx does something in a transaction of a new ledger.
func inTx(t *testing.T, file *db.File, do func(ctx context.Context, tx *sql.Tx) error) {
	t.Helper()
	if err := file.InTx(t.Context(), "test", func(tx *sql.Tx) error { return do(t.Context(), tx) }); err != nil {
		t.Fatal(err)
	}
}

func opened(t *testing.T) *db.File {
	t.Helper()
	file, err := db.Open(filepath.Join(t.TempDir(), "ledger.sqlite"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	return file
}

// add stores bodies and returns what the column would have of each.
func add(ctx context.Context, tx *sql.Tx, changes *bodies.Changes, texts map[int64]string) (map[int64]bodies.Stored, error) {
	stored := map[int64]bodies.Stored{}
	for key, text := range texts {
		value, err := changes.Add(ctx, tx, key, transcript.Prompt, text)
		if err != nil {
			return nil, err
		}
		var one bodies.Stored
		if err := one.Scan(value); err != nil {
			return nil, err
		}
		stored[key] = one
	}
	return stored, nil
}

type loader func(context.Context, *sql.Tx, []bodies.Wanted, func(int, []byte) error) error

// has says that exactly some bodies can be loaded.
func has(ctx context.Context, tx *sql.Tx, load loader, stored map[int64]bodies.Stored, want map[int64]string) error {
	var wanted []bodies.Wanted
	for key, one := range stored {
		wanted = append(wanted, bodies.Wanted{Key: key, Stored: one})
	}
	got := map[int64]string{}
	err := load(ctx, tx, wanted, func(i int, body []byte) error {
		got[wanted[i].Key] = string(body)
		return nil
	})
	if err == nil && fmt.Sprint(got) != fmt.Sprint(want) {
		err = fmt.Errorf("%d bodies differ from the %d wanted", len(got), len(want))
	}
	return err
}

// texts are more than fit into one block.
func texts() map[int64]string {
	list := map[int64]string{}
	for key := int64(1); key < 60; key++ {
		list[key] = fmt.Sprintf(`{"text":"%s %d"}`, strings.Repeat("words ", 100), key)
	}
	return list
}

func loadStored(ctx context.Context, tx *sql.Tx, wanted []bodies.Wanted, visit func(int, []byte) error) error {
	return bodies.Load(ctx, tx, wanted, visit)
}

// A body is there before its block is written, after that, and as another one once it
// was replaced, in the same transaction or in a later one.
func TestChanges_BodiesAreThereBeforeAndAfterTheyAreWritten(t *testing.T) {
	file := opened(t)
	want := texts()
	var stored map[int64]bodies.Stored
	replace := func(ctx context.Context, tx *sql.Tx, changes *bodies.Changes, key int64, text string) error {
		if err := changes.Remove(key, stored[key]); err != nil {
			return err
		}
		again, err := add(ctx, tx, changes, map[int64]string{key: text})
		stored[key], want[key] = again[key], text
		return err
	}
	inTx(t, file, func(ctx context.Context, tx *sql.Tx) (err error) {
		var changes bodies.Changes
		if stored, err = add(ctx, tx, &changes, want); err != nil {
			return err
		}
		if err := replace(ctx, tx, &changes, 3, "another"); err != nil {
			return err
		}
		return errors.Join(has(ctx, tx, changes.Load, stored, want), changes.Write(ctx, tx), has(ctx, tx, loadStored, stored, want))
	})
	inTx(t, file, func(ctx context.Context, tx *sql.Tx) error {
		var changes bodies.Changes
		for key := int64(1); key < 60; key++ { // of old blocks and of the newest
			if err := replace(ctx, tx, &changes, key, fmt.Sprint("newer ", key)); err != nil {
				return err
			}
		}
		return errors.Join(changes.Write(ctx, tx), has(ctx, tx, loadStored, stored, want))
	})
	var held int
	inTx(t, file, func(ctx context.Context, tx *sql.Tx) error {
		return db.Each(ctx, tx, func(rows *sql.Rows) error {
			var packed []byte
			if err := rows.Scan(&packed); err != nil {
				return err
			}
			return bodies.Unpack(packed, func(int64, []byte) { held++ })
		}, "SELECT packed FROM block")
	})
	if held != len(want) {
		t.Errorf("blocks hold %d bodies of %d events", held, len(want))
	}
}

// Events that come one by one, as those of a live session do, end in as few blocks as
// those that come together.
func TestChanges_SmallBatchesShareABlock(t *testing.T) {
	file := opened(t)
	for key, text := range texts() {
		inTx(t, file, func(ctx context.Context, tx *sql.Tx) error {
			var changes bodies.Changes
			_, err := add(ctx, tx, &changes, map[int64]string{key: text})
			return errors.Join(err, changes.Write(ctx, tx))
		})
	}
	var blocks int
	if err := file.Reader().QueryRow("SELECT COUNT(*) FROM block").Scan(&blocks); err != nil || blocks > 3 {
		t.Errorf("36 kB are in %d blocks, %v", blocks, err)
	}
}

func TestUnpack_SaysThatABlockIsDamaged(t *testing.T) {
	for _, packed := range []string{"", "no block", "\x28\xb5\x2f\xfd\x04\x00"} {
		err := bodies.Unpack([]byte(packed), func(int64, []byte) {})
		if packed != "" && !errors.Is(err, ledger.ErrCorrupt) {
			t.Errorf("%q: %v", packed, err)
		}
	}
	file := opened(t)
	inTx(t, file, func(ctx context.Context, tx *sql.Tx) error {
		missing := []bodies.Wanted{{Key: 1, Stored: bodies.Stored{Block: 7}}}
		if err := bodies.Load(ctx, tx, missing, func(int, []byte) error { return nil }); !errors.Is(err, ledger.ErrCorrupt) {
			t.Errorf("a block that is not there: %v", err)
		}
		return nil
	})
}
