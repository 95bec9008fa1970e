package timeline

import (
	"testing"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// What a hook or git told stands in no line of a transcript, and is linked to all the same.
func TestEvent_HasALinkWithAWord(t *testing.T) {
	for name, at := range map[string]struct {
		ref  transcript.Ref
		want string
	}{
		"a line":    {transcript.Ref{Line: 12, Offset: 900}, "12"},
		"an offset": {transcript.Ref{Offset: 900}, "900"},
		"neither":   {transcript.Ref{}, "e4"},
	} {
		if got := eventOf(ledger.IndexedEvent{Index: 4, Located: transcript.Located{Ref: at.ref}}).Ref; got != at.want {
			t.Errorf("an event with %s is linked as %q, not %q", name, got, at.want)
		}
	}
}
