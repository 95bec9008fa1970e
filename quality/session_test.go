package quality_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/quality"
)

// The sessions in testdata are told in short: what the person and the agent
// said, what was run and touched, and what a handoff must and must not say.
// Half of them have no code in them, and seven are in languages other than
// English. Each is told once more without the word lists.
func TestSessionsOfEveryKindOfWork(t *testing.T) {
	files, err := filepath.Glob("testdata/*.session")
	if err != nil || len(files) == 0 {
		t.Fatal("no sessions in testdata", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".session"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			tale, err := quality.ParseTale(string(text))
			if err != nil {
				t.Fatal(err)
			}
			check(t, tale, quality.Handoff(tale.Events), false)
			t.Run("without words", func(t *testing.T) { check(t, tale, quality.HandoffWithoutWords(tale.Events), true) })
		})
	}
}

func check(t *testing.T, tale *quality.Tale, handoff string, withoutWords bool) {
	t.Helper()
	misses := tale.Misses(handoff, withoutWords)
	for _, miss := range misses {
		t.Error(miss)
	}
	if len(misses) > 0 {
		t.Log("\n" + handoff)
	}
}
