package prose_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
)

func TestStatements_KnowEntriesAndTheirHeading(t *testing.T) {
	got := prose.Statements("It works. See e.g. the cart.\n\n## Next steps\n- [ ] **ship** it\n- [x] [test](cart_test.go) it\n")
	want := []prose.Statement{
		{Text: "It works."},
		{Text: "See e.g. the cart."},
		{Text: "ship it", Heading: "Next steps", Bullet: true, State: "todo", Strong: true},
		{Text: "test it", Heading: "Next steps", Bullet: true, State: "done"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestClip_KeepsWholeWordsAndMarksTheEnd(t *testing.T) {
	for text, want := range map[string]string{
		"short":                   "short",
		"twelve letters and more": "twelve letters…",
		"äöüäöüäöüäöüäöüäöüäöüäöü": "äöüäöüäöüäöüäöü…",
	} {
		if got := prose.Clip(text, 16); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestExcerpt_CutsNoWordInTwo holds that the tail of a long output begins with a
// whole line: the half of a path looks like another path.
func TestExcerpt_CutsNoWordInTwo(t *testing.T) {
	line := "internal/cart/total_of_the_cart.go: read\n"
	got := prose.Excerpt(strings.Repeat(line, 300))
	for l := range strings.Lines(got) {
		if !strings.HasPrefix(line, strings.TrimSuffix(l, "\n")) {
			t.Errorf("cut into %q", l)
		}
	}
}

// A reply that is a JSON object is told in words; prose, and what only looks like one, stays.
func TestFromJSON_AReplyInWords(t *testing.T) {
	review := `{"findings":[{"title":"[P1] Format the tests","body":"The lint step\nfails on them.","priority":1,"at":{"file":"a_test.go"}}],"overall_explanation":"Builds, but is not formatted.","score":0.9}`
	if got, want := prose.FromJSON(review), "- [P1] Format the tests — The lint step fails on them.\n- overall explanation: Builds, but is not formatted."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, same := range []string{"All is well.", `{"ok": true}`, "{ broken", "{x} is a set"} {
		if got := prose.FromJSON(same); got != same {
			t.Errorf("%q became %q", same, got)
		}
	}
}

// TestReport_ReadsTables holds that an account has the rows of its tables, and that Statements,
// from which decisions and questions are taken, has none.
func TestReport_ReadsTables(t *testing.T) {
	reply := "All three are fixed.\n\n### Fixes\n| File | Fix |\n|---|:--|\n| `cart.go` | rounds once | now |\n| **total.go** | |\n\nDone."
	var got []string
	for _, s := range prose.Report(reply) {
		got = append(got, s.Heading+"/"+s.Text)
	}
	want := []string{"/All three are fixed.", "Fixes/`cart.go`: rounds once | now", "Fixes/total.go", "Fixes/Done."}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if n := len(prose.Statements(reply)); n != 2 {
		t.Errorf("%d statements, want 2", n)
	}
}

// TestFences_WithTheirLanguage holds that a block is read whatever fences it.
func TestFences_WithTheirLanguage(t *testing.T) {
	text := "Run it:\n```Bash title\nmake cart\n```\nand\n<source>\n`x` := 1\n\nreturn x\n</source>\n<pre> is a tag\n```\nplain\n```\n"
	var got []string
	for _, f := range prose.Fences(text) {
		got = append(got, f.Lang+": "+strings.Join(f.Lines, "; "))
	}
	if want := []string{"bash: make cart", "source: `x` := 1; return x", ": plain"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestReport_QuotesWhatALineLeadsTo holds that a block of one line stands behind the line that
// leads to it, and that code stands nowhere.
func TestReport_QuotesWhatALineLeadsTo(t *testing.T) {
	text := "**Suggested:**\n```yaml\ndescription: Mirror refs\n```\nIt has no full stop.\n\nCall it so:\n```go\na()\nb()\n```\nThat is all.\n"
	var got []string
	for _, s := range prose.Report(text) {
		got = append(got, s.Text)
	}
	if want := []string{"Suggested: `description: Mirror refs`", "It has no full stop.", "That is all."}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// TestStatements_ALineThatLedToTextHeadsNoList holds that what a line leads to by a colon ends
// with the paragraph behind it, and that code alone in its paragraph is part of the line.
// A label that leads to a code block heads nothing behind it, unless it names where the code stands.
func TestStatements_WhatLeadsToCodeEndsWithIt(t *testing.T) {
	const text = "**Order of the waves:**\n```\nfirst -> second\n```\nReady for `run.sh` to start.\n\n**`cart.go:12`:**\n```\nsum()\n```\nThe sum is rounded twice.\n"
	said := prose.Statements(text)
	if len(said) != 2 || said[0].Heading != "" || said[1].Heading != "`cart.go:12`" {
		t.Errorf("got %+v", said)
	}
}

func TestStatements_ALineThatLedToTextHeadsNoList(t *testing.T) {
	text := "## CI\n\nIt panics with:\n\n`change the default`\n\nThat breaks the tests.\n\n- the registry fails, too\n"
	var got []string
	for _, s := range prose.Report(text) {
		got = append(got, s.Heading+"|"+s.Text)
	}
	if want := []string{"CI|It panics with: `change the default`", "CI|That breaks the tests.", "CI|the registry fails, too"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if got := prose.Report("That activates this assertion:\n\n[src/env.rs](/p/src/env.rs:747)\n\nIt panics.\n"); len(got) != 2 || got[0].Text != "That activates this assertion: src/env.rs" {
		t.Errorf("a link alone: %+v", got)
	}
	if got := prose.Report("## Order\n\nFirst the gate.\n\n</analysis>\n\n<summary>\n\nThe wiring is wrong.\n"); len(got) != 2 || got[1].Heading != "" || got[1].Text != "The wiring is wrong." {
		t.Errorf("behind a tag: %+v", got)
	}
	if got := prose.Statements("It prints:\n\nall is well\n\n- the registry fails, too\n"); got[1].Heading != "" {
		t.Errorf("got %+v", got)
	}
}

// Lists that follow each other are two.
func TestLists_AreToldApartByWhatHeadsThem(t *testing.T) {
	said := prose.Statements("First:\n- a\n- b\n\nThen:\n- c\n\nDone.")
	list, of := prose.Lists(said)
	var entries []int
	for i, s := range said {
		if s.Bullet {
			entries = append(entries, of[i])
			if list[i] == 0 {
				t.Errorf("%q is no entry", s.Text)
			}
		} else if list[i] != 0 {
			t.Errorf("%q is an entry", s.Text)
		}
	}
	if !slices.Equal(entries, []int{2, 2, 1}) {
		t.Errorf("entries of lists of %v", entries)
	}
}
