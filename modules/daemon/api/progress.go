package api

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
)

// Progress is told how far a long work is: done of total, and what is at hand.
// It is called by the one who works, so it must be quick. nil tells nobody.
type Progress func(done, total int, at string)

// Tell is calling it, if there is somebody to tell.
func (p Progress) Tell(done, total int, at string) {
	if p != nil {
		p(done, total, at)
	}
}

// Step is an event of the stream of a long work.
type Step struct {
	Done  int    `json:"done"`
	Total int    `json:"total"`
	At    string `json:"at,omitempty"` // the file at hand
}

// stepsEvery bounds how often a stream tells how far it is.
const stepsEvery = 100 * time.Millisecond

// patience bounds how long a reader that stopped reading holds the work up,
// once: from then on nothing is sent.
const patience = 2 * time.Second

// eventStream is the media type of server-sent events.
const eventStream = "text/event-stream"

// long answers a work that may take minutes: as any other, or to those who
// accept a stream with a "progress" event now and then, and a "result" or an
// "error" at the end.
func long(c *gin.Context, of func(ctx context.Context, progress Progress) (any, error)) {
	if !strings.Contains(c.GetHeader("Accept"), eventStream) {
		answer(func(c *gin.Context) (any, error) { return of(finishing(c), nil) })(c)
		return
	}
	beginStream(c)
	door := http.NewResponseController(c.Writer)
	tell := func(event string, data any) {
		_ = door.SetWriteDeadline(time.Now().Add(patience))
		c.SSEvent(event, data)
		c.Writer.Flush()
	}
	var told time.Time
	result, err := of(finishing(c), func(done, total int, at string) {
		if now := time.Now(); now.Sub(told) >= stepsEvery || done == total {
			told = now
			tell("progress", Step{done, total, at})
		}
	})
	if err != nil {
		_, refused := refusalOf(err)
		tell("error", refused)
		return
	}
	tell("result", result)
}

// beginStream sends the head of a stream.
func beginStream(c *gin.Context) {
	c.Header("Content-Type", eventStream)
	c.Header("Cache-Control", "no-store")
	c.Status(http.StatusOK)
	c.Writer.Flush()
}
