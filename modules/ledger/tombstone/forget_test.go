package tombstone_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/ledger/tombstone"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// Every occurrence of a forgotten text is removed, regardless of case, by this
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

// A process that was killed as it wrote the key has made no mark with it: the next
// one makes another.
func TestTombstones_ATornKeyIsMadeAgain(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "forgotten.key"), []byte("torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	marks, err := tombstone.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := marks.AddText("Nightingale", now); err != nil {
		t.Fatal(err)
	}
	next, err := tombstone.Open(dir)
	if err != nil || next.Scrub("Nightingale") != tombstone.Mark {
		t.Errorf("%v: the text is not kept out", err)
	}
}

// Marks are added while others look.
func TestTombstones_AreSafeForConcurrentUse(t *testing.T) {
	marks, _ := tombstone.Open(t.TempDir())
	var beside sync.WaitGroup
	for n := range 4 {
		beside.Go(func() {
			for i := range 20 {
				if err := marks.AddSession("codex", fmt.Sprint(n, i), now); err != nil {
					t.Error(err)
				}
			}
		})
		beside.Go(func() {
			for range 200 {
				marks.Session("codex", "1 1")
				marks.Scrub("Nightingale")
			}
		})
	}
	beside.Wait()
	for n := range 4 {
		if !marks.Session("codex", fmt.Sprint(n, 19)) {
			t.Errorf("a mark of %d is missing", n)
		}
	}
}
