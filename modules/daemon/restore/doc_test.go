package restore_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/restore"
)

// The table that ARCHITECTURE.md shows is the table that decides: the same
// rows in the same order, each giving the same for the same reason.
func TestTheDocumentShowsTheGate(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "ARCHITECTURE.md"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("NO DOCUMENT: this module stands without the repository around it; the table was NOT compared")
	}
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "<!-- gate:")
	if !found {
		t.Fatal("ARCHITECTURE.md does not mark the table")
	}
	shown := tableRows(rest)
	if len(shown) != len(restore.Table) {
		t.Fatalf("the document has %d rows, the gate %d", len(shown), len(restore.Table))
	}
	for i, row := range restore.Table {
		name, give, why := shown[i][0], shown[i][2], shown[i][3]
		if name != row.Name || give != row.Give || why != row.Why {
			t.Errorf("row %d is %q gives %q because %q\nthe document has %q gives %q because %q", i+1, row.Name, row.Give, row.Why, name, give, why)
		}
	}
}

// tableRows reads the cells of the first Markdown table, without its head.
func tableRows(text string) (rows [][]string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			if rows != nil {
				break
			}
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	return rows[min(2, len(rows)):]
}
