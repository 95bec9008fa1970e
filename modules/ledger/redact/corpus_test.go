package redact

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/ledger/redact/secretcorpus"
)

// floor is the share of the samples that must be found in whole.
const floor = 0.99

func TestText_FindsTheKindsOfTheCorpus(t *testing.T) {
	samples := secretcorpus.All(1)
	all, missed := map[string]int{}, map[string]int{}
	lost := 0
	for _, sample := range samples {
		all[sample.Group]++
		text := Text(sample.Text)
		for _, secret := range sample.Secrets {
			if strings.Contains(text, secret) {
				missed[sample.Group]++
				lost++
				t.Logf("missed %s, %s: %q", sample.Group, sample.Kind, text)
				break
			}
		}
	}
	for group, n := range all {
		t.Logf("%s: %d of %d", group, n-missed[group], n)
	}
	if found := 1 - float64(lost)/float64(len(samples)); found < floor {
		t.Errorf("found %.2f %% of %d samples", 100*found, len(samples))
	}
}
