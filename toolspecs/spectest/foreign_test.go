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
	err := filepath.WalkDir(filepath.Join(spectest.Corpus(t), "pi"), func(file string, entry fs.DirEntry, err error) error {
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
	})
	if err != nil || found == 0 {
		t.Errorf("%d files, %v", found, err)
	}
}
