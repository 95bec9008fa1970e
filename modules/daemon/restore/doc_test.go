package restore_test

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/restore"
)

var update = flag.Bool("update", false, "write the gate's table into ARCHITECTURE.md")

// The table that ARCHITECTURE.md shows is made from the one that decides.
func TestTheDocumentShowsTheGate(t *testing.T) {
	path := filepath.Join("..", "..", "..", "ARCHITECTURE.md")
	page, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("NO DOCUMENT: this module stands without the repository around it; the table was NOT compared")
	}
	if err != nil {
		t.Fatal(err)
	}
	before, rest, opened := strings.Cut(string(page), "<!-- gate:start -->\n")
	_, after, closed := strings.Cut(rest, "<!-- gate:end -->")
	if !opened || !closed {
		t.Fatal("ARCHITECTURE.md does not mark the place of the table")
	}
	want := before + "<!-- gate:start -->\n" + rendered() + "<!-- gate:end -->" + after
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(page) != want {
		t.Error("ARCHITECTURE.md shows another table than the one that decides; run `go test ./restore -update` in modules/daemon")
	}
}

// rendered is the gate as a table of Markdown.
func rendered() string {
	var b strings.Builder
	b.WriteString("| row | holds when | gives | header | because |\n|---|---|---|---|---|\n")
	for _, row := range restore.Table {
		b.WriteString("| " + strings.Join([]string{row.Name, row.Holds, row.Give, row.Head, row.Why}, " | ") + " |\n")
	}
	return b.String()
}
