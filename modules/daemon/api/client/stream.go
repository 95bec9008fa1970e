package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/tmaxmax/go-sse"

	"github.com/carryover-go/carryover/modules/daemon/view"
)

// open begins a stream. It may go on for as long as the daemon runs.
func open[Q any](ctx context.Context, c *conn, path string, request Q) (io.ReadCloser, error) {
	asked, err := asking(ctx, http.MethodGet, path, request)
	if err != nil {
		return nil, err
	}
	response, err := c.http.Do(asked)
	if err != nil {
		return nil, unreachable(err)
	}
	if response.StatusCode != http.StatusOK {
		defer func() { _ = response.Body.Close() }()
		_, err := take[none](response)
		return nil, err
	}
	return response.Body, nil
}

// Changes says in which sessions something happens, until the context or the
// daemon ends.
func (c *Client) Changes(ctx context.Context) (<-chan view.Change, error) {
	body, err := open(ctx, c.conn, "/api/v1/events", none{})
	if err != nil {
		return nil, err
	}
	changes := make(chan view.Change)
	go func() {
		defer close(changes)
		defer func() { _ = body.Close() }()
		for event, err := range sse.Read(body, nil) {
			var change view.Change
			if err != nil || json.Unmarshal([]byte(event.Data), &change) != nil || !pass(ctx, changes, change) {
				return
			}
		}
	}()
	return changes, nil
}

// pass hands a value on, unless the context ends before it is taken.
func pass[T any](ctx context.Context, to chan<- T, value T) bool {
	select {
	case to <- value:
		return true
	case <-ctx.Done():
		return false
	}
}

// Export hands every session to a writer, newest first, each followed by its
// events.
func (c *Client) Export(ctx context.Context, request view.ExportRequest, write func(view.ExportLine) error) (int, error) {
	body, err := open(ctx, c.conn, "/api/v1/export", request)
	if err != nil {
		return 0, err
	}
	defer func() { _ = body.Close() }()
	sessions := 0
	for decoder := json.NewDecoder(body); ; {
		var line view.ExportLine
		err := decoder.Decode(&line)
		switch {
		case errors.Is(err, io.EOF):
			return sessions, nil
		case err != nil:
			return 0, fmt.Errorf("read the export: %w", err)
		case line.Error != nil:
			return 0, line.Error
		case line.Session != nil:
			sessions++
		}
		if err := write(line); err != nil {
			return 0, fmt.Errorf("export: %w", err)
		}
	}
}
