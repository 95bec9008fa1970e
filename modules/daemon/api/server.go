// Package api is the daemon's loopback API: on a port for the page, curl and
// other programs, and on a unix socket in a private folder for hooks.
package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"time"

	"github.com/gin-gonic/gin"
	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// maxHook bounds a hook's payload, maxJSON any other body, in bytes.
const (
	maxHook = 8 << 20
	maxJSON = 1 << 20
)

// HookAnswer is what a hook gets: 200 with exactly these bytes for stdout, 204
// for nothing to say, 202 for a tool or event that is not known.
type HookAnswer struct {
	Text  string
	Known bool
}

// Daemon is what only a running daemon answers.
type Daemon interface {
	// Hook handles a hook; claimed is the tool whose settings hold it.
	Hook(ctx context.Context, claimed, event string, body []byte, marks []string) (HookAnswer, error)
	// Health says whether the daemon is well; it needs no token.
	Health(ctx context.Context) view.Health
}

// Server is the API on both its doors.
type Server struct {
	Home     home.Dir
	Listen   string // loopback address; port 0 takes a free one
	Token    string
	Service  view.Service
	Daemon   Daemon
	Logger   *zap.Logger
	Page     *Page     // what a browser is shown; nil serves none
	Browsers *Browsers // made by Open

	port    string
	portErr error
	running context.Context // ends with Serve, for answers that go on
	tcp     net.Listener
	socket  net.Listener
}

// Open binds the socket and the port. Hooks and commands need the socket alone, so
// a port that another program has is no error: PortError says so.
func (s *Server) Open() error {
	host, _, err := net.SplitHostPort(s.Listen)
	if err != nil {
		return fmt.Errorf("listen address %q: %w", s.Listen, err)
	}
	if host != "127.0.0.1" && host != "localhost" {
		return fmt.Errorf("listen address %q: only 127.0.0.1 is served", s.Listen)
	}
	if s.socket, err = openSocket(s.Home.Socket()); err != nil {
		return err
	}
	if s.tcp, s.portErr = net.Listen("tcp4", s.Listen); s.portErr == nil {
		_, s.port, _ = net.SplitHostPort(s.tcp.Addr().String())
	}
	s.Browsers = NewBrowsers("carryover_" + s.port)
	return nil
}

// Address is where the port was bound, "" when it was not.
func (s *Server) Address() string {
	if s.tcp == nil {
		return ""
	}
	return s.tcp.Addr().String()
}

// PortError is why the port was not bound; nil when it was.
func (s *Server) PortError() error { return s.portErr }

// openSocket binds the socket in a folder of the user's own. The daemon's lock
// is held, so a socket that is there already is a dead one's.
func openSocket(path string) (net.Listener, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("make socket folder: %w", err)
	}
	if err := home.CheckSocketDir(path); err != nil {
		return nil, err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("remove old socket: %w", err)
	}
	socket, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("open socket: %w", err)
	}
	return socket, os.Chmod(path, 0o600)
}

// Serve answers until the context ends, then lets running requests finish.
func (s *Server) Serve(ctx context.Context) error {
	s.running = ctx
	server := &http.Server{
		Handler: s.routes(), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second,
		IdleTimeout: time.Minute, MaxHeaderBytes: 64 << 10, ConnContext: markSocket,
		ErrorLog: zap.NewStdLog(s.Logger),
	}
	failed := make(chan error, 2)
	for _, listener := range s.listeners() {
		go func() { failed <- server.Serve(listener) }()
	}
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	return server.Shutdown(grace)
}

func (s *Server) listeners() []net.Listener {
	if s.tcp == nil {
		return []net.Listener{s.socket}
	}
	return []net.Listener{s.tcp, s.socket}
}

type socketKey struct{}

func markSocket(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, socketKey{}, conn.LocalAddr().Network() == "unix")
}

func fromSocket(r *http.Request) bool {
	socket, _ := r.Context().Value(socketKey{}).(bool)
	return socket
}

func (s *Server) routes() http.Handler {
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.UseRawPath = true // a part of a path may hold an escaped slash
	router.Use(gin.CustomRecoveryWithWriter(io.Discard, s.panicked), s.guard)
	for _, r := range routes() {
		router.Handle(r.method, ginPath(r.path), r.handle(s))
	}
	s.pageRoutes(router)
	return router
}

func (s *Server) panicked(c *gin.Context, cause any) {
	s.Logger.Error("a request panicked", zap.String("path", c.FullPath()), zap.Any("cause", cause), zap.Stack("stack"))
	refuse(c, http.StatusInternalServerError, view.CodeInternal, "internal error", "run `carryover daemon logs` to see why")
}

// hookRequest is where a hook's payload is posted to.
type hookRequest struct {
	Tool  string `path:"tool" jsonschema:"The tool whose settings hold the hook."`
	Event string `path:"event" jsonschema:"The name of the event, as the tool says it."`
}

// hook takes any Content-Type: curl sends a form's by default. A hook that
// fails is answered 204, for the agent must see nothing of it.
func hook() endpoint {
	return endpoint{
		request: reflect.TypeFor[hookRequest](), media: mediaText, status: http.StatusOK,
		handle: func(s *Server) gin.HandlerFunc { return s.hook },
	}
}

func (s *Server) hook(c *gin.Context) {
	body, err := io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, maxHook))
	if err != nil {
		refuse(c, http.StatusRequestEntityTooLarge, "too_large", "a hook payload has at most 8 MiB", "")
		return
	}
	result, err := s.Daemon.Hook(lasting(c), c.Param("tool"), c.Param("event"), body, c.Request.Header.Values("X-Carryover-Mark"))
	switch {
	case err != nil:
		s.Logger.Warn("hook failed", zap.String("tool", c.Param("tool")), zap.String("event", c.Param("event")), zap.Error(err))
		c.Status(http.StatusNoContent)
	case !result.Known:
		c.Status(http.StatusAccepted)
	case result.Text == "":
		c.Status(http.StatusNoContent)
	default:
		c.Header("Content-Length", fmt.Sprint(len(result.Text)))
		c.Data(http.StatusOK, "text/plain; charset=utf-8", []byte(result.Text))
	}
}

func health() endpoint {
	return endpoint{
		response: reflect.TypeFor[view.Health](), media: mediaJSON, status: http.StatusOK,
		handle: func(s *Server) gin.HandlerFunc {
			return func(c *gin.Context) { c.JSON(http.StatusOK, s.Daemon.Health(c.Request.Context())) }
		},
	}
}
