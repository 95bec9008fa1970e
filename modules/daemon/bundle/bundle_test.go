package bundle_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/carryover-go/carryover/modules/daemon/bundle"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func written(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := bundle.NewWriter(&out, bundle.Header{FirstCommit: "abc", Name: "proj", Root: "/work/proj", Sessions: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []bundle.Line{
		{Session: &ledger.Session{SessionKey: ledger.SessionKey{Tool: "codex", ID: "s"}}},
		{Event: &transcript.Event{ID: "e1", Kind: transcript.Prompt, Text: "Parse <dates>"}},
	} {
		if err := w.Write(line); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestRead_GivesWhatWasWritten(t *testing.T) {
	var lines []bundle.Line
	header, err := bundle.Read(bytes.NewReader(written(t)), func(line bundle.Line) error { lines = append(lines, line); return nil })
	if err != nil || header.Name != "proj" || header.Version != bundle.Version || len(lines) != 2 || lines[1].Event.Text != "Parse <dates>" {
		t.Errorf("%+v, %+v, %v", header, lines, err)
	}
}

// What is damaged, cut off or made by another is refused before a line of it is used.
func TestRead_RefusesWhatIsNotWhole(t *testing.T) {
	decoder, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := decoder.DecodeAll(written(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	packed := func(text []byte) []byte { return encoder.EncodeAll(text, nil) }
	for name, test := range map[string]struct {
		content []byte
		want    error
	}{
		"another text":    {packed(bytes.Replace(plain, []byte("dates"), []byte("zones"), 1)), bundle.ErrDamaged},
		"cut off":         {packed(plain[:bytes.LastIndexByte(plain[:len(plain)-1], '\n')+1]), bundle.ErrDamaged},
		"more at the end": {packed(append(slices.Clone(plain), plain...)), bundle.ErrDamaged},
		"newer":           {packed(bytes.Replace(plain, []byte(`"version":1`), []byte(`"version":9`), 1)), bundle.ErrTooNew},
		"no bundle":       {packed([]byte("{}\n")), bundle.ErrNone},
		"not compressed":  {plain, bundle.ErrNone},
		"empty":           {nil, bundle.ErrNone},
	} {
		_, err := bundle.Read(bytes.NewReader(test.content), func(bundle.Line) error { t.Errorf("%s: a line was used", name); return nil })
		if !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
}
