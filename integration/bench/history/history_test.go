package history_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/integration/bench/history"
	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/readers"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// written is what every file below a folder holds.
func written(t *testing.T, o history.Options) map[string][]byte {
	t.Helper()
	dir := t.TempDir()
	if _, err := history.Write(dir, o); err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		files[strings.TrimPrefix(path, dir)] = content
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestWrite_SameOptionsGiveSameBytes(t *testing.T) {
	o := history.Options{Bytes: 300_000, Files: 6, Seed: 7}
	first, second := written(t, o), written(t, o)
	if len(first) != 6 {
		t.Fatalf("%d files", len(first))
	}
	for path, content := range first {
		if !bytes.Equal(content, second[path]) {
			t.Errorf("%s differs", path)
		}
	}
}

func TestWrite_EveryRecordIsKnown(t *testing.T) {
	table, _ := toolspecs.Load(nil)
	for path, content := range written(t, history.Options{Bytes: 300_000, Files: 3, Seed: 7}) {
		tool := "claude-code"
		if strings.Contains(path, "codex") {
			tool = "codex"
		}
		if found, ok := table.Recognise(path, content); !ok || found != tool {
			t.Errorf("%s is recognised as %q", path, found)
		}
		coverage := read(t, table, tool, path, content)
		if known := coverage.Read + coverage.Skipped; known != coverage.Records || coverage.Read < coverage.Records/3 {
			t.Errorf("%s: %+v", path, coverage)
		}
	}
}

func read(t *testing.T, table *toolspecs.Table, tool, path string, content []byte) (all transcript.Coverage) {
	t.Helper()
	spec, err := table.Lookup(tool)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := readers.For(spec)
	if err != nil {
		t.Fatal(err)
	}
	decoder, err := reader.Decode(transcript.Source{Tool: tool, Path: path}, bytes.NewReader(content), transcript.Position{})
	if err != nil {
		t.Fatal(err)
	}
	for {
		batch, err := decoder.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all.Add(batch.Coverage)
	}
}
