package continuity

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// A message stays until it is kept. What is refused for good is put aside and
// reported once, so that it is in nobody's way, and not lost.
func TestTheSpool(t *testing.T) {
	dir := home.Dir(t.TempDir())
	spool := SpoolOf(dir)
	for _, agent := range []string{"kept", "waits", "refused"} {
		if _, err := spool.Put(view.AgentMessage{Type: view.MessageSave, AgentName: agent}); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(dir.Path("spool", "continuity", "00000000000000000001-broken.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	answers := map[string]view.AgentAnswer{
		"kept": {Type: view.Ack}, "waits": {Type: view.Nack, Reason: "the disk is full"}, "refused": {Type: view.Nack, Reason: "no project", Final: true},
	}
	drain := func() string {
		err := spool.Drain(func(m view.AgentMessage) error { return Refusal(answers[m.AgentName]) })
		return errors.Join(err, errors.New("")).Error()
	}
	said := drain()
	for _, want := range []string{"waits.json: not saved yet: the disk is full", "not saved: no project (it is kept in ", "not saved: not a message (it is kept in "} {
		if !strings.Contains(said, want) {
			t.Errorf("said is %q, without %q", said, want)
		}
	}
	if again := drain(); strings.Count(again, "saved") != 1 || !strings.Contains(again, "waits.json") {
		t.Errorf("said again is %q", again)
	}
	if aside, _ := filepath.Glob(dir.Path("spool", "continuity", "refused", "*.json")); len(aside) != 2 {
		t.Errorf("put aside are %q", aside)
	}
}
