package prose_test

import (
	"reflect"
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
