// Package client is the one way commands reach a running daemon.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"syscall"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/api"
	"github.com/carryover-go/carryover/modules/daemon/home"
)

// ErrNotRunning says that no daemon answers for this home.
var ErrNotRunning = errors.New("the daemon is not running")

// ErrStuck says that a daemon takes connections and does not answer.
var ErrStuck = errors.New("the daemon does not answer")

// patience is how long a daemon that answers nothing is waited for, also in the
// middle of a long work; longest bounds what is answered in one piece.
const (
	patience = 3 * time.Second
	longest  = time.Minute
)

// Client talks to the daemon of a home over its socket.
type Client struct {
	http *http.Client
	wait time.Duration
}

// New makes a client; nothing is contacted yet.
func New(dir home.Dir) *Client {
	socket := dir.Socket()
	return &Client{wait: patience, http: &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			if err := home.CheckSocketDir(socket); err != nil {
				return nil, err
			}
			return (&net.Dialer{}).DialContext(ctx, "unix", socket)
		},
	}}}
}

// Health asks whether the daemon runs.
func (c *Client) Health(ctx context.Context) (api.Health, error) {
	var health api.Health
	return health, c.do(ctx, http.MethodGet, "/health", nil, &health)
}

// Status is the daemon's own view, as JSON.
func (c *Client) Status(ctx context.Context) (json.RawMessage, error) {
	var status json.RawMessage
	return status, c.do(ctx, http.MethodGet, "/api/v1/status", nil, &status)
}

// Import lets the daemon, which holds the ledger, read history.
func (c *Client) Import(ctx context.Context, request api.ImportRequest, progress api.Progress, into any) error {
	return c.follow(ctx, "/api/v1/import", request, progress, into)
}

// Dismiss lets the daemon, which holds the ledger, remember that a handoff is
// wanted no longer.
func (c *Client) Dismiss(ctx context.Context, request api.DismissRequest, into any) error {
	return c.do(ctx, http.MethodPost, "/api/v1/dismiss", request, into)
}

// Forget lets the daemon, which holds the ledger, forget.
func (c *Client) Forget(ctx context.Context, request api.ForgetRequest, progress api.Progress, into any) error {
	return c.follow(ctx, "/api/v1/forget", request, progress, into)
}

// Repair lets the daemon, which holds the ledger, repair it.
func (c *Client) Repair(ctx context.Context, progress api.Progress, into any) error {
	return c.follow(ctx, "/api/v1/repair", nil, progress, into)
}

// ChangeProject lets the daemon, which holds the ledger, move or merge a
// project.
func (c *Client) ChangeProject(ctx context.Context, request api.ProjectRequest, into any) error {
	return c.do(ctx, http.MethodPost, "/api/v1/projects", request, into)
}

// Dashboard asks for a link to the page that lets one browser in, once.
func (c *Client) Dashboard(ctx context.Context) (api.LinkMade, error) {
	var link api.LinkMade
	return link, c.do(ctx, http.MethodPost, "/api/v1/dashboard", nil, &link)
}

// Hook posts a payload as the hook client does and returns the answer's bytes.
func (c *Client) Hook(ctx context.Context, tool, event string, payload []byte) ([]byte, error) {
	ctx, cancel := c.within(ctx)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost,
		"http://localhost/hook/"+url.PathEscape(tool)+"/"+url.PathEscape(event), bytes.NewReader(payload))
	if err != nil {
		return nil, err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, stuck(ctx, unreachable(err))
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	return answer, stuck(ctx, err)
}

func (c *Client) do(ctx context.Context, method, path string, body, into any) error {
	ctx, cancel := c.within(ctx)
	defer cancel()
	request, err := asking(ctx, method, path, body)
	if err != nil {
		return err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return stuck(ctx, unreachable(err))
	}
	defer func() { _ = response.Body.Close() }()
	return stuck(ctx, take(response, into))
}

// within bounds a question that is answered in one piece.
func (c *Client) within(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := c.watched(ctx)
	ctx, end := context.WithTimeoutCause(ctx, longest, ErrStuck)
	return ctx, func() { end(); cancel() }
}

// watched ends a context when the daemon stops to answer: it is asked whether it
// is well beside the work itself, which may take as long as it needs.
func (c *Client) watched(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(c.wait / 2):
			}
			if c.stopped(ctx) {
				cancel(ErrStuck)
				return
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}

// stopped says that nobody answers the shortest question in time. A daemon that
// is gone ends the work itself.
func (c *Client) stopped(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, c.wait/2)
	defer cancel()
	request, err := asking(ctx, http.MethodGet, "/health", nil)
	if err != nil {
		return false
	}
	response, err := c.http.Do(request)
	if err != nil {
		return errors.Is(err, context.DeadlineExceeded)
	}
	return response.Body.Close() != nil
}

// stuck is ErrStuck for an error that came because the daemon took too long.
func stuck(ctx context.Context, err error) error {
	if err != nil && errors.Is(context.Cause(ctx), ErrStuck) {
		return ErrStuck
	}
	return err
}

// asking is a request with a JSON body, if it has one.
func asking(ctx context.Context, method, path string, body any) (*http.Request, error) {
	var reader io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		reader = bytes.NewReader(data)
	}
	request, err := http.NewRequestWithContext(ctx, method, "http://localhost"+path, reader)
	if err == nil && body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	return request, err
}

// take reads an answer that comes in one piece.
func take(response *http.Response, into any) error {
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return fmt.Errorf("read the daemon's answer: %w", err)
	}
	if response.StatusCode/100 != 2 {
		return failure(fmt.Sprintf("unexpected answer of the daemon: status %d", response.StatusCode), data)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(data, into)
}

// Refused is an answer of the daemon that is no success. Code is that of its
// error (not_found, invalid, internal), Hint what it says to do, if anything.
type Refused struct {
	Code    string
	Message string
	Hint    string
}

func (r *Refused) Error() string { return r.Message }

// unreachable turns the ways in which nobody answers into one error.
func unreachable(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, os.ErrPermission) {
		return ErrNotRunning
	}
	return fmt.Errorf("ask the daemon: %w", err)
}

// failure is the error that an answer tells, or otherwise this one.
func failure(otherwise string, data []byte) error {
	var answer struct {
		Error struct {
			Code    string `json:"code"`
			Message string `json:"message"`
			Hint    string `json:"hint"`
		} `json:"error"`
	}
	if json.Unmarshal(data, &answer) != nil || answer.Error.Message == "" {
		return errors.New(otherwise)
	}
	return &Refused{Code: answer.Error.Code, Message: answer.Error.Message, Hint: answer.Error.Hint}
}
