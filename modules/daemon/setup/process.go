package setup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/homelock"
	"github.com/carryover-go/carryover/modules/daemon/service"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// How long a daemon has to answer after its start, and to end after a stop.
const (
	startTimeout = 10 * time.Second
	stopTimeout  = 10 * time.Second
	pollEvery    = 20 * time.Millisecond
)

// Start starts the daemon in the background and waits until it answers. It is
// no error when one runs already.
func Start(ctx context.Context, dir home.Dir, program string) (view.Health, error) {
	c := client.New(dir)
	if health, err := c.Health(ctx); err == nil {
		return health, nil
	}
	if misplaced := dir.Misplaced(); len(misplaced) > 0 {
		return view.Health{}, misplaced[0]
	}
	if err := dir.Make("log", "run"); err != nil {
		return view.Health{}, err
	}
	var stderr bytes.Buffer
	cmd := exec.Command(program, "--home", string(dir)) //nolint:noctx // it outlives us
	cmd.Dir = string(dir)
	cmd.Stderr = &limited{&stderr}
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return view.Health{}, fmt.Errorf("start the daemon: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	health, err := answering(ctx, dir, ended)
	if errors.Is(err, errEnded) {
		err = fmt.Errorf("%w: %s", err, bytes.TrimSpace(stderr.Bytes()))
	}
	return health, err
}

// ErrNoAnswer says that a daemon was started and nothing is heard of it.
var ErrNoAnswer = errors.New("the daemon did not answer")

// errEnded says that the daemon did not stay.
var errEnded = errors.New("the daemon exited at once")

// answering waits until the daemon answers, or ended says that it is gone.
func answering(ctx context.Context, dir home.Dir, ended <-chan error) (view.Health, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		select {
		case err := <-ended:
			return view.Health{}, fmt.Errorf("%w (%w)", errEnded, err)
		case <-ctx.Done():
			return view.Health{}, fmt.Errorf("%w within %s", ErrNoAnswer, startTimeout)
		case <-time.After(pollEvery):
			if health, err := client.New(dir).Health(ctx); err == nil {
				return health, nil
			}
		}
	}
}

// StartAtLogin registers the daemon with the user's service manager, which
// starts it now and at every login, and waits until it answers. Where no
// manager runs, or for a home that is not the user's standard one (there is one
// registration per user), the daemon is started plainly and manager is "".
func StartAtLogin(ctx context.Context, dir home.Dir, program string) (health view.Health, manager string, err error) {
	m, err := service.Find(ctx)
	if standard, homeErr := home.Standard(); err != nil || homeErr != nil || dir != standard {
		health, err = Start(ctx, dir, program)
		return health, "", err
	}
	if !m.Registered() { // one that was started plainly gives way
		if err := Stop(ctx, dir); err != nil && !errors.Is(err, client.ErrNotRunning) {
			return view.Health{}, m.Name, err
		}
	}
	if err := m.Register(ctx, service.Unit{Program: program, Home: string(dir)}); err != nil {
		return view.Health{}, m.Name, err
	}
	health, err = answering(ctx, dir, nil)
	return health, m.Name, err
}

// NoLogin takes the daemon out of the service manager and stops it.
func NoLogin(ctx context.Context, dir home.Dir) error {
	m, err := service.Find(ctx)
	if standard, homeErr := home.Standard(); err != nil || homeErr != nil || dir != standard {
		return nil
	}
	return m.Unregister(ctx)
}

// Stop ends the daemon of a home and waits until it is gone.
func Stop(ctx context.Context, dir home.Dir) error {
	health, err := client.New(dir).Health(ctx)
	if err != nil {
		return err
	}
	process, err := os.FindProcess(health.PID)
	if err != nil {
		return fmt.Errorf("find the daemon: %w", err)
	}
	if err := interrupt(process); err != nil {
		return fmt.Errorf("stop the daemon: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, stopTimeout)
	defer cancel()
	for ctx.Err() == nil {
		if !homelock.Held(dir) { // its last act is to release the home
			return nil
		}
		time.Sleep(pollEvery)
	}
	return fmt.Errorf("stop the daemon (pid %d): still running after %s", health.PID, stopTimeout)
}

// limited keeps the first few kilobytes.
type limited struct{ *bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	if room := 4<<10 - l.Len(); room > 0 {
		_, _ = l.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
