package page_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/page"
)

func table(t *testing.T) *toolspecs.Table {
	t.Helper()
	table, failed := toolspecs.Load(nil)
	for _, err := range failed {
		t.Fatal(err)
	}
	return table
}

func TestThePageIsCurrent(t *testing.T) {
	written, err := os.ReadFile(filepath.Join("..", "..", "docs", "tools.md"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("this module stands alone, without the documents")
	}
	if err != nil {
		t.Fatal(err)
	}
	if string(written) != page.Render(table(t)) {
		t.Error("docs/tools.md is not what the specs say; run `go generate ./page` in toolspecs")
	}
}

func TestEveryToolAndGroupOfFactsIsShown(t *testing.T) {
	table := table(t)
	text := page.Render(table)
	for _, spec := range table.All() {
		if !strings.Contains(text, "\n| "+spec.Name+" | ") {
			t.Errorf("%s has no row", spec.Name)
		}
		_, section, found := strings.Cut(text, "\n## "+spec.Name+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		for _, fact := range spec.Verified {
			if !found || !strings.Contains(section, "| "+fact.Group+" | ") {
				t.Errorf("%s: nothing is said of %s", spec.Name, fact.Group)
			}
		}
	}
	for _, words := range []string{"verified live", "by documents", "any other CLI"} {
		if !strings.Contains(text, words) {
			t.Errorf("the page does not say %q", words)
		}
	}
}
