package client_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/api"
	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/home"
)

// serve answers at the socket of a new home.
func serve(t *testing.T, handler http.HandlerFunc) *client.Client {
	t.Helper()
	folder, err := os.MkdirTemp("", "co") // short: a socket's path is bounded
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	dir := home.Dir(folder)
	if err := os.MkdirAll(filepath.Dir(dir.Socket()), 0o700); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", dir.Socket())
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: handler}
	go func() { _ = server.Serve(socket) }()
	t.Cleanup(func() { _ = server.Close() })
	return client.New(dir)
}

func TestClient_NoDaemonIsOneError(t *testing.T) {
	c := client.New(home.Dir(t.TempDir()))
	if _, err := c.Health(context.Background()); !errors.Is(err, client.ErrNotRunning) {
		t.Errorf("health: %v", err)
	}
	if err := c.Repair(context.Background(), nil, nil); !errors.Is(err, client.ErrNotRunning) {
		t.Errorf("repair: %v", err)
	}
	if _, err := c.Hook(context.Background(), "codex", "Stop", nil); !errors.Is(err, client.ErrNotRunning) {
		t.Errorf("hook: %v", err)
	}
}

func TestClient_RefusalHasCodeAndHint(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"error": {"code": "not_found", "message": "no such session", "hint": "search for it"}}`)
	})
	var refused *client.Refused
	err := c.Dismiss(context.Background(), api.DismissRequest{}, nil)
	if !errors.As(err, &refused) || refused.Code != "not_found" || refused.Hint != "search for it" || err.Error() != "no such session" {
		t.Errorf("%#v", err)
	}
}

func TestClient_ErrorWithoutBodyNamesTheStatus(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	if _, err := c.Status(context.Background()); err == nil || !strings.Contains(err.Error(), "502") {
		t.Errorf("%v", err)
	}
}

func TestClient_StreamEndsInAResult(t *testing.T) {
	answer := ""
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept") != "text/event-stream" {
			t.Errorf("accepts %q", r.Header.Get("Accept"))
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, answer)
	})
	var steps []int
	progress := api.Progress(func(done, _ int, _ string) { steps = append(steps, done) })
	var result struct{ Events int }

	answer = "event: progress\ndata: {\"done\": 3, \"total\": 4}\n\nevent: result\ndata: {\"events\": 12}\n\n"
	if err := c.Import(context.Background(), api.ImportRequest{}, progress, &result); err != nil || result.Events != 12 || len(steps) != 1 || steps[0] != 3 {
		t.Errorf("%v: %+v after %v", err, result, steps)
	}
	answer = "event: error\ndata: {\"error\": {\"code\": \"internal\", \"message\": \"disk full\"}}\n\n"
	if err := c.Import(context.Background(), api.ImportRequest{}, progress, &result); err == nil || err.Error() != "disk full" {
		t.Errorf("an error in the stream: %v", err)
	}
	answer = "event: progress\ndata: {\"done\": 1, \"total\": 4}\n\n"
	if err := c.Import(context.Background(), api.ImportRequest{}, progress, &result); err == nil || !strings.Contains(err.Error(), "stopped before") {
		t.Errorf("a torn stream: %v", err)
	}
}
