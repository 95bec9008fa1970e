package wrap

import (
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/terminal"
	"github.com/carryover-go/carryover/toolspecs"
)

func TestLimitShown_FindsTheTextsOfTheSpecs(t *testing.T) {
	table, failed := toolspecs.Load(nil)
	if len(failed) > 0 {
		t.Fatal(failed)
	}
	w := &Wrapper{Full: table.FullTexts()}
	for text, want := range map[string]bool{
		"│ Context limit reached · /compact or /clear to continue":                    true,
		"Codex ran out of room in the model's context window.":                        true,
		"The input token count (9) exceeds the maximum number of tokens allowed (8).": true,
		"This model's maximum context length is 128000 tokens":                        true,
		"Context low (12% remaining)":                                                 false,
		"the context window of the house":                                             false,
		"":                                                                            false,
	} {
		if got := w.limitShown([]terminal.Row{{Text: "$ make"}, {Text: text}}); got != want {
			t.Errorf("%q is a full context: %v", text, got)
		}
	}
}
