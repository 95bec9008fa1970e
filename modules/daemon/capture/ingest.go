package capture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/capture/filesource"
	"github.com/carryover-go/carryover/modules/daemon/capture/sqlitesource"
	"github.com/carryover-go/carryover/modules/daemon/capture/zstdsource"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Ingester carries what is new in a source into the ledger: capture, normalize
// and append, for whoever noticed the change.
type Ingester struct {
	Store   ledger.Store
	Readers func(tool string) (transcript.Reader, error)
	// ReaderAt is the reader of a file that the tool itself did not write; nil, and
	// nil of it, say that there is none.
	ReaderAt func(tool, path string) transcript.Reader
	// Beside tells the project that a file beside a transcript names; nil and
	// "" say that none does.
	Sidecar func(tool, path string) string
	// Secondary says whose session a file tells that stands in for a database, and
	// StandIns which files do so for a session; nil where no tool has any.
	Secondary   func(tool, path string) (session string, ok bool)
	Secondaries func(tool, session string) []string
	// Annotate puts what edits show about the code behind their calls; nil leaves
	// the events as they are.
	Annotate func(events []transcript.Located) []transcript.Located
	// Stored is notified of every batch once it is in the ledger.
	Stored func(ctx context.Context, source ledger.Source, events []transcript.Located)

	mu    sync.Mutex
	files map[string]*seen
}

// Taken says what reading a source brought.
type Taken struct {
	Unchanged bool // same stat: not opened
	Unsure    bool // a database was written so recently that it must be read again after VisibleAfter
	Bytes     int64
	Events    int // new ones
	Coverage  transcript.Coverage
	Sessions  map[string]bool // those that a database has something new of
	Main      string          // the session a file is of; "" where the ledger was not asked
}

// Read takes what is new in a file. Two readings of one file wait for each
// other; other files are not held up. A reader that fails or panics parks the
// source with the reason. A file that is not there is no source yet, or no more:
// tools name their transcript before they write it.
func (in *Ingester) Read(ctx context.Context, tool, path string) (Taken, error) {
	path = zstdsource.Logical(path)
	seen := in.seenOf(path)
	seen.Lock()
	defer seen.Unlock()
	if seen.still(path) {
		return Taken{Unchanged: true, Main: seen.main}, nil
	}
	taken, err := in.read(ctx, tool, path, seen, nil)
	if err != nil && ctx.Err() == nil && !errors.Is(err, fs.ErrNotExist) {
		if parkErr := in.Store.Park(ctx, tool, path, err.Error()); parkErr != nil {
			err = errors.Join(err, parkErr)
		}
	}
	return taken, err
}

// read takes what is new in a file; bulk is nil where each batch is stored at
// once.
func (in *Ingester) read(ctx context.Context, tool, path string, seen *seen, bulk *bulkReading) (taken Taken, err error) {
	reader, err := in.readerOf(tool, path)
	if err != nil {
		return taken, err
	}
	known, ok, err := in.Store.Source(ctx, tool, path)
	if err != nil {
		return taken, err
	}
	if rows, keeps := reader.(transcript.RowReader); keeps && sqlitesource.Is(path) {
		if !ok {
			known = ledger.Source{Tool: tool, Path: path}
		}
		seen.database = true
		if err := bulk.flush(ctx); err != nil {
			return taken, err
		}
		return in.readDatabase(ctx, rows, known, seen)
	}
	if superseded, err := in.isSuperseded(ctx, tool, path, known, bulk); superseded || err != nil {
		taken.Unchanged = superseded
		return taken, err
	}
	newer := ok && known.Revision != reader.Revision()
	if newer {
		known.Size = unfinished // whatever its stat: a better reader looks again
	}
	var before *ledger.Source
	if ok {
		before = &known
	}
	file, err := filesource.Open(tool, path, before)
	if err != nil {
		return taken, err
	}
	if file.Verdict == filesource.Unchanged {
		seen.note(file.Source)
		taken.Unchanged, taken.Main = true, known.Main
		return taken, nil
	}
	defer func() { _ = file.Close() }()
	rewriter, ok := reader.(transcript.Rewriter)
	file.Source.Rewrites = ok && rewriter.Rewrites(transcript.Source{Tool: tool, Path: path})
	again := newer || file.Source.Rewrites && file.Verdict != filesource.Fresh
	run := &reading{in: in, bulk: bulk, file: file, reader: reader, replace: file.Verdict == filesource.Rewritten || again, whole: again}
	file.Source.Revision = reader.Revision()
	file.Source.Parked = ""
	if err := run.fromHere(ctx, again); err != nil {
		return run.taken, fmt.Errorf("read %s: %w", path, err)
	}
	run.taken.Main = file.Source.Main
	if err := in.retireFor(ctx, file.Source, run.taken.Events, bulk); err != nil {
		return run.taken, err
	}
	bulk.noteOr(seen, file.Source)
	return run.taken, nil
}

