package display_test

import (
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/display"
)

func TestDuration_LargestUnit(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0s", 12 * time.Second: "12s", 5*time.Minute + 59*time.Second: "5m",
		3*time.Hour + 4*time.Minute: "3h04m", 47 * time.Hour: "47h00m", 9 * 24 * time.Hour: "9d",
	} {
		if got := display.Duration(d); got != want {
			t.Errorf("%s is %q, want %q", d, got, want)
		}
	}
}
