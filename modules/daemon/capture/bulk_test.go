package capture_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/ledger"
)

// transactions counts the changes of a ledger, and refuses sources by name.
type transactions struct {
	ledger.Store
	refused string
	n       int
	known   int // sources asked for one at a time
}

func (s *transactions) Append(ctx context.Context, batch ledger.Batch) (ledger.Appended, error) {
	s.n++
	if s.refused != "" && strings.Contains(batch.Source.Path, s.refused) {
		return ledger.Appended{}, ledger.ErrBatch
	}
	return s.Store.Append(ctx, batch)
}

func (s *transactions) AppendAll(ctx context.Context, batches []ledger.Batch) ([]ledger.Appended, error) {
	s.n++
	for _, batch := range batches {
		if s.refused != "" && strings.Contains(batch.Source.Path, s.refused) {
			return nil, ledger.ErrBatch
		}
	}
	return s.Store.AppendAll(ctx, batches)
}

func (s *transactions) Source(ctx context.Context, tool, path string) (ledger.Source, bool, error) {
	s.known++
	return s.Store.Source(ctx, tool, path)
}

// many writes so many transcripts, each of a session of its own.
func many(t *testing.T, n int) (paths []string) {
	t.Helper()
	dir := t.TempDir()
	for i := range n {
		id := fmt.Sprintf("00000000-0000-4000-8000-%012d", i)
		text := strings.NewReplacer(session, id, `"uuid":"u`, fmt.Sprintf(`"uuid":"%d-u`, i)).Replace(lines(0, 3))
		path := filepath.Join(dir, id+".jsonl")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// readAll reads transcripts in bulk, and says how many events are new and which
// files failed.
func readAll(t *testing.T, in *capture.Ingester, paths []string) (events, unchanged int, failed []string) {
	t.Helper()
	bulk := in.Bulk(func(_, path string, taken capture.Taken, err error) {
		events += taken.Events
		if taken.Unchanged {
			unchanged++
		}
		if err != nil {
			failed = append(failed, path)
		}
	})
	for _, path := range paths {
		if err := bulk.Read(t.Context(), "claude-code", path); err != nil {
			t.Fatal(err)
		}
	}
	if err := bulk.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	return events, unchanged, failed
}

func TestBulk_StoresWhatReadingOneByOneStores(t *testing.T) {
	paths := many(t, 40)
	single, grouped := newBench(t), newBench(t)
	for _, path := range paths {
		if _, err := single.Read(t.Context(), "claude-code", path); err != nil {
			t.Fatal(err)
		}
	}
	store := &transactions{Store: grouped.log}
	grouped.Store = store
	events, _, failed := readAll(t, grouped.Ingester, paths)
	one, err := single.log.Digest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all, err := grouped.log.Digest(t.Context())
	if err != nil || one != all || events != all.Events || len(failed) > 0 {
		t.Errorf("one by one %+v, in bulk %+v with %d events, %v, %v", one, all, events, failed, err)
	}
	if store.n != 1 {
		t.Errorf("%d transactions for %d small transcripts", store.n, len(paths))
	}
}

func TestBulk_OneBadSourceDoesNotKeepOthersOut(t *testing.T) {
	paths := many(t, 10)
	b := newBench(t)
	b.Store = &transactions{Store: b.log, refused: filepath.Base(paths[4])}
	events, _, failed := readAll(t, b.Ingester, paths)
	if len(failed) != 1 || failed[0] != paths[4] {
		t.Errorf("failed: %v", failed)
	}
	stored, err := b.log.Digest(t.Context())
	if err != nil || stored.Events != events || events == 0 {
		t.Errorf("%d events counted, %d stored, %v", events, stored.Events, err)
	}
	source, found, err := b.log.Source(t.Context(), "claude-code", paths[4])
	if err != nil || !found || source.Parked == "" {
		t.Errorf("the bad source: %+v, %v", source, err)
	}
}

// What the ledger remembers of a file is asked for once for all of them.
func TestRemember_UnchangedFilesAreNotAskedAbout(t *testing.T) {
	paths := many(t, 30)
	b := newBench(t)
	readAll(t, b.Ingester, paths)
	store := &transactions{Store: b.log}
	again := &capture.Ingester{Store: store, Readers: sound(t)}
	if err := again.Remember(t.Context()); err != nil {
		t.Fatal(err)
	}
	if tool, ok := again.ToolOf(paths[0]); !ok || tool != "claude-code" {
		t.Errorf("remembered as %q, %t", tool, ok)
	}
	events, unchanged, _ := readAll(t, again, paths)
	if events != 0 || unchanged != len(paths) || store.n != 0 || store.known != 0 {
		t.Errorf("%d events, %d unchanged, %d transactions, %d questions", events, unchanged, store.n, store.known)
	}
	if err := os.WriteFile(paths[0], []byte(lines(0, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok := again.ToolOf(paths[0]); ok {
		t.Error("a changed file counts as remembered")
	}
}
