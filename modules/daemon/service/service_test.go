package service_test

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/service"
)

// odd has all that could be taken for something else in either file.
var odd = service.Unit{Program: "/opt/My Tools & 100%/carryoverd", Home: `/home/dev/"$HOME"/.carryover`}

func TestTheUnitFileIsWhatSystemdReads(t *testing.T) {
	text := odd.Systemd()
	if want := `ExecStart="/opt/My Tools & 100%%/carryoverd" --home "/home/dev/\"$$HOME\"/.carryover"`; !strings.Contains(text, want) {
		t.Errorf("the unit lacks %s:\n%s", want, text)
	}
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("SKIPPED: systemd-analyze is not installed (Debian's package systemd); the unit was not verified")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "My Tools", "carryoverd")
	write(t, program, "#!/bin/sh\n", 0o755)
	unit := filepath.Join(dir, "carryover.service")
	write(t, unit, service.Unit{Program: program, Home: dir}.Systemd(), 0o644)
	cmd := exec.Command(analyze, "verify", "--user", unit)
	cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("systemd-analyze verify: %v\n%s", err, out)
	}
}

func TestThePropertyListIsWellFormed(t *testing.T) {
	if all := strings.Join(wordsOf(t, odd.Launchd()), "|"); !strings.Contains(all, odd.Program+"|--home|"+odd.Home) {
		t.Errorf("the list reads %s", all)
	}
}

// What Windows is given names user, program and home as they are.
func TestTask_IsWellFormed(t *testing.T) {
	unit := service.Unit{Program: `C:\Program Files\R&D\carryoverd.exe`, Home: `C:\Users\Ann <x>\.carryover\`}
	words := wordsOf(t, unit.Task(`WORK\Ann <x>`))
	for _, want := range []string{`WORK\Ann <x>`, `"C:\Program Files\R&D\carryoverd.exe"`, `--home "C:\Users\Ann <x>\.carryover"`} {
		if !slices.Contains(words, want) {
			t.Errorf("the task lacks %s: %q", want, words)
		}
	}
}

// wordsOf are the texts between the tags of an XML document.
func wordsOf(t *testing.T, text string) (words []string) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := token.(xml.CharData); ok && strings.TrimSpace(string(text)) != "" {
			words = append(words, string(text))
		}
	}
	return words
}

// A stand-in systemctl records what it is asked.
func TestRegisterAndUnregister(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: systemd is Linux' service manager")
	}
	dir := t.TempDir()
	calls := filepath.Join(dir, "calls")
	write(t, filepath.Join(dir, "systemctl"), "#!/bin/sh\necho \"$@\" >>"+calls+"\n", 0o755)
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CONFIG_HOME", "")
	ctx := context.Background()
	manager, err := service.Find(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time changes nothing
		if err := manager.Register(ctx, odd); err != nil || !manager.Registered() {
			t.Fatalf("registered: %v (%v)", manager.Registered(), err)
		}
	}
	if want := filepath.Join(dir, ".config/systemd/user/carryover.service"); manager.Path != want {
		t.Errorf("registered in %s, want %s", manager.Path, want)
	}
	for range 2 {
		if err := manager.Unregister(ctx); err != nil || manager.Registered() {
			t.Fatalf("still registered: %v (%v)", manager.Registered(), err)
		}
	}
	got, err := os.ReadFile(calls)
	want := "--user show-environment\n" + strings.Repeat("--user daemon-reload\n--user enable --now carryover.service\n", 2) + "--user disable --now carryover.service\n"
	if err != nil || string(got) != want {
		t.Errorf("systemctl was asked (%v)\n%s\nwant\n%s", err, got, want)
	}
}

// Where no manager runs, that is said and nothing is written.
func TestWithoutAManager(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: only Linux is without a manager at times")
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := service.Find(context.Background()); !errors.Is(err, service.ErrNone) {
		t.Errorf("error is %v", err)
	}
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}
