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
	"time"

	"github.com/gin-gonic/gin"
	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/home"
)

// maxHook bounds a hook's payload, maxJSON any other body, in bytes.
const (
	maxHook = 8 << 20
	maxJSON = 1 << 20
)

// Answer is what a hook gets: 200 with exactly these bytes for stdout, 204 for
// nothing to say, 202 for a tool or event that is not known.
type Answer struct {
	Text  string
	Known bool
}

// Backend is what the API serves.
type Backend interface {
	// Hook handles a hook; claimed is the tool whose settings hold it.
	Hook(ctx context.Context, claimed, event string, body []byte, marks []string) (Answer, error)
	// Health says whether the daemon is well; it needs no token.
	Health(ctx context.Context) Health
	// Import reads history that is on disk already.
	Import(ctx context.Context, request ImportRequest, progress Progress) (any, error)
	// Status is the whole state, for `carryover status`.
	Status(ctx context.Context) (any, error)
	// Search finds events; Sessions lists sessions; Handoff is the newest of
	// a directory's project.
	Search(ctx context.Context, query SearchRequest) (any, error)
	Sessions(ctx context.Context, directory string, page Page) (any, error)
	Handoff(ctx context.Context, directory string) (any, error)
	// Session is a session with its events, by its id or the beginning of it.
	Session(ctx context.Context, id string) (any, error)
	// Changes says in which sessions something happens, until stop is called.
	Changes() (changes <-chan Change, stop func())
	// Dismiss remembers that a handoff is wanted no longer.
	Dismiss(ctx context.Context, request DismissRequest) (any, error)
	// Forget takes a text or sessions out of everything, for good.
	Forget(ctx context.Context, request ForgetRequest, progress Progress) (any, error)
	// Repair makes the index anew and reads every transcript again.
	Repair(ctx context.Context, progress Progress) (any, error)
	// Projects lists projects; ChangeProject moves or merges one.
	Projects(ctx context.Context, page Page) (any, error)
	ChangeProject(ctx context.Context, request ProjectRequest) (any, error)
}

// Health is the answer of GET /health.
type Health struct {
	Status  string `json:"status"` // ok, or what is wrong
	Version string `json:"version"`
	PID     int    `json:"pid"`
	Uptime  int64  `json:"uptime_seconds"`
}

// ImportRequest narrows an import; empty fields do not.
type ImportRequest struct {
	Tool string `json:"tool"`
	Root string `json:"root"`
}

func (ImportRequest) complete() bool { return true }

// SearchRequest is a search with its filters.
type SearchRequest struct {
	Query   string `form:"q" json:"q"`
	Project string `form:"project" json:"project"`
	Tool    string `form:"tool" json:"tool"`
	Kind    string `form:"kind" json:"kind"`
	Since   string `form:"since" json:"since"` // an age
	Until   string `form:"until" json:"until"` // an age
	Limit   int    `form:"limit" json:"limit"`
}

// DismissRequest names a session, or the directory whose newest one is meant.
type DismissRequest struct {
	Directory string `json:"directory"`
	Session   string `json:"session"`
}

func (r DismissRequest) complete() bool { return r.Directory != "" || r.Session != "" }

// ForgetRequest says what to forget: a text, sessions, all of a project.
type ForgetRequest struct {
	Text     string   `json:"text,omitempty"`
	Sessions []string `json:"sessions,omitempty"` // ids, or their beginnings
	Project  string   `json:"project,omitempty"`  // a directory of it
}

func (r ForgetRequest) complete() bool { return r.Text != "" || len(r.Sessions) > 0 || r.Project != "" }

// ProjectRequest moves the project at a path to another, or merges it into the
// project there.
type ProjectRequest struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Merge bool   `json:"merge,omitempty"`
}

func (r ProjectRequest) complete() bool { return r.From != "" && r.To != "" }

// Server is the API on both its doors.
type Server struct {
	Home    home.Dir
	Listen  string // loopback address; port 0 takes a free one
	Token   string
	Backend Backend
	Agents  Agents
	Log     *zap.Logger
	// Page is what a browser is shown; nil serves none. Requests that carry no
	// visit (VisitOf) come from somebody who was not let in.
	Page     http.Handler
	Browsers *Browsers // made by Open

	port   string
	stop   <-chan struct{} // closed when serving ends, for answers that go on
	tcp    net.Listener
	socket net.Listener
}

// Open binds both doors, so that a port in use is found before anything else
// is started.
func (s *Server) Open() error {
	host, _, err := net.SplitHostPort(s.Listen)
	if err != nil {
		return fmt.Errorf("listen address %q: %w", s.Listen, err)
	}
	if host != "127.0.0.1" && host != "localhost" {
		return fmt.Errorf("listen address %q: only 127.0.0.1 is served", s.Listen)
	}
	if s.tcp, err = net.Listen("tcp4", s.Listen); err != nil {
		return fmt.Errorf("open port: %w", err)
	}
	_, s.port, _ = net.SplitHostPort(s.tcp.Addr().String())
	s.Browsers = NewBrowsers("carryover_" + s.port)
	if s.socket, err = openSocket(s.Home.Socket()); err != nil {
		_ = s.tcp.Close()
		return err
	}
	return nil
}

