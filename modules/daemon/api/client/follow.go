package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/tmaxmax/go-sse"

	"github.com/carryover-go/carryover/modules/daemon/view"
)

// maxStep bounds one event of a stream, in bytes: the report of an import
// names files.
const maxStep = 64 << 20

// follow has the daemon do a work that may take minutes, and passes on how far
// it is.
func follow[A, Q any](ctx context.Context, c *conn, path string, request Q, progress view.Progress) (answer A, err error) {
	ctx, cancel := c.watched(ctx)
	defer cancel()
	asked, err := asking(ctx, http.MethodPost, path, request)
	if err != nil {
		return answer, err
	}
	asked.Header.Set("Accept", "text/event-stream")
	response, err := c.http.Do(asked)
	if err != nil {
		return answer, stuck(ctx, unreachable(err))
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK { // refused before it began
		return take[A](response)
	}
	for event, err := range sse.Read(response.Body, &sse.ReadConfig{MaxEventSize: maxStep}) {
		switch {
		case err != nil:
			return answer, stuck(ctx, fmt.Errorf("follow the daemon's work: %w", err))
		case event.Type == "progress":
			var step view.ProgressStep
			if json.Unmarshal([]byte(event.Data), &step) == nil {
				progress.Report(step.Done, step.Total, step.At)
			}
		case event.Type == "error":
			return answer, failure("the daemon failed", []byte(event.Data))
		case event.Type == "result":
			return answer, json.Unmarshal([]byte(event.Data), &answer)
		}
	}
	return answer, errors.New("the daemon stopped before the work was done: run the command again to continue")
}
