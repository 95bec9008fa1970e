package width_test

import (
	"slices"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller/internal/width"
)

func TestWrap_BreaksBeforeACodeSpan(t *testing.T) {
	for text, want := range map[string][]string{
		"call the writer with `go run ./cmd/till`": {"call the writer with", "`go run ./cmd/till`"},
		"`go run ./cmd/till --all --rows 7` first": {"'go run ./cmd/till --all", "--rows 7' first"},
		"call the writer of the till":              {"call the writer of the", "till"},
	} {
		if got := width.Wrap(text, 26, 3); !slices.Equal(got, want) {
			t.Errorf("%s: %q", text, got)
		}
	}
}
