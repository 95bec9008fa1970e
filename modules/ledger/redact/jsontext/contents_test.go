package jsontext_test

import (
	"testing"

	"github.com/carryover-go/carryover/modules/ledger/redact/jsontext"
)

func TestContents_SaysWhatTheStringsSay(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":"b\nc","d":[1,"e\"f\\"]}`: "a\nb\nc\nd\ne\"f\\\n",
		`"\u0041\u00e9\t/\/"`:           "A?\t//\n",
		`"open`:                         "open\n",
		`"\`:                            "\n",
		`"\u00`:                         "\n",
		`no strings`:                    "",
	} {
		if got := jsontext.Contents(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
