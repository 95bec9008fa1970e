package home_test

import (
	"os"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/home"
)

func TestMisplaced_NamesWhatIsOfAnotherKind(t *testing.T) {
	dir := home.Dir(t.TempDir())
	if found := dir.Misplaced(); len(found) != 0 {
		t.Errorf("in an empty home: %v", found)
	}
	if err := dir.Make("run", "token"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir.Spool(), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	found := dir.Misplaced()
	if len(found) != 2 || found[0].Path != dir.Spool() || found[0].Want != "folder" || found[1].Path != dir.Token() || found[1].Want != "file" {
		t.Errorf("got %v", found)
	}
}
