package homelock_test

import (
	"errors"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/homelock"
)

func TestAcquire_LetsOneDaemonIn(t *testing.T) {
	dir := home.Dir(t.TempDir())
	if err := dir.Make("run"); err != nil {
		t.Fatal(err)
	}
	if homelock.Held(dir) {
		t.Error("held before anybody has it")
	}
	release, err := homelock.Acquire(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := homelock.Acquire(dir); !errors.Is(err, homelock.ErrRunning) || !homelock.Held(dir) {
		t.Errorf("a second one: %v", err)
	}
	release()
	if homelock.Held(dir) {
		t.Error("held after its release")
	}
}
