package spectest

import (
	"os"
	"path/filepath"
	"testing"
)

// Corpus is the folder of real transcripts that is kept beside the repository:
// CARRYOVER_CORPUS, or shared/corpus in a folder above the working directory.
// Without one the test is skipped, and says so.
func Corpus(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("CARRYOVER_CORPUS"); dir != "" {
		return dir
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
		found := filepath.Join(dir, "shared", "corpus")
		if info, err := os.Stat(found); err == nil && info.IsDir() {
			return found
		}
	}
	t.Skip("SKIPPED: NO CORPUS of real transcripts beside the repository; set CARRYOVER_CORPUS to a folder of them")
	return ""
}
