package zstdsource_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/carryover-go/carryover/modules/daemon/capture/zstdsource"
)

var text = strings.Repeat("a line of a rollout\n", 2000)

// packed is a text as a tool compresses it: in two frames.
func packed(t *testing.T, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	for _, part := range []string{text[:len(text)/2], text[len(text)/2:]} {
		encoder, err := zstd.NewWriter(&out)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(encoder, part); err != nil {
			t.Fatal(err)
		}
		if err := encoder.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

func open(t *testing.T, data []byte) *zstdsource.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rollout.jsonl.zst")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := zstdsource.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	return file
}

func TestRead_GivesTheStream(t *testing.T) {
	if data, err := io.ReadAll(open(t, packed(t, text))); err != nil || string(data) != text {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}

// Offsets are those of the stream, and what is read beside does not move it.
func TestSeekAndReadAt_CountInTheStream(t *testing.T) {
	file := open(t, packed(t, text))
	at := int64(len(text) - 30)
	if passed, err := file.Seek(at, io.SeekStart); err != nil || passed != at {
		t.Fatalf("at %d, %v", passed, err)
	}
	beside := make([]byte, 20)
	if n, err := file.ReadAt(beside, 7); err != nil || string(beside[:n]) != text[7:27] {
		t.Errorf("beside %q, %v", beside[:n], err)
	}
	if rest, err := io.ReadAll(file); err != nil || string(rest) != text[at:] {
		t.Errorf("the rest is %q, %v", rest, err)
	}
	if passed, err := file.Seek(0, io.SeekStart); err != nil || passed != 0 {
		t.Errorf("back at %d, %v", passed, err)
	}
	if n, err := file.ReadAt(make([]byte, 20), int64(len(text)-5)); n != 5 || !errors.Is(err, io.EOF) {
		t.Errorf("%d bytes behind the end, %v", n, err)
	}
}

func TestSeek_OnlyFromTheStart(t *testing.T) {
	if _, err := open(t, packed(t, text)).Seek(0, io.SeekEnd); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("error: %v", err)
	}
}

// A file that is just being written ends where it stops, without an error.
func TestRead_HalfAFileEndsWhereItStops(t *testing.T) {
	whole := packed(t, text)
	data, err := io.ReadAll(open(t, whole[:len(whole)-10]))
	if err != nil || !strings.HasPrefix(text, string(data)) {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}

func TestRead_BrokenFileIsAnError(t *testing.T) {
	if _, err := io.ReadAll(open(t, []byte("no Zstandard at all"))); err == nil {
		t.Error("it was read")
	}
}

func TestPhysical_PrefersWhatIsNotCompressed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rollout.jsonl")
	if got := zstdsource.Physical(path); got != path {
		t.Errorf("without a file: %s", got)
	}
	for _, step := range []struct{ write, want string }{{path + ".zst", path + ".zst"}, {path, path}} {
		if err := os.WriteFile(step.write, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, asked := range []string{path, path + ".zst"} {
			if got := zstdsource.Physical(asked); got != step.want {
				t.Errorf("%s lies in %s", asked, got)
			}
		}
	}
	if zstdsource.Logical(path+".zst") != path || !zstdsource.Is(path+".zst") || zstdsource.Is(path) {
		t.Error("the names are not told apart")
	}
}
