package capture_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/spectest"
)

func compress(t *testing.T, path string, data []byte) {
	t.Helper()
	writer, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, writer.EncodeAll(data, nil), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A rollout that Codex compresses is the source and the session it was, also
// where it goes on or is compressed half read.
func TestACompressedTranscriptIsTheSameSource(t *testing.T) {
	fixtures, err := spectest.Fixtures("codex")
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(fixtures, func(f spectest.Fixture) bool { return f.Name == "items.jsonl" })
	data := fixtures[at].Data
	digest := func(steps ...func(path string)) (string, []ledger.Source) {
		t.Helper()
		b := newBench(t)
		path := filepath.Join(t.TempDir(), "rollout-2026-03-10T09-00-00-00000000-0000-4000-8000-000000000001.jsonl")
		for _, step := range steps {
			step(path)
			for _, name := range []string{path, path + ".zst"} { // as a scan and a hook name it
				if _, err := b.Read(t.Context(), "codex", name); err != nil {
					t.Fatal(err)
				}
			}
		}
		sum, err := b.log.Digest(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		sources, err := b.log.Sources(t.Context(), "codex")
		if err != nil {
			t.Fatal(err)
		}
		return sum.SHA256, sources
	}
	plain := func(data []byte) func(string) {
		return func(path string) {
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	compressed := func(data []byte) func(string) {
		return func(path string) {
			compress(t, path+".zst", data)
			if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
		}
	}
	want, _ := digest(plain(data))
	for name, steps := range map[string][]func(string){
		"compressed":                  {compressed(data)},
		"compressed when it was read": {plain(data), compressed(data)},
		"compressed half read":        {plain(data[:len(data)/2]), compressed(data)},
		"goes on compressed":          {compressed(data[:len(data)/3]), compressed(data)},
		"uncompressed again":          {compressed(data[:len(data)/3]), plain(data)},
	} {
		got, sources := digest(steps...)
		if got != want {
			t.Errorf("%s: other events", name)
		}
		if len(sources) != 1 || sources[0].Position.Offset != int64(len(data)) {
			t.Errorf("%s: sources %+v", name, sources)
		}
	}
}
