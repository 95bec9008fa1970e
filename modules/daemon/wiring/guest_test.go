//go:build unix

package wiring_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
)

// A hook that the user has put into a group of ours is the user's: it stays when
// we are installed again and when we go.
func TestApply_KeepsTheUsersHookInOurGroup(t *testing.T) {
	const mine = `{"type":"command","command":"mine"}`
	for name, target := range settingsOf(t) {
		if target.Settings.Style == "list" || target.Settings.Style == "hooks-list" || target.Settings.Format == "yaml" {
			continue // there are no groups
		}
		t.Run(name, func(t *testing.T) {
			dir := home.Dir(t.TempDir())
			target.Path = filepath.Join(t.TempDir(), "settings.json")
			write(t, target.Path, plain(target))
			var record wiring.Record
			if _, err := wiring.Apply(dir, &record, target, "1"); err != nil {
				t.Fatal(err)
			}
			wired := read(t, target.Path)
			at := strings.LastIndex(wired, wiring.Program(dir))
			if at < 0 {
				at = strings.LastIndex(wired, program)
			}
			end := at + strings.Index(wired[at:], "}") + 1
			write(t, target.Path, wired[:end]+","+mine+wired[end:])
			target.Hooks[len(target.Hooks)-1].Timeout++ // ours is rewritten
			if _, err := wiring.Apply(dir, &record, target, "2"); err != nil {
				t.Fatal(err)
			}
			if again := read(t, target.Path); !strings.Contains(again, "mine") || !strings.Contains(again, program) {
				t.Fatalf("after another install:\n%s", again)
			}
			if _, err := wiring.Remove(&record, target); err != nil {
				t.Fatal(err)
			}
			left := read(t, target.Path)
			if !strings.Contains(left, "mine") || !strings.Contains(left, foreign) || strings.Contains(left, program) || !json.Valid([]byte(left)) {
				t.Errorf("after the uninstall:\n%s", left)
			}
		})
	}
}

// A tool that writes its settings while we do loses nothing.
func TestApply_LosesNothingOfARacingTool(t *testing.T) {
	target := settingsOf(t)["claude-code 2.1.201 0"]
	for name, one := range settingsOf(t) {
		if strings.HasPrefix(name, "claude-code ") {
			target = one
		}
	}
	dir := home.Dir(t.TempDir())
	target.Path = filepath.Join(t.TempDir(), "settings.json")
	write(t, target.Path, `{"count": 0}`)
	stop, written := make(chan struct{}), make(chan int)
	go func() {
		n := 0
		for {
			select {
			case <-stop:
				written <- n
				return
			case <-time.After(time.Millisecond):
			}
			var all map[string]json.RawMessage
			data, err := os.ReadFile(target.Path)
			if err != nil || json.Unmarshal(data, &all) != nil {
				continue
			}
			n++
			all["count"] = json.RawMessage(jsonNumber(n))
			text, _ := json.Marshal(all)
			beside := target.Path + ".tool"
			if os.WriteFile(beside, text, 0o600) != nil || os.Rename(beside, target.Path) != nil {
				n--
			}
			time.Sleep(time.Millisecond)
		}
	}()
	for range 60 {
		var record wiring.Record
		if _, err := wiring.Apply(dir, &record, target, "1"); err != nil {
			continue // said, and nothing changed
		}
		_, _ = wiring.Remove(&record, target)
	}
	close(stop)
	last := <-written
	var all struct{ Count int }
	if err := json.Unmarshal([]byte(read(t, target.Path)), &all); err != nil || all.Count != last {
		t.Errorf("the tool wrote %d last, the file holds %d (%v)", last, all.Count, err)
	}
}

func jsonNumber(n int) string {
	text, _ := json.Marshal(n)
	return string(text)
}

// A settings file with two names stays one file, and a FIFO is refused at once.
func TestApply_KeepsHardLinksAndRefusesFIFOs(t *testing.T) {
	for name, target := range settingsOf(t) {
		t.Run(name, func(t *testing.T) {
			dir, folder := home.Dir(t.TempDir()), t.TempDir()
			target.Path = filepath.Join(folder, "settings")
			other := filepath.Join(folder, "dotfile")
			write(t, target.Path, plain(target))
			if err := os.Link(target.Path, other); err != nil {
				t.Skip("no hard links here:", err)
			}
			var record wiring.Record
			if _, err := wiring.Apply(dir, &record, target, "1"); err != nil {
				t.Fatal(err)
			}
			if read(t, other) != read(t, target.Path) {
				t.Error("the two names are two files now")
			}
			if _, err := wiring.Remove(&record, target); err != nil || read(t, other) != plain(target) {
				t.Errorf("after the uninstall (%v):\n%s", err, read(t, other))
			}
			target.Path = filepath.Join(folder, "fifo")
			if err := syscall.Mkfifo(target.Path, 0o600); err != nil {
				t.Skip("no FIFOs here:", err)
			}
			if _, err := wiring.Apply(dir, &record, target, "1"); err == nil {
				t.Error("a FIFO was taken for a settings file")
			}
		})
	}
}
