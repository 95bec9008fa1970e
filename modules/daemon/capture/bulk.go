package capture

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/carryover-go/carryover/modules/daemon/capture/zstdsource"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Bounds of one transaction of a bulk reading: enough that its cost does not
// show beside the events', and few enough that a writer beside it waits for
// tenths of a second only and that memory stays bounded.
const (
	bulkBytes   = 4 << 20 // of transcripts
	bulkBatches = 256
)

// Bulk reads many sources and stores what is new in transactions of many
// batches. It is used by one goroutine; what it says of a source is known once
// the transaction is through, and after Flush of all.
type Bulk struct {
	in      *Ingester
	done    func(tool, path string, taken Taken, err error)
	pending []*bulkSource
	bytes   int64
	batches int
}

// bulkSource is a source that was read, with what is not stored of it yet.
type bulkSource struct {
	tool, path string
	seen       *seen
	taken      Taken
	parts      []bulkPart
	note       *ledger.Source // as it was read to its end
	err        error
}

// bulkPart is a batch that waits for its transaction.
type bulkPart struct {
	batch ledger.Batch
	bytes int64
}

// Bulk begins a bulk reading. done is told once of each source.
func (in *Ingester) Bulk(done func(tool, path string, taken Taken, err error)) *Bulk {
	return &Bulk{in: in, done: done}
}

// Read is Ingester.Read of a source whose batches may wait.
func (b *Bulk) Read(ctx context.Context, tool, path string) error {
	logical := zstdsource.Logical(path)
	seen := b.in.seenOf(logical)
	source := &bulkSource{tool: tool, path: path, seen: seen}
	b.pending = append(b.pending, source)
	taken, err := b.readLocked(ctx, tool, logical, source)
	source.err = errors.Join(source.err, err)
	source.taken.merge(taken)
	if source.err != nil || b.bytes >= bulkBytes || b.batches >= bulkBatches {
		return b.Flush(ctx)
	}
	return ctx.Err()
}

func (b *Bulk) readLocked(ctx context.Context, tool, path string, source *bulkSource) (Taken, error) {
	source.seen.Lock()
	defer source.seen.Unlock()
	if source.seen.still(path) {
		return Taken{Unchanged: true, Main: source.seen.main}, nil
	}
	return b.in.read(ctx, tool, path, source.seen, &bulkReading{Bulk: b, source: source})
}

// bulkReading is the reading of one source of a bulk.
type bulkReading struct {
	*Bulk
	source *bulkSource
}

// add has a batch wait. Where too much waits already, in the middle of a large
// source, it is stored first: the source's own lock is held, so nothing is
// noted of it.
func (b *bulkReading) add(ctx context.Context, batch ledger.Batch, bytes int64) error {
	if b.bytes >= bulkBytes {
		if err := b.write(ctx); err != nil {
			return err
		}
	}
	b.source.parts = append(b.source.parts, bulkPart{batch, bytes})
	b.bytes += bytes
	b.batches++
	return nil
}

// flush stores what waits, for whoever is about to read the ledger. Nothing
// waits where there is no bulk.
func (b *bulkReading) flush(ctx context.Context) error {
	if b == nil {
		return nil
	}
	return b.write(ctx)
}

// Flush stores what waits and tells what became of each source.
func (b *Bulk) Flush(ctx context.Context) error {
	if err := b.write(ctx); err != nil {
		return err
	}
	for _, source := range b.pending {
		b.end(ctx, source)
	}
	b.pending = nil
	return ctx.Err()
}

// end says what became of a source whose batches are stored.
func (b *Bulk) end(ctx context.Context, source *bulkSource) {
	if source.err != nil && ctx.Err() == nil && !errors.Is(source.err, fs.ErrNotExist) {
		if err := b.in.Store.Park(ctx, source.tool, zstdsource.Logical(source.path), source.err.Error()); err != nil {
			source.err = errors.Join(source.err, err)
		}
	}
	if source.err == nil && source.note != nil {
		source.seen.Lock()
		source.seen.note(*source.note)
		source.seen.Unlock()
	}
	b.done(source.tool, source.path, source.taken, source.err)
}

// write stores what waits in one transaction. Where that fails, each source is
// stored by itself, so that one does not keep the others out.
func (b *Bulk) write(ctx context.Context) error {
	var batches []ledger.Batch
	for _, source := range b.pending {
		for _, part := range source.parts {
			batches = append(batches, part.batch)
		}
	}
	b.bytes, b.batches = 0, 0
	if len(batches) == 0 {
		return ctx.Err()
	}
	counts, err := b.in.Store.AppendAll(ctx, batches)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, source := range b.pending {
		parts := source.parts
		source.parts = nil
		if err == nil {
			b.stored(ctx, source, parts, counts[:len(parts)])
			counts = counts[len(parts):]
			continue
		}
		b.writeAlone(ctx, source, parts)
	}
	return ctx.Err()
}

// writeAlone stores the batches of one source, each in its own transaction.
func (b *Bulk) writeAlone(ctx context.Context, source *bulkSource, parts []bulkPart) {
	for _, part := range parts {
		if source.err != nil {
			return
		}
		count, err := b.in.Store.Append(ctx, part.batch)
		if err != nil {
			source.err = fmt.Errorf("read %s: append to ledger: %w", source.path, err)
			return
		}
		b.stored(ctx, source, []bulkPart{part}, []ledger.Appended{count})
	}
}

// stored counts what is in the ledger now and has it made known.
func (b *Bulk) stored(ctx context.Context, source *bulkSource, parts []bulkPart, counts []ledger.Appended) {
	for i, part := range parts {
		source.taken.add(part.bytes, counts[i], part.batch.Coverage)
		if b.in.Stored != nil {
			b.in.Stored(ctx, part.batch.Source, part.batch.Events)
		}
	}
}

// add counts a batch.
func (t *Taken) add(bytes int64, count ledger.Appended, coverage transcript.Coverage) {
	t.Bytes += max(0, bytes)
	t.Events += count.Events
	t.Coverage.Add(coverage)
}

// merge adds what the reading itself says to what was counted meanwhile.
func (t *Taken) merge(read Taken) {
	read.Bytes += t.Bytes
	read.Events += t.Events
	read.Coverage.Add(t.Coverage)
	*t = read
}

// noteOr notes what was read of a source: once it is stored, where that is later.
func (b *bulkReading) noteOr(seen *seen, source ledger.Source) {
	if b == nil {
		seen.note(source)
		return
	}
	b.source.note = &source
}
