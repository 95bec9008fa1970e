package quality_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/quality"
)

// The sessions in testdata are written in short: what the person and the agent
// said, what was run and touched, and what a handoff must and must not say.
// Half of them have no code in them, and seven are in languages other than
// English. Each gets once more without the word lists.
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
			session, err := quality.ParseScript(string(text))
			if err != nil {
				t.Fatal(err)
			}
			check(t, session, quality.Handoff(session.Events), false)
			t.Run("without words", func(t *testing.T) { check(t, session, quality.HandoffWithoutWords(session.Events), true) })
		})
	}
}

func check(t *testing.T, session *quality.Script, handoff string, withoutWords bool) {
	t.Helper()
	misses := session.Misses(handoff, withoutWords)
	for _, miss := range misses {
		t.Error(miss)
	}
	if len(misses) > 0 {
		t.Log("\n" + handoff)
	}
}
