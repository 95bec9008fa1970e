package client_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/view"
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
	if _, err := c.Repair(context.Background(), view.RepairRequest{}, nil); !errors.Is(err, client.ErrNotRunning) {
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
	var refused *view.Error
	_, err := c.Dismiss(context.Background(), view.DismissRequest{})
	if !errors.As(err, &refused) || !errors.Is(err, view.ErrNotFound) || errors.Is(err, view.ErrInvalid) || refused.Hint != "search for it" || err.Error() != "no such session" {
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
	progress := view.Progress(func(done, _ int, _ string) { steps = append(steps, done) })

	answer = "event: progress\ndata: {\"done\": 3, \"total\": 4}\n\nevent: result\ndata: {\"events\": 12}\n\n"
	if result, err := c.Import(context.Background(), view.ImportRequest{}, progress); err != nil || result.Events != 12 || len(steps) != 1 || steps[0] != 3 {
		t.Errorf("%v: %+v after %v", err, result, steps)
	}
	answer = "event: error\ndata: {\"error\": {\"code\": \"internal\", \"message\": \"disk full\"}}\n\n"
	if _, err := c.Import(context.Background(), view.ImportRequest{}, progress); err == nil || err.Error() != "disk full" {
		t.Errorf("an error in the stream: %v", err)
	}
	answer = "event: progress\ndata: {\"done\": 1, \"total\": 4}\n\n"
	if _, err := c.Import(context.Background(), view.ImportRequest{}, progress); err == nil || !strings.Contains(err.Error(), "stopped before") {
		t.Errorf("a torn stream: %v", err)
	}
}

func TestClient_RequestsStandInTheAddressOrTheBody(t *testing.T) {
	var got []string
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = append(got, strings.TrimSpace(r.Method+" "+r.URL.String()+" "+string(body)))
		_, _ = io.WriteString(w, "{}")
	})
	ctx := context.Background()
	for _, ask := range []func() error{
		func() error { _, err := c.Search(ctx, view.SearchRequest{Query: "a b", Limit: 3}); return err },
		func() error { _, err := c.ShowSession(ctx, view.SessionRequest{Session: "5a/7c", Line: 9}); return err },
		func() error { _, err := c.Dismiss(ctx, view.DismissRequest{Session: "5a"}); return err },
		func() error {
			_, err := c.Inject(ctx, view.InjectRequest{AgentRequest: view.AgentRequest{Agent: "rev", Project: "/p"}, Context: "go on"})
			return err
		},
	} {
		if err := ask(); err != nil {
			t.Error(err)
		}
	}
	want := []string{
		"GET /api/v1/search?limit=3&q=a+b",
		"GET /api/v1/sessions/5a%2F7c?line=9",
		`POST /api/v1/dismiss {"session":"5a"}`,
		`POST /api/v1/continuity/rev/inject?project=%2Fp {"context":"go on"}`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestClient_ExportEndsWithTheErrorOfItsLastLine(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"type":"session","session":{"tool":"codex","session":"a"}}
{"type":"error","error":{"code":"internal","message":"disk full","hint":""}}
`)
	})
	lines := 0
	_, err := c.Export(context.Background(), view.ExportRequest{}, func(view.ExportLine) error { lines++; return nil })
	if lines != 1 || err == nil || err.Error() != "disk full" {
		t.Errorf("%d lines, %v", lines, err)
	}
}

func TestClient_StreamsEndWithTheDaemon(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/events") {
			_, _ = io.WriteString(w, ": still here\n\nevent:change\ndata:{\"tool\":\"codex\",\"session\":\"a\"}\n\n")
			return
		}
		_, _ = io.WriteString(w, "{\"type\":\"CONTINUITY_INJECT\",\"agentName\":\"rev\"}\n")
	})
	changes, err := c.Changes(t.Context())
	if err != nil || (<-changes).Session != "a" {
		t.Errorf("changes: %v", err)
	}
	if _, open := <-changes; open {
		t.Error("the changes do not end")
	}
	messages, err := c.Listen(t.Context(), view.AgentRequest{Agent: "rev"})
	if err != nil || (<-messages).Type != view.MessageInject {
		t.Errorf("messages: %v", err)
	}
	if _, open := <-messages; open {
		t.Error("the messages do not end")
	}
}
