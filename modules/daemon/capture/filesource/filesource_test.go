package filesource_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/carryover-go/carryover/modules/daemon/capture/filesource"
	"github.com/carryover-go/carryover/modules/ledger"
)

// readTo opens a file as it is now and reads it on to its end, as a reader does
// whose records were all whole.
func readTo(t *testing.T, path string, known *ledger.Source) (verdict filesource.Verdict, text string, source ledger.Source) {
	t.Helper()
	file, err := filesource.Open("codex", path, known)
	if err != nil {
		t.Fatal(err)
	}
	if file.Verdict == filesource.Unchanged {
		return file.Verdict, "", file.Source
	}
	defer func() { _ = file.Close() }()
	data, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	file.Source.Position.Offset += int64(len(data))
	if err := file.Mark(); err != nil {
		t.Fatal(err)
	}
	return file.Verdict, string(data), file.Source
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// long is more than the hashes look at in one piece.
var long = strings.Repeat("a line of a transcript\n", 500)

func TestOpen_SaysWhatBecameOfTheFile(t *testing.T) {
	for name, test := range map[string]struct {
		change  func(t *testing.T, path string)
		verdict filesource.Verdict
		text    string // that is new
	}{
		"nothing":                    {func(*testing.T, string) {}, filesource.Unchanged, ""},
		"appended to":                {func(t *testing.T, path string) { write(t, path, long+"more\n") }, filesource.Grown, "more\n"},
		"touched":                    {func(t *testing.T, path string) { touch(t, path) }, filesource.Grown, ""},
		"copied back":                {func(t *testing.T, path string) { write(t, path+"2", long); move(t, path+"2", path) }, filesource.Grown, ""},
		"cut short":                  {func(t *testing.T, path string) { write(t, path, "short\n") }, filesource.Rewritten, "short\n"},
		"changed at its beginning":   {func(t *testing.T, path string) { write(t, path, "A"+long[1:]+"x") }, filesource.Rewritten, "A" + long[1:] + "x"},
		"changed before its old end": {func(t *testing.T, path string) { write(t, path, long[:len(long)-1]+"x") }, filesource.Rewritten, long[:len(long)-1] + "x"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "rollout.jsonl")
			write(t, path, long)
			verdict, text, known := readTo(t, path, nil)
			if verdict != filesource.Fresh || text != long {
				t.Fatalf("at first: verdict %d, %d bytes", verdict, len(text))
			}
			test.change(t, path)
			if verdict, text, _ := readTo(t, path, &known); verdict != test.verdict || text != test.text {
				t.Errorf("verdict %d with %d bytes, want %d with %d", verdict, len(text), test.verdict, len(test.text))
			}
		})
	}
}

func touch(t *testing.T, path string) {
	t.Helper()
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
}

func move(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

func TestOpen_RefusesWhatIsNoRegularFile(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{dir, filepath.Join(dir, "missing.jsonl")} {
		if file, err := filesource.Open("codex", path, nil); err == nil {
			t.Errorf("%s was opened: %+v", path, file.Source)
		}
	}
}

// A transcript that its tool compresses stays the same source, where it was.
func TestOpen_CompressedTranscriptGoesOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rollout.jsonl")
	write(t, path, long)
	_, _, known := readTo(t, path, nil)
	var packed bytes.Buffer
	encoder, err := zstd.NewWriter(&packed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(encoder, long+"more\n"); err != nil || encoder.Close() != nil {
		t.Fatal(err)
	}
	write(t, path+".zst", packed.String())
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	verdict, text, source := readTo(t, path, &known)
	if verdict != filesource.Grown || text != "more\n" || source.Path != path {
		t.Errorf("verdict %d, %q of %s", verdict, text, source.Path)
	}
}

func TestRestart_BeginsWithoutAState(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rollout.jsonl")
	write(t, path, "one\n")
	_, _, known := readTo(t, path, nil)
	known.Position.State, known.Position.Line = []byte(`{"a":1}`), 1
	write(t, path, "one\ntwo\n")
	file, err := filesource.Open("codex", path, &known)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	if err := file.Restart(); err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(file)
	if err != nil || string(data) != "one\ntwo\n" || file.Source.Position.Offset != 0 || file.Source.Position.State != nil || file.Source.Position.Line != 0 {
		t.Errorf("read %q from %+v, %v", data, file.Source.Position, err)
	}
}

func TestOpenContent_MissingFileIsAnError(t *testing.T) {
	if _, err := filesource.OpenContent(filepath.Join(t.TempDir(), "missing.jsonl")); err == nil {
		t.Error("a file that is not there was opened")
	}
}
