package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/tmaxmax/go-sse"

	"github.com/carryover-go/carryover/modules/daemon/api"
)

// maxStep bounds one event of a stream, in bytes: the report of an import
// names files.
const maxStep = 64 << 20

// follow has the daemon do a work that may take minutes, and passes on how far
// it is.
func (c *Client) follow(ctx context.Context, path string, body any, progress api.Progress, into any) error {
	ctx, cancel := c.watched(ctx)
	defer cancel()
	request, err := asking(ctx, http.MethodPost, path, body)
	if err != nil {
		return err
	}
	request.Header.Set("Accept", "text/event-stream")
	response, err := c.http.Do(request)
	if err != nil {
		return stuck(ctx, unreachable(err))
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK { // refused before it began
		return take(response, into)
	}
	for event, err := range sse.Read(response.Body, &sse.ReadConfig{MaxEventSize: maxStep}) {
		switch {
		case err != nil:
			return stuck(ctx, fmt.Errorf("follow the daemon's work: %w", err))
		case event.Type == "progress":
			var step api.Step
			if json.Unmarshal([]byte(event.Data), &step) == nil {
				progress.Tell(step.Done, step.Total, step.At)
			}
		case event.Type == "error":
			return failure("the daemon failed", []byte(event.Data))
		case event.Type == "result":
			return json.Unmarshal([]byte(event.Data), into)
		}
	}
	return errors.New("the daemon stopped before the work was done: run the command again to continue")
}
