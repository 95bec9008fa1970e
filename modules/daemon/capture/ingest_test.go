package capture_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

const session = "00000000-0000-4000-8000-000000000001"

// lines are n prompts of Claude Code, from number from on.
func lines(from, n int) string {
	var b strings.Builder
	for i := from; i < from+n; i++ {
		fmt.Fprintf(&b, `{"type":"user","uuid":"u%d","sessionId":%q,"timestamp":"2026-11-01T10:00:00.000Z","cwd":"/home/dev/p","version":"2.1.329","message":{"role":"user","content":"prompt %d"}}`+"\n", i, session, i)
	}
	return b.String()
}

// bench is an ingester over a fresh ledger, with one transcript.
type bench struct {
	*capture.Ingester
	t    *testing.T
	log  ledger.Store
	path string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	log, err := sqlite.Open(filepath.Join(t.TempDir(), "ledger.sqlite"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	b := &bench{t: t, log: log, path: filepath.Join(t.TempDir(), session+".jsonl")}
	b.Ingester = &capture.Ingester{Store: log, Readers: sound(t)}
	return b
}

func (b *bench) write(text string) {
	b.t.Helper()
	if err := os.WriteFile(b.path, []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) read() capture.Taken {
	b.t.Helper()
	taken, err := b.Read(context.Background(), "claude-code", b.path)
	if err != nil {
		b.t.Fatal(err)
	}
	return taken
}

func (b *bench) prompts() int {
	b.t.Helper()
	n := 0
	for event, err := range b.log.Events(context.Background(), ledger.SessionKey{Tool: "claude-code", ID: session}) {
		if err != nil {
			b.t.Fatal(err)
		}
		if event.Kind == transcript.Prompt {
			n++
		}
	}
	return n
}

// Only what is new is read; a file whose stat is the same is not opened.
func TestOnlyWhatIsNewIsRead(t *testing.T) {
	b := newBench(t)
	b.write(lines(0, 3))
	first := b.read()
	if b.prompts() != 3 || first.Bytes != int64(len(lines(0, 3))) {
		t.Errorf("first reading: %+v, %d prompts", first, b.prompts())
	}
	if again := b.read(); !again.Unchanged {
		t.Errorf("second reading opened the file: %+v", again)
	}
	b.write(lines(0, 5))
	grown := b.read()
	if want := int64(len(lines(3, 2))); grown.Bytes != want || b.prompts() != 5 {
		t.Errorf("after growing: %d bytes read, want %d; %d prompts", grown.Bytes, want, b.prompts())
	}
}

// Half a line waits for its newline, and counts once.
func TestHalfALineWaits(t *testing.T) {
	b := newBench(t)
	text := lines(0, 2)
	b.write(text[:len(text)-20])
	b.read()
	if b.prompts() != 1 {
		t.Errorf("%d prompts from one line and a half", b.prompts())
	}
	b.write(text)
	b.read()
	if b.prompts() != 2 {
		t.Errorf("%d prompts from two lines", b.prompts())
	}
}

// A file that was rewritten or cut is read again, without duplicates; what was
// read once stays in the ledger.
func TestARewrittenFileIsReadAgain(t *testing.T) {
	b := newBench(t)
	b.write(lines(0, 50))
	b.read()
	b.write(lines(10, 20))
	b.read()
	if got := b.prompts(); got != 50 {
		t.Errorf("%d prompts, want the 50 that were ever there", got)
	}
}

// A process that is killed between two batches finds the rest of the file when
// it comes back, though the file's stat has not changed.
func TestAnInterruptedReadingGoesOn(t *testing.T) {
	b := newBench(t)
	b.write(lines(0, 3000))
	ctx, kill := context.WithCancel(context.Background())
	b.Stored = func(context.Context, ledger.Source, []transcript.Located) { kill() }
	if _, err := b.Read(ctx, "claude-code", b.path); !errors.Is(err, context.Canceled) {
		t.Fatalf("the reading was not interrupted: %v", err)
	}
	if n := b.prompts(); n == 0 || n == 3000 {
		t.Fatalf("%d prompts: not in the middle", n)
	}
	b.Stored = nil
	b.read()
	if n := b.prompts(); n != 3000 {
		t.Errorf("%d prompts, want 3000", n)
	}
}

// A reader that panics parks its source and says why; the next reading that
// succeeds takes it back.
func TestAPanickingReaderParksItsSource(t *testing.T) {
	b := newBench(t)
	b.write(lines(0, 1))
	sound := b.Readers
	b.Readers = func(string) (transcript.Reader, error) { return panicking{}, nil }
	if _, err := b.Read(context.Background(), "claude-code", b.path); err == nil || !strings.Contains(err.Error(), "panicked") {
		t.Errorf("error is %v", err)
	}
	source, found, err := b.log.Source(context.Background(), "claude-code", b.path)
	if err != nil || !found || !strings.Contains(source.Parked, "out of cheese") {
		t.Errorf("parked with %q (%v, %v)", source.Parked, found, err)
	}
	b.Readers = sound
	b.read()
	if source, _, _ := b.log.Source(context.Background(), "claude-code", b.path); source.Parked != "" || b.prompts() != 1 {
		t.Errorf("still parked with %q, %d prompts", source.Parked, b.prompts())
	}
}

type panicking struct{ transcript.Reader }

func (panicking) Revision() int { return 1 }

func (panicking) Decode(transcript.Source, io.Reader, transcript.Position) (transcript.Decoder, error) {
	panic("out of cheese")
}

// A tool names its transcript at a session's start, before the file is there.
func TestAMissingFileIsNotParked(t *testing.T) {
	b := newBench(t)
	if _, err := b.Read(context.Background(), "claude-code", b.path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("reading it ended with %v", err)
	}
	if _, found, err := b.log.Source(context.Background(), "claude-code", b.path); found || err != nil {
		t.Errorf("it is a source now (%v)", err)
	}
}
