package spectest

import (
	"os"
	"path/filepath"
	"testing"
)

// Corpora are the folders of real transcripts that CARRYOVER_CORPUS names,
// separated as in PATH. Without it the test is skipped, and says so; a folder
// that is not there is an error.
func Corpora(t testing.TB) []string {
	t.Helper()
	return Folders(t, "CARRYOVER_CORPUS", "folders of real transcripts")
}

// Folders are the folders that a variable names, separated as in PATH; what
// says in the message of the skip what they hold.
func Folders(t testing.TB, variable, what string) []string {
	t.Helper()
	var list []string
	for _, dir := range filepath.SplitList(os.Getenv(variable)) {
		if dir == "" {
			continue
		}
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			t.Fatalf("%s names %s, which is no folder", variable, dir)
		}
		list = append(list, dir)
	}
	if len(list) == 0 {
		t.Skipf("SKIPPED: %s is not set; it names %s, separated as in PATH", variable, what)
	}
	return list
}
