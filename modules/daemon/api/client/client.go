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
	"reflect"
	"syscall"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/api/wire"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/view"
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
	*conn
	agents
	memory
}

// conn asks the daemon behind a socket.
type conn struct {
	http *http.Client
	wait time.Duration
}

// New makes a client; nothing is contacted yet.
func New(dir home.Dir) *Client {
	socket := dir.Socket()
	c := &conn{wait: patience, http: &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			if err := home.CheckSocketDir(socket); err != nil {
				return nil, err
			}
			return (&net.Dialer{}).DialContext(ctx, "unix", socket)
		},
	}}}
	return &Client{conn: c, agents: agents{c}, memory: memory{c}}
}

// Health asks whether the daemon runs.
func (c *Client) Health(ctx context.Context) (view.Health, error) {
	return ask[view.Health](ctx, c.conn, http.MethodGet, "/health", none{})
}

// Dashboard asks for a link to the page that lets one browser in, once.
func (c *Client) Dashboard(ctx context.Context) (view.LoginLink, error) {
	return ask[view.LoginLink](ctx, c.conn, http.MethodPost, "/api/v1/dashboard", none{})
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

// none is a request that asks nothing.
type none struct{}

// ask has a request answered in one piece.
func ask[A, Q any](ctx context.Context, c *conn, method, path string, request Q) (A, error) {
	var answer A
	ctx, cancel := c.within(ctx)
	defer cancel()
	asked, err := asking(ctx, method, path, request)
	if err != nil {
		return answer, err
	}
	response, err := c.http.Do(asked)
	if err != nil {
		return answer, stuck(ctx, unreachable(err))
	}
	defer func() { _ = response.Body.Close() }()
	answer, err = take[A](response)
	return answer, stuck(ctx, err)
}

// within bounds a question that is answered in one piece.
func (c *conn) within(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := c.watched(ctx)
	ctx, end := context.WithTimeoutCause(ctx, longest, ErrStuck)
	return ctx, func() { end(); cancel() }
}

// watched ends a context when the daemon stops to answer: it is asked whether it
// is well beside the work itself, which may take as long as it needs.
func (c *conn) watched(ctx context.Context) (context.Context, context.CancelFunc) {
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
func (c *conn) stopped(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, c.wait/2)
	defer cancel()
	request, err := asking(ctx, http.MethodGet, "/health", none{})
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

// asking is a request, its fields in the address or the body.
func asking[Q any](ctx context.Context, method, path string, request Q) (*http.Request, error) {
	address := "http://localhost" + wire.Address(path, request)
	if method != http.MethodPost || !wire.HasBody(reflect.TypeFor[Q]()) {
		return http.NewRequestWithContext(ctx, method, address, nil)
	}
	data, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	asked, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(data))
	if err == nil {
		asked.Header.Set("Content-Type", "application/json")
	}
	return asked, err
}

// take reads an answer that comes in one piece.
func take[A any](response *http.Response) (answer A, err error) {
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return answer, fmt.Errorf("read the daemon's answer: %w", err)
	}
	if response.StatusCode/100 != 2 {
		return answer, failure(fmt.Sprintf("unexpected answer of the daemon: status %d", response.StatusCode), data)
	}
	return answer, json.Unmarshal(data, &answer)
}

// unreachable turns the ways in which nobody answers into one error.
func unreachable(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, os.ErrPermission) {
		return ErrNotRunning
	}
	return fmt.Errorf("ask the daemon: %w", err)
}

// failure is the error in an answer, or otherwise this one.
func failure(otherwise string, data []byte) error {
	var body view.ErrorBody
	if json.Unmarshal(data, &body) != nil || body.Error.Message == "" {
		return errors.New(otherwise)
	}
	return &body.Error
}