// readerOf is the reader of a file.
func (in *Ingester) readerOf(tool, path string) (transcript.Reader, error) {
	if in.ReaderAt != nil {
		if reader := in.ReaderAt(tool, path); reader != nil {
			return reader, nil
		}
	}
	return in.Readers(tool)
}

// cwd is the project that a file beside a transcript names.
func (in *Ingester) cwd(tool, path string) string {
	if in.Sidecar == nil {
		return ""
	}
	return in.Sidecar(tool, path)
}

// unfinished is the size noted of a source whose rest was not read yet; no
// file has it.
const unfinished = -1

// reading is one pass over one file.
type reading struct {
	in      *Ingester
	bulk    *bulkReading // nil where each batch is stored at once
	file    *filesource.File
	reader  transcript.Reader
	replace bool // the next batch empties what the source held
	whole   bool // everything in one transaction: this reading's events replace the former's
	taken   Taken
}

// fromHere reads on, or from the start where the file must be read again or the
// reader cannot use what it left there.
func (r *reading) fromHere(ctx context.Context, again bool) error {
	if again {
		if err := r.file.Restart(); err != nil {
			return err
		}
	}
	err := r.toEnd(ctx)
	if !errors.Is(err, transcript.ErrState) {
		return err
	}
	if err := r.file.Restart(); err != nil {
		return err
	}
	r.replace = true
	return r.toEnd(ctx)
}

func (r *reading) toEnd(ctx context.Context) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("the reader panicked: %v", cause)
		}
	}()
	start := r.file.Source.Position
	source := transcript.Source{Tool: r.file.Source.Tool, Path: r.file.Source.Path}
	source.Cwd = r.in.cwd(source.Tool, source.Path)
	decoder, err := r.reader.Decode(source, r.file, start)
	if err != nil {
		return err
	}
	var held *transcript.Batch // the last one that came, until it is known whether more follow
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		batch, err := decoder.Next()
		switch {
		case errors.Is(err, io.EOF):
			if held == nil {
				held = &transcript.Batch{Position: start}
			}
			return r.store(ctx, *held, true)
		case err != nil:
			return err
		case held == nil:
			held = &batch
		case r.whole:
			held.Events = append(held.Events, batch.Events...)
			held.Position = batch.Position
			held.Coverage.Add(batch.Coverage)
		default:
			if err := r.store(ctx, *held, false); err != nil {
				return err
			}
			held = &batch
		}
	}
}