// Address is where the port was bound.
func (s *Server) Address() string { return s.tcp.Addr().String() }

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
	s.stop = ctx.Done()
	server := &http.Server{
		Handler: s.routes(), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second,
		IdleTimeout: time.Minute, MaxHeaderBytes: 64 << 10, ConnContext: markSocket,
		ErrorLog: zap.NewStdLog(s.Log),
	}
	failed := make(chan error, 2)
	for _, door := range []net.Listener{s.tcp, s.socket} {
		go func() { failed <- server.Serve(door) }()
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
	router.Use(gin.CustomRecoveryWithWriter(io.Discard, s.panicked), s.guard)
	router.GET("/health", func(c *gin.Context) { c.JSON(http.StatusOK, s.Backend.Health(c.Request.Context())) })
	router.POST("/hook/:tool/:event", s.hook)
	v1 := router.Group("/api/v1")
	v1.GET("/status", answer(func(c *gin.Context) (any, error) { return s.Backend.Status(c.Request.Context()) }))
	v1.GET("/search", s.search)
	v1.GET("/sessions", answer(func(c *gin.Context) (any, error) {
		return s.Backend.Sessions(c.Request.Context(), c.Query("directory"), pageOf(c))
	}))
	v1.GET("/sessions/:id", answer(func(c *gin.Context) (any, error) { return s.Backend.Session(c.Request.Context(), c.Param("id")) }))
	v1.GET("/events", s.events)
	v1.POST("/dashboard", s.link)
	v1.GET("/openapi.json", func(c *gin.Context) { c.Data(http.StatusOK, "application/json", OpenAPI) })
	v1.GET("/handoff", answer(func(c *gin.Context) (any, error) { return s.Backend.Handoff(c.Request.Context(), c.Query("directory")) }))
	v1.POST("/import", body("tool and root", func(c *gin.Context, request ImportRequest) {
		long(c, func(ctx context.Context, progress Progress) (any, error) {
			return s.Backend.Import(ctx, request, progress)
		})
	}))
	v1.POST("/dismiss", body("directory or session", short(s.Backend.Dismiss)))
	v1.POST("/forget", body("text, sessions or project", func(c *gin.Context, request ForgetRequest) {
		long(c, func(ctx context.Context, progress Progress) (any, error) {
			return s.Backend.Forget(ctx, request, progress)
		})
	}))
	v1.POST("/repair", func(c *gin.Context) { long(c, s.Backend.Repair) })
	v1.GET("/projects", answer(func(c *gin.Context) (any, error) { return s.Backend.Projects(c.Request.Context(), pageOf(c)) }))
	v1.POST("/projects", body("from and to", short(s.Backend.ChangeProject)))
	s.agentRoutes(v1.Group("/continuity"))
	router.NoRoute(s.page)
	return router
}

func (s *Server) panicked(c *gin.Context, cause any) {
	s.Log.Error("a request panicked", zap.String("path", c.FullPath()), zap.Any("cause", cause), zap.Stack("stack"))
	refuse(c, http.StatusInternalServerError, "internal", "internal error", "run `carryover daemon logs` to see why")
}

// hook takes any Content-Type: curl sends a form's by default. A hook that
// fails is answered 204, for the agent must see nothing of it.
func (s *Server) hook(c *gin.Context) {
	body, err := io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, maxHook))
	if err != nil {
		refuse(c, http.StatusRequestEntityTooLarge, "too_large", "a hook payload has at most 8 MiB", "")
		return
	}
	result, err := s.Backend.Hook(finishing(c), c.Param("tool"), c.Param("event"), body, c.Request.Header.Values("X-Carryover-Mark"))
	switch {
	case err != nil:
		s.Log.Warn("hook failed", zap.String("tool", c.Param("tool")), zap.String("event", c.Param("event")), zap.Error(err))
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

func (s *Server) search(c *gin.Context) {
	var request SearchRequest
	if err := c.ShouldBindQuery(&request); err != nil || request.Query == "" {
		refuse(c, http.StatusBadRequest, "invalid", "a search needs q", "")
		return
	}
	answer(func(*gin.Context) (any, error) { return s.Backend.Search(c.Request.Context(), request) })(c)
}

// body reads a request that must be complete.
func body[T interface{ complete() bool }](needs string, then func(*gin.Context, T)) gin.HandlerFunc {
	return func(c *gin.Context) {
		c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, maxJSON)
		var request T
		if err := c.ShouldBindJSON(&request); err != nil || !request.complete() {
			refuse(c, http.StatusBadRequest, "invalid", "the body is not a JSON object with "+needs, "")
			return
		}
		then(c, request)
	}
}

// short answers a request at once.
func short[T any](of func(context.Context, T) (any, error)) func(*gin.Context, T) {
	return func(c *gin.Context, request T) {
		answer(func(*gin.Context) (any, error) { return of(finishing(c), request) })(c)
	}
}

// finishing is the context of a request that changes something: it is finished
// also when who asked for it goes away. Gin's own is no context to hand on, for
// it is another request's afterwards.
func finishing(c *gin.Context) context.Context {
	return context.WithoutCancel(c.Request.Context())
}

// answer writes a result as JSON, an error with its code.
func answer(of func(c *gin.Context) (any, error)) gin.HandlerFunc {
	return func(c *gin.Context) {
		result, err := of(c)
		if err == nil {
			c.JSON(http.StatusOK, result)
			return
		}
		c.AbortWithStatusJSON(refusalOf(err))
	}
}

// Coded is an error that has its status, and what a program knows it by; hint
// says what to do, if anything.
type Coded interface {
	error
	Code() (status int, code, hint string)
}

// refusalOf is an error as it is told, with its status.
func refusalOf(err error) (status int, refused gin.H) {
	var coded Coded
	if errors.As(err, &coded) {
		status, code, hint := coded.Code()
		return status, refusal(code, err.Error(), hint)
	}
	return http.StatusInternalServerError, refusal("internal", err.Error(), "see `carryover daemon logs`")
}
