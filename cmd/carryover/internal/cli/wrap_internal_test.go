package cli

import "testing"

func TestWrapped_GoesOnBelowTheLastColumn(t *testing.T) {
	for name, test := range map[string]struct {
		text  string
		width int
		want  string
	}{
		"short":         {"a b c", 20, "a b c"},
		"plain":         {"one two three four", 10, "one two\n  three\n  four"},
		"columns":       {"daemon    stopped   run this command", 34, "daemon    stopped   run this\n                    command"},
		"bullet":        {"- one two three", 10, "- one two\n  three"},
		"deeper bullet": {"  - one two three", 12, "  - one two\n    three"},
		"a long word":   {"see /a/very/long/path/that/has/no/blank now", 20, "see\n  /a/very/long/path/that/has/no/blank\n  now"},
		"lines":         {"one two three\nfour", 8, "one two\n  three\nfour"},
		"wide letters":  {"日本 日本 日本", 10, "日本 日本\n  日本"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := wrapped(test.text, test.width); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}
