package client

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// A daemon that takes connections and never answers ends every command.
func TestClient_DoesNotWaitForAStuckDaemon(t *testing.T) {
	user, err := os.MkdirTemp("", "co")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(user) })
	dir := home.Dir(filepath.Join(user, "h"))
	if err := os.MkdirAll(filepath.Dir(dir.Socket()), 0o700); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("unix", dir.Socket())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	c := New(dir)
	c.wait = 20 * time.Millisecond
	for name, ask := range map[string]func(context.Context) error{
		"health":    func(ctx context.Context) error { _, err := c.Health(ctx); return err },
		"status":    func(ctx context.Context) error { _, err := c.Status(ctx); return err },
		"dashboard": func(ctx context.Context) error { _, err := c.Dashboard(ctx); return err },
		"dismiss":   func(ctx context.Context) error { _, err := c.Dismiss(ctx, view.DismissRequest{}); return err },
		"projects": func(ctx context.Context) error {
			_, err := c.ChangeProject(ctx, view.ProjectChangeRequest{})
			return err
		},
		"import": func(ctx context.Context) error { _, err := c.Import(ctx, view.ImportRequest{}, nil); return err },
		"forget": func(ctx context.Context) error { _, err := c.Forget(ctx, view.ForgetRequest{}, nil); return err },
		"repair": func(ctx context.Context) error { _, err := c.Repair(ctx, view.RepairRequest{}, nil); return err },
		"hook":   func(ctx context.Context) error { _, err := c.Hook(ctx, "codex", "Stop", nil); return err },
	} {
		if err := ask(t.Context()); !errors.Is(err, ErrStuck) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
