package ledgertest

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/ledger"
)

// testOriginals: raw records are given back as they came, without secrets, and go with
// what is forgotten.
func testOriginals(t *testing.T, open Open) {
	t.Run("come back as they were", func(t *testing.T) {
		f := newFixture(t, open)
		batch := History(5)[0]
		f.append(batch)
		var whole bytes.Buffer
		for n := range 300 {
			piece := fmt.Sprintf("{\"line\":%d,\"text\":%q}\n", n, strings.Repeat("parse the date. ", n))
			f.keeps(batch, int64(whole.Len()), piece)
			whole.WriteString(piece)
		}
		f.keeps(batch, 3, "{\"a\":\"piece that does not follow\"}\n")
		if got := f.original(batch); got != whole.String() {
			t.Errorf("%d bytes came back of %d", len(got), whole.Len())
		}
		list, err := f.log.Originals(context.Background(), ledger.SessionKey{Tool: tool, ID: batch.Source.Main})
		if err != nil || len(list) != 1 || list[0].Length != int64(whole.Len()) || list[0].Packed == 0 || list[0].Packed > int64(whole.Len()/4) {
			t.Errorf("%+v, %v", list, err)
		}
	})
	t.Run("hold no secret", func(t *testing.T) {
		f := newFixture(t, open)
		batch := History(5)[0]
		f.append(batch)
		const secret = "glpat-" + "Zx81mQ02LpW7vB45nKjH"
		text := `{"text":"use ` + secret + `"}` + "\n"
		f.keeps(batch, 0, text)
		f.keeps(batch, int64(len(text)), "{\"text\":\"next\"}\n")
		if got := f.original(batch); strings.Contains(got, secret) || !strings.HasSuffix(got, "{\"text\":\"next\"}\n") {
			t.Errorf("kept %q", got)
		}
	})
	t.Run("are begun anew", func(t *testing.T) {
		f := newFixture(t, open)
		batch := History(5)[0]
		f.append(batch)
		f.keeps(batch, 0, "old\n")
		if err := f.log.KeepOriginals(context.Background(), []ledger.OriginalPiece{{Tool: tool, Path: batch.Source.Path, Text: []byte("new\n"), Replace: true}}); err != nil {
			t.Fatal(err)
		}
		if got := f.original(batch); got != "new\n" {
			t.Errorf("kept %q", got)
		}
	})
	t.Run("go with their session", func(t *testing.T) {
		f := newFixture(t, open)
		batch := History(5)[0]
		f.append(batch)
		f.keeps(batch, 0, "{\"text\":\"one\"}\n")
		forget(f, ledger.Forgetting{Sessions: []ledger.SessionKey{{Tool: tool, ID: batch.Source.Main}}})
		f.keeps(batch, 0, "{\"text\":\"one\"}\n")
		if got := f.original(batch); got != "" {
			t.Errorf("kept %q", got)
		}
	})
	t.Run("lose a forgotten text, and keep it out", func(t *testing.T) {
		f := newFixture(t, open)
		batch := History(5)[0]
		f.append(batch)
		first := "{\"text\":\"ask the Zanzibarian \\\"ledger\\\"\"}\n"
		f.keeps(batch, 0, first)
		forget(f, ledger.Forgetting{Text: "Zanzibarian \"ledger\""})
		f.keeps(batch, int64(len(first)), first)
		if got := f.original(batch); strings.Contains(got, "Zanzibarian") || strings.Count(got, "\n") != 2 {
			t.Errorf("kept %q", got)
		}
	})
	t.Run("are bounded, oldest first", func(t *testing.T) {
		f := newFixture(t, open)
		batches := History(6)[:2]
		for _, batch := range batches {
			f.append(batch)
			f.keeps(batch, 0, strings.Repeat("{\"text\":\"one\"}\n", 100))
		}
		gone, err := f.log.TrimOriginals(context.Background(), 1)
		if err != nil || gone != 2 {
			t.Errorf("%d gone, %v", gone, err)
		}
		if end, err := f.log.OriginalEnd(context.Background(), tool, batches[0].Source.Path); err != nil || end != -1 {
			t.Errorf("kept up to %d, %v: it would be kept again", end, err)
		}
	})
}

func (f fixture) keeps(batch ledger.Batch, offset int64, text string) {
	f.Helper()
	err := f.log.KeepOriginals(context.Background(), []ledger.OriginalPiece{{Tool: tool, Path: batch.Source.Path, Offset: offset, Text: []byte(text)}})
	if err != nil {
		f.Fatal(err)
	}
}

func (f fixture) original(batch ledger.Batch) string {
	f.Helper()
	var all bytes.Buffer
	for text, err := range f.log.Original(context.Background(), tool, batch.Source.Path) {
		if err != nil {
			f.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

func forget(f fixture, what ledger.Forgetting) {
	f.Helper()
	if _, err := f.log.Forget(context.Background(), what); err != nil {
		f.Fatal(err)
	}
}
