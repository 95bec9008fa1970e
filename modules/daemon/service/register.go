package service

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/google/renameio/v2/maybe"
)

// ErrNone says that no service manager of the user's runs here.
var ErrNone = errors.New("no service manager runs for this user")

// commandTimeout bounds one call of the service manager.
const commandTimeout = 10 * time.Second

// Manager is the user's service manager.
type Manager struct {
	Name string // systemd, launchd, Task Scheduler
	Path string // of the file that registers the daemon
	text func(Unit) string
	on   [][]string // commands that register and start
	off  [][]string // commands that stop and unregister
}

// Find tells which service manager runs for this user; ErrNone when there is
// none, or none that we know.
func Find(ctx context.Context) (Manager, error) {
	user, err := os.UserHomeDir()
	if err != nil {
		return Manager{}, fmt.Errorf("find service manager: %w", err)
	}
	switch runtime.GOOS {
	case "linux":
		if run(ctx, "systemctl", "--user", "show-environment") != nil {
			return Manager{}, ErrNone
		}
		return systemd(user, os.Getenv("XDG_CONFIG_HOME")), nil
	case "darwin":
		return launchd(user, os.Getuid()), nil
	case "windows":
		return taskScheduler(os.Getenv("LOCALAPPDATA"), os.Getenv("USERDOMAIN")+`\`+os.Getenv("USERNAME"))
	}
	return Manager{}, ErrNone
}

func systemd(user, config string) Manager {
	if config == "" {
		config = filepath.Join(user, ".config")
	}
	return Manager{
		Name: "systemd", Path: filepath.Join(config, "systemd", "user", unitName), text: Unit.Systemd,
		on:  [][]string{{"systemctl", "--user", "daemon-reload"}, {"systemctl", "--user", "enable", "--now", unitName}},
		off: [][]string{{"systemctl", "--user", "disable", "--now", unitName}},
	}
}

func launchd(user string, uid int) Manager {
	domain := "gui/" + strconv.Itoa(uid)
	path := filepath.Join(user, "Library", "LaunchAgents", label+".plist")
	return Manager{
		Name: "launchd", Path: path, text: Unit.Launchd,
		on:  [][]string{{"launchctl", "bootstrap", domain, path}},
		off: [][]string{{"launchctl", "bootout", domain + "/" + label}},
	}
}

// taskScheduler has a task of the user's own start the daemon at login: one for a
// single user needs no administrator. The commands are those that Microsoft documents for
// schtasks; none was run on Windows yet (docs/platforms.md).
func taskScheduler(local, user string) (Manager, error) {
	if local == "" || user == `\` {
		return Manager{}, ErrNone
	}
	path := filepath.Join(local, "Carryover", "login-task.xml")
	return Manager{
		Name: "Task Scheduler", Path: path, text: func(u Unit) string { return u.Task(user) },
		on:  [][]string{{"schtasks", "/Create", "/TN", taskName, "/XML", path, "/F"}, {"schtasks", "/Run", "/TN", taskName}},
		off: [][]string{{"schtasks", "/End", "/TN", taskName}, {"schtasks", "/Delete", "/TN", taskName, "/F"}},
	}, nil
}

// Register writes the file and has the manager start the daemon, now and at
// every login. Registering again brings a changed program or home into force.
func (m Manager) Register(ctx context.Context, unit Unit) error {
	text := m.text(unit)
	if old, err := os.ReadFile(m.Path); err == nil && string(old) != text {
		_ = m.each(ctx, m.off) // the old one may not be loaded
	}
	if err := os.MkdirAll(filepath.Dir(m.Path), 0o755); err != nil {
		return fmt.Errorf("register with %s: %w", m.Name, err)
	}
	if err := maybe.WriteFile(m.Path, []byte(text), 0o644); err != nil {
		return fmt.Errorf("register with %s: %w", m.Name, err)
	}
	if err := m.each(ctx, m.on); err != nil {
		return fmt.Errorf("register with %s: %w", m.Name, err)
	}
	return nil
}

// Unregister stops the daemon and removes the file. It is no error when it was
// not registered.
func (m Manager) Unregister(ctx context.Context) error {
	if _, err := os.Stat(m.Path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	stopErr := m.each(ctx, m.off)
	if err := os.Remove(m.Path); err != nil {
		return fmt.Errorf("unregister from %s: %w", m.Name, errors.Join(err, stopErr))
	}
	return nil
}

// Registered says whether the file is there.
func (m Manager) Registered() bool {
	_, err := os.Stat(m.Path)
	return err == nil
}

func (m Manager) each(ctx context.Context, commands [][]string) error {
	for _, command := range commands {
		if err := run(ctx, command[0], command[1:]...); err != nil {
			return err
		}
	}
	return nil
}

func run(ctx context.Context, name string, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, commandTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = time.Second // what it starts may keep its output open
	out, err := cmd.CombinedOutput()
	if err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		return fmt.Errorf("%s %s: %w: %.300s", name, strings.Join(args, " "), err, strings.TrimSpace(string(out)))
	}
	return nil
}
