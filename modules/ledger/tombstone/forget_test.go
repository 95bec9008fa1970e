package tombstone_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/ledger/tombstone"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// A forgotten text is taken out wherever it stands, in whatever case, by this
// process and by the next one, and the file does not hold it.
func TestAForgottenTextIsTakenOut(t *testing.T) {
	dir := t.TempDir()
	first, err := tombstone.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"Nightingale", "straße 7", "nightingale bank"} {
		if err := first.AddText(text, now); err != nil {
			t.Fatal(err)
		}
	}
	next, err := tombstone.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{
		"call Nightingale today":              "call [forgotten] today",
		"NIGHTINGALE/src/nightingaleTest.go":  "[forgotten]/src/[forgotten]Test.go",
		"for Nightingale Bank we":             "for [forgotten] we",
		"Straße 7 und STRASSE 7 und STRAßE 7": "[forgotten] und STRASSE 7 und [forgotten]",
		"nothing of it":                       "nothing of it",
		"":                                    "",
	} {
		if got := next.Scrub(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
	kept, err := os.ReadFile(filepath.Join(dir, "forgotten.jsonl"))
	if err != nil || strings.Contains(strings.ToLower(string(kept)), "nightingale") {
		t.Errorf("the file holds it: %s %v", kept, err)
	}
}

func TestAForgottenSession(t *testing.T) {
	marks, _ := tombstone.Open(t.TempDir())
	if err := marks.AddSession("codex", "s1", now); err != nil {
		t.Fatal(err)
	}
	if !marks.Session("codex", "s1") || marks.Session("codex", "s2") || marks.Session("claude-code", "s1") {
		t.Error("the wrong sessions are forgotten")
	}
}

func TestAShortTextIsRefused(t *testing.T) {
	marks, _ := tombstone.Open(t.TempDir())
	if err := marks.AddText("go", now); !errors.Is(err, tombstone.ErrTooShort) {
		t.Errorf("got %v", err)
	}
}

func TestWithoutMarksNothingIsDone(t *testing.T) {
	marks, _ := tombstone.Open(t.TempDir())
	if marks.Texts() || marks.Scrub("as it is") != "as it is" || marks.Session("codex", "s1") {
		t.Error("an empty set forgets something")
	}
}

func BenchmarkScrub(b *testing.B) {
	marks, _ := tombstone.Open(b.TempDir())
	_ = marks.AddText("nightingale", now)
	text := strings.Repeat("the quick brown fox jumps over the lazy dog ", 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		marks.Scrub(text)
	}
}
