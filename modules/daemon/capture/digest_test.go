package capture_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite"
	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/readers"
	"github.com/carryover-go/carryover/toolspecs/spectest"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// written is a transcript that some agent has written to its end.
type written struct {
	tool, name string // name is the path below the home
	data       []byte
}

// The one property that says it all: whatever the pieces a transcript grows
// in, whatever the order the files are noticed in, and whenever the process is
// killed, the ledger ends with the same digest.
func TestTheDigestDependsOnTheTranscriptsAlone(t *testing.T) {
	for name, written := range map[string]func(*testing.T) []written{"fixtures": fixtures, "corpus": corpus} {
		t.Run(name, func(t *testing.T) {
			files := written(t)
			rounds := 8
			if name == "corpus" {
				rounds = 3
			}
			want := newLife(t, files, 0).digest()
			if want.Events == 0 {
				t.Fatal("the transcripts gave no events")
			}
			for seed := range rounds {
				life := newLife(t, files, uint64(seed+1))
				if got := life.digest(); got != want {
					t.Errorf("seed %d: digest %+v after %d kills, want %+v", seed+1, got, life.kills, want)
				}
			}
		})
	}
}

// life is one way in which the files come to be read.
type life struct {
	t      *testing.T
	chance *rand.Rand
	home   string
	path   string // of the ledger
	log    ledger.Store
	kills  int
}

// newLife writes all files and reads them. With seed 0 each is read once, whole
// and in order; else they grow in random pieces, in random order, and the
// process is killed now and then.
func newLife(t *testing.T, files []written, seed uint64) *life {
	t.Helper()
	l := &life{t: t, chance: rand.New(rand.NewPCG(seed, 7)), home: t.TempDir(), path: filepath.Join(t.TempDir(), "ledger.sqlite")}
	l.start()
	defer func() { _ = l.log.Close() }()
	order := slices.Clone(files)
	if seed > 0 {
		l.chance.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	for _, f := range order {
		ends := []int{len(f.data)}
		if seed > 0 {
			for range l.chance.IntN(4) {
				ends = append(ends, l.chance.IntN(len(f.data)+1))
			}
			slices.Sort(ends)
		}
		for _, end := range ends {
			l.write(f, end)
			if seed > 0 && l.chance.IntN(6) == 0 {
				l.kill(f)
			}
			l.read(context.Background(), f, nil)
		}
	}
	return l
}

func (l *life) start() {
	log, err := sqlite.Open(l.path, sqlite.Options{})
	if err != nil {
		l.t.Fatal(err)
	}
	l.log = log
}

func (l *life) write(f written, end int) {
	path := filepath.Join(l.home, f.name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		l.t.Fatal(err)
	}
	if err := os.WriteFile(path, f.data[:end], 0o600); err != nil {
		l.t.Fatal(err)
	}
}

// kill reads until the first batch is stored, then ends the process: what was
// not committed is gone, and a new one opens the ledger.
func (l *life) kill(f written) {
	ctx, cancel := context.WithCancel(context.Background())
	l.read(ctx, f, cancel)
	cancel()
	if err := l.log.Close(); err != nil {
		l.t.Fatal(err)
	}
	l.kills++
	l.start()
}

func (l *life) read(ctx context.Context, f written, stored func()) {
	l.t.Helper()
	ingest := &capture.Ingester{Store: l.log, Readers: sound(l.t)}
	if stored != nil {
		ingest.Stored = func(context.Context, ledger.Source, []transcript.Located) { stored() }
	}
	if _, err := ingest.Read(ctx, f.tool, filepath.Join(l.home, f.name)); err != nil && !errors.Is(err, context.Canceled) {
		l.t.Fatalf("read %s: %v", f.name, err)
	}
}

func (l *life) digest() ledger.Digest {
	l.t.Helper()
	log, err := sqlite.OpenReadOnly(l.path)
	if err != nil {
		l.t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	digest, err := log.Digest(context.Background())
	if err != nil {
		l.t.Fatal(err)
	}
	return digest
}

func sound(t *testing.T) func(string) (transcript.Reader, error) {
	t.Helper()
	table, failed := toolspecs.Load(nil)
	if len(failed) > 0 {
		t.Fatal(failed)
	}
	return func(tool string) (transcript.Reader, error) {
		spec, err := table.Lookup(tool)
		if err != nil {
			return nil, err
		}
		return readers.For(spec)
	}
}

func fixtures(t *testing.T) []written {
	t.Helper()
	var files []written
	for _, tool := range []string{"claude-code", "codex"} {
		list, err := spectest.Fixtures(tool)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range list {
			files = append(files, written{tool: tool, name: filepath.Join(tool, f.Name), data: f.Data})
		}
	}
	return files
}

func corpus(t *testing.T) []written {
	t.Helper()
	var files []written
	for _, root := range spectest.Corpora(t) {
		for folder, tool := range map[string]string{"claude": "claude-code", "codex": "codex"} {
			paths, err := filepath.Glob(filepath.Join(root, folder, "*", "*.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range paths {
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				files = append(files, written{tool: tool, name: fmt.Sprintf("%s/%s", filepath.Base(root), strings.TrimPrefix(path, root)), data: data})
			}
		}
	}
	slices.SortFunc(files, func(a, b written) int { return strings.Compare(a.name, b.name) })
	return files
}
