package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/version"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// A transcript that cannot be opened is mended by its mode; one that can be is for us to
// look at.
func TestParked_IsMendedByWhatIsWrong(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	if got := parkedFix(view.SourceError{Path: path}); !strings.Contains(got, "chmod u+r "+path) {
		t.Errorf("of one that cannot be opened: %q", got)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := parkedFix(view.SourceError{Path: path}); strings.Contains(got, "chmod") || !strings.Contains(got, "carryover import") {
		t.Errorf("of one that can be opened: %q", got)
	}
}

// A daemon of another version is told with what starts this one.
func TestOlderDaemon_IsToldWithBothVersions(t *testing.T) {
	if got := olderDaemon(version.Version); got != nil {
		t.Errorf("of the same version: %+v", got)
	}
	got := olderDaemon("v0.0.1")
	if len(got) != 1 || !strings.Contains(got[0].Message, "v0.0.1") || got[0].Fix != "run `carryover daemon restart`" {
		t.Errorf("%+v", got)
	}
}

// What a daemon does without has a fix that is about it.
func TestDegraded_HasAFixForEachReason(t *testing.T) {
	for reason, want := range map[string]string{
		"not all folders can be watched (no space left on device); they are read once a minute": "max_user_watches",
		"no dashboard and no API: address already in use":                                       "config listen",
		"there is no room to store what agents write; it is tried again every second":           "free space",
	} {
		if got := degradedFix(reason); !strings.Contains(got, want) {
			t.Errorf("%s: %q", reason, got)
		}
	}
}