// store keeps a batch with the position after it. The stat that lets the file
// be skipped next time goes with the last one only: a process killed before it
// must find the rest.
func (r *reading) store(ctx context.Context, batch transcript.Batch, last bool) error {
	before := r.file.Source.Position.Offset
	r.file.Source.Position = batch.Position
	if len(batch.Events) > 0 && r.file.Source.Main == "" {
		// A reader names the file's own session in its first event, also where
		// the first lines are copied from another.
		r.file.Source.Main, r.file.Source.Subagent = batch.Events[0].Session, batch.Events[0].Subagent
	}
	if last || !r.file.Compressed { // else a process killed here starts over
		if err := r.file.Mark(); err != nil {
			return err
		}
	}
	batch.Events = r.in.annotated(batch.Events)
	source := r.file.Source
	if !last {
		source.Size = unfinished
	}
	wanted := ledger.Batch{Source: source, Events: batch.Events, Replace: r.replace, Coverage: batch.Coverage}
	if r.bulk != nil {
		r.replace = false
		return r.bulk.add(ctx, wanted, batch.Position.Offset-before)
	}
	appended, err := r.in.Store.Append(ctx, wanted)
	if err != nil {
		return fmt.Errorf("append to ledger: %w", err)
	}
	r.replace = false
	r.taken.add(batch.Position.Offset-before, appended, batch.Coverage)
	if r.in.Stored != nil {
		r.in.Stored(ctx, r.file.Source, batch.Events)
	}
	return nil
}

// Forget lets every file be looked at again, whatever its stat.
func (in *Ingester) Forget() {
	in.mu.Lock()
	defer in.mu.Unlock()
	clear(in.files)
}

func (in *Ingester) annotated(events []transcript.Located) []transcript.Located {
	if in.Annotate == nil {
		return events
	}
	return in.Annotate(events)
}

// seen is a file as it was when it was last read to its end in this process:
// looking at thousands of them again must not ask the ledger about each.
type seen struct {
	sync.Mutex // held while the file is read
	size       int64
	modified   time.Time
	device     uint64
	inode      uint64
	database   bool   // with a log beside it
	tool, main string // whose it is, and the session; "" where that is not remembered
}

// Remember takes from the ledger how every file was when it was last read, so
// that those that have not changed are neither opened nor asked about.
func (in *Ingester) Remember(ctx context.Context) error {
	revisions := map[string]int{}
	return in.Store.EachSource(ctx, func(source ledger.Source) {
		revision, known := revisions[source.Tool]
		if !known {
			revision = -1
			if reader, err := in.readerOf(source.Tool, source.Path); err == nil {
				revision = reader.Revision()
			}
			revisions[source.Tool] = revision
		}
		// What has no session yet may be superseded by a database; a database
		// has a log beside it that its own stat does not tell of.
		if source.Revision != revision || source.Main == "" || source.Size == unfinished || sqlitesource.Is(source.Path) {
			return
		}
		seen := in.seenOf(source.Path)
		seen.Lock()
		defer seen.Unlock()
		switch {
		case seen.tool != "" && seen.tool != source.Tool:
			seen.tool, seen.modified = "", time.Time{} // two tools read it: each has its own position
		case seen.modified.IsZero():
			seen.note(source)
		}
	})
}

// ToolOf is the tool whose transcript a file is by what the ledger remembers of
// it; false where it may have changed since.
func (in *Ingester) ToolOf(path string) (tool string, ok bool) {
	in.mu.Lock()
	seen := in.files[path]
	in.mu.Unlock()
	if seen == nil {
		return "", false
	}
	seen.Lock()
	defer seen.Unlock()
	return seen.tool, seen.tool != "" && seen.still(path)
}

func (in *Ingester) seenOf(path string) *seen {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.files == nil {
		in.files = map[string]*seen{}
	}
	if in.files[path] == nil {
		in.files[path] = &seen{}
	}
	return in.files[path]
}

// still says that the file has the stat it had.
func (s *seen) still(path string) bool {
	if s.database {
		size, modified, err := sqlitesource.Stat(path)
		return err == nil && !s.modified.IsZero() && size == s.size && modified.Equal(s.modified)
	}
	if s.modified.IsZero() {
		return false
	}
	info, err := os.Stat(path)
	if err != nil || info.Size() != s.size || !info.ModTime().Equal(s.modified) {
		return false
	}
	device, inode := filesource.Identity(info)
	return device == s.device && inode == s.inode
}

func (s *seen) note(source ledger.Source) {
	s.size, s.modified, s.device, s.inode = source.Size, source.ModTime, source.Device, source.Inode
	s.tool, s.main = source.Tool, source.Main
}
