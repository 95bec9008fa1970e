package setup_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/setup"
	"github.com/carryover-go/carryover/toolspecs"
)

// Whoever has history of a tool that another one has followed is told so, and
// nobody else.
func TestHeirOf_WhereHistoryIsHere(t *testing.T) {
	user := t.TempDir()
	t.Setenv("HOME", user)
	table, failed := toolspecs.Load(nil)
	if len(failed) > 0 {
		t.Fatal(failed)
	}
	gemini, err := table.Lookup("gemini-cli")
	if err != nil {
		t.Fatal(err)
	}
	if said := setup.HeirOf(gemini); said != "" {
		t.Errorf("without history it says %q", said)
	}
	if err := os.MkdirAll(filepath.Join(user, ".gemini", "tmp"), 0o755); err != nil {
		t.Fatal(err)
	}
	if said := setup.HeirOf(gemini); !strings.Contains(said, "Antigravity") {
		t.Errorf("with history it says %q", said)
	}
}
