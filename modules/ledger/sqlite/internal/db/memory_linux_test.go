package db_test

import (
	"database/sql"
	"fmt"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"
)

// cacheBound is what SQLite may hold outside the Go heap, in bytes. The caches have 16 MB of
// pages for the writing connection and 2 MB for each of the four reading ones. A page with
// its header is a little more than 4 KB, for which the allocator below SQLite takes 8: that
// is 46 MB in all, and 8 for all else. It is what grows in a soak until it is full.
const cacheBound = 54 << 20

// A file that is larger than all caches is read whole on every connection, and written.
func TestFile_MemoryOfSQLiteIsBounded(t *testing.T) {
	file := open(t)
	before := outsideHeap(t)
	const rows = 60_000 // of 1 KB: more than all caches
	for n := range rows / 1000 {
		err := file.InTx(t.Context(), "test", func(tx *sql.Tx) error {
			_, err := tx.Exec("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 1000) "+
				"INSERT INTO block (id, class, size, packed) SELECT i + ?, 0, 0, randomblob(1000) FROM n", n*1000)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var all sync.WaitGroup
	begun := make(chan struct{})
	for range 4 {
		all.Go(func() {
			tx, err := file.Reader().BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true})
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { _ = tx.Rollback() }()
			begun <- struct{}{} // all four have a connection of their own
			var sum int
			if err := tx.QueryRow("SELECT sum(length(hex(packed))) FROM block").Scan(&sum); err != nil || sum != rows*2000 {
				t.Errorf("read %d, %v", sum, err)
			}
		})
	}
	for range 4 {
		<-begun
	}
	all.Wait()
	held := outsideHeap(t) - before
	t.Logf("%.1f MB", float64(held)/(1<<20))
	if held > cacheBound {
		t.Errorf("SQLite holds %d bytes, bound %d", held, cacheBound)
	}
	if held < cacheBound/4 {
		t.Errorf("SQLite holds %d bytes: the measurement sees nothing", held)
	}
}

// outsideHeap is the resident memory of this process that Go's runtime did not ask for.
func outsideHeap(t *testing.T) (bytes int) {
	t.Helper()
	debug.FreeOSMemory()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip(err)
	}
	for line := range strings.Lines(string(status)) {
		if _, err := fmt.Sscanf(line, "RssAnon: %d kB", &bytes); err == nil {
			bytes *= 1024
		}
	}
	of := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(of)
	return bytes - int(of[0].Value.Uint64()-of[1].Value.Uint64())
}
