package opencode

import "testing"

// A prompt of several words that came from a command line stands in quotes.
func TestPromptsFromACommandLine(t *testing.T) {
	for text, want := range map[string]string{
		`"go on for a moment"`:         `go on for a moment`,
		`"say \"yes\" to it"`:          `say "yes" to it`,
		`"this" is not "that"`:         `"this" is not "that"`,
		`"word"`:                       `"word"`,
		`"`:                            `"`,
		`say "yes"`:                    `say "yes"`,
		"\"two lines\nof one prompt\"": "two lines\nof one prompt",
	} {
		if got := unquoted(text); got != want {
			t.Errorf("%s is taken for %s, want %s", text, got, want)
		}
	}
}
