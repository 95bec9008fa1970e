package spectest_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/spectest"
)

// Sessions of an agent that no spec describes are claimed by none, although
// they are JSON lines with types, ids and times as most are.
func TestForeignSessionsAreNotClaimed(t *testing.T) {
	table, _ := toolspecs.Load(nil)
	found := 0
	look := func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(file)
		found++
		for _, head := range [][]byte{data, data[:min(len(data), 4<<10)]} {
			if tool, ok := table.Recognise(file, head); ok {
				t.Errorf("%s is taken for %s", file, tool)
			}
		}
		return err
	}
	for _, root := range spectest.Corpora(t) {
		if err := filepath.WalkDir(filepath.Join(root, "pi"), look); err != nil {
			t.Error(err)
		}
	}
	if found == 0 {
		t.Error("no session of such an agent in the corpora")
	}
}
