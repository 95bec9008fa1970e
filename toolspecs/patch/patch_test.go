package patch_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/toolspecs/patch"
)

func TestParsePatch(t *testing.T) {
	changes := patch.Parse("*** Begin Patch\n*** Add File: a\n+one\n+two\n*** Update File: b\n*** Move to: c\n@@ func f\n ctx\n-old\n+new\n*** Delete File: d\n*** End Patch")
	var got []string
	for _, change := range changes {
		got = append(got, string(change.Meaning)+" "+strings.Join(change.Paths(), ">")+" "+strings.ReplaceAll(change.Before+"|"+change.After, "\n", "/"))
	}
	want := "write a |one/two/; edit b>c ctx/old/|ctx/new/; delete d |"
	if strings.Join(got, "; ") != want {
		t.Errorf("got %s", strings.Join(got, "; "))
	}
}

func FuzzParsePatch(f *testing.F) {
	f.Add("*** Begin Patch\n*** Add File: a\n+one\n*** Update File: b\n*** Move to: c\n@@\n-x\n+y")
	f.Fuzz(func(t *testing.T, text string) {
		for _, change := range patch.Parse(text) {
			if len(change.Before)+len(change.After) > 2*len(text) {
				t.Errorf("%q gives more than it has", text)
			}
		}
	})
}
