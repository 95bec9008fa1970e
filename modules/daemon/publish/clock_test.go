package publish

import (
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/distiller"
)

// Aider writes the second in which a chat began. One that began right after
// the installation is notified of the same second, and is not before it.
func TestAChatOfTheSecondOfTheInstallation(t *testing.T) {
	installed := time.Date(2026, 3, 2, 9, 0, 12, 900_000_000, time.Local)
	began := time.Date(2026, 3, 2, 9, 0, 12, 0, time.UTC) // the clock on the wall, without a zone
	if began.Before(byToolClock(installed, distiller.Facts{Civil: true})) {
		t.Error("the chat is taken to be older than the installation")
	}
	if exact := byToolClock(installed, distiller.Facts{}); !exact.Equal(installed) {
		t.Errorf("a tool that names zones has %s", exact)
	}
}
