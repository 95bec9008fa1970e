package api

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/carryover-go/carryover/modules/daemon/view"
)

const (
	// progressEvery bounds how often a stream says how far it is.
	progressEvery = 100 * time.Millisecond
	// patience bounds how long a reader that stopped reading holds the work up,
	// once: from then on nothing is sent.
	patience = 2 * time.Second
	// aliveEvery is how often a stream says that it is still there.
	aliveEvery = 15 * time.Second
)

// long is a method of the service that may take minutes. It answers as any
// other, or to those who accept a stream with a "progress" event now and then,
// and a "result" or an "error" at the end.
func long[Q, A any](of func(view.Service, context.Context, Q, view.Progress) (A, error)) endpoint {
	e := answer(func(s view.Service, ctx context.Context, request Q) (A, error) { return of(s, ctx, request, nil) })
	atOnce := e.handle
	e.handle = func(s *Server) gin.HandlerFunc {
		return func(c *gin.Context) {
			if !strings.Contains(c.GetHeader("Accept"), mediaEvents) {
				atOnce(s)(c)
				return
			}
			request, err := bind[Q](c)
			if err != nil {
				fail(c, err)
				return
			}
			events := beginEvents(c)
			result, err := of(s.Service, lasting(c), request, events.progress())
			if err != nil {
				send(events, "error", view.ErrorBody{Error: *view.ErrorOf(err)})
				return
			}
			send(events, "result", result)
		}
	}
	return e
}

// eventStream is a stream of server-sent events.
type eventStream struct {
	c    *gin.Context
	conn *http.ResponseController
}

// beginEvents sends the head of a stream.
func beginEvents(c *gin.Context) eventStream {
	c.Header("Content-Type", mediaEvents)
	c.Header("Cache-Control", "no-store")
	c.Status(http.StatusOK)
	c.Writer.Flush()
	return eventStream{c, http.NewResponseController(c.Writer)}
}

// send writes an event with its data as JSON.
func send[T any](s eventStream, event string, data T) {
	_ = s.conn.SetWriteDeadline(time.Now().Add(patience))
	s.c.SSEvent(event, data)
	s.c.Writer.Flush()
}

// progress sends how far the work is, not too often.
func (s eventStream) progress() view.Progress {
	var last time.Time
	return func(done, total int, current string) {
		if now := time.Now(); now.Sub(last) >= progressEvery || done == total {
			last = now
			send(s, "progress", view.ProgressStep{Done: done, Total: total, At: current})
		}
	}
}

// changes is a stream of server-sent events, "change" with a Change each. A page
// that reads it asks again for what it shows.
func changes() endpoint {
	return endpoint{media: mediaEvents, status: http.StatusOK, handle: func(s *Server) gin.HandlerFunc { return s.changes }}
}

func (s *Server) changes(c *gin.Context) {
	ctx, cancel := s.serving(c)
	defer cancel()
	changes, err := s.Service.Changes(ctx)
	if err != nil {
		fail(c, err)
		return
	}
	beginEvents(c)
	alive := time.NewTicker(aliveEvery)
	defer alive.Stop()
	for {
		select {
		case <-alive.C:
			if _, err := c.Writer.WriteString(": still here\n\n"); err != nil {
				return
			}
		case change, open := <-changes:
			if !open {
				return
			}
			c.SSEvent("change", change)
		}
		c.Writer.Flush()
	}
}

// messages is the stream a wrapper reads: a JSON object a line.
func messages() endpoint {
	return endpoint{
		request: reflect.TypeFor[view.AgentRequest](), response: reflect.TypeFor[view.AgentMessage](), media: mediaLines, status: http.StatusOK,
		handle: func(s *Server) gin.HandlerFunc { return s.messages },
	}
}

func (s *Server) messages(c *gin.Context) {
	ctx, cancel := s.serving(c)
	defer cancel()
	request, err := bind[view.AgentRequest](c)
	if err != nil {
		fail(c, err)
		return
	}
	messages, err := s.Service.Listen(ctx, request)
	if err != nil {
		fail(c, err)
		return
	}
	encoder := beginLines(c)
	for message := range messages {
		if encoder.Encode(message) != nil {
			return
		}
		c.Writer.Flush()
	}
}

// beginLines sends the head of a stream of JSON objects, one a line.
func beginLines(c *gin.Context) *json.Encoder {
	c.Header("Content-Type", mediaLines)
	c.Status(http.StatusOK)
	c.Writer.Flush()
	encoder := json.NewEncoder(c.Writer)
	encoder.SetEscapeHTML(false)
	return encoder
}

// export is a stream of sessions and events, a JSON object a line. What fails
// after its beginning is its last line, of the type "error".
func export() endpoint {
	return endpoint{
		request: reflect.TypeFor[view.ExportRequest](), response: reflect.TypeFor[view.ExportLine](), media: mediaLines, status: http.StatusOK,
		handle: func(s *Server) gin.HandlerFunc { return s.export },
	}
}

func (s *Server) export(c *gin.Context) {
	request, err := bind[view.ExportRequest](c)
	if err != nil {
		fail(c, err)
		return
	}
	var lines *json.Encoder
	_, err = s.Service.Export(c.Request.Context(), request, func(line view.ExportLine) error {
		if lines == nil {
			lines = beginLines(c)
		}
		return lines.Encode(line)
	})
	switch {
	case err != nil && lines == nil:
		fail(c, err)
	case err != nil:
		_ = lines.Encode(view.ExportLine{Type: "error", Error: view.ErrorOf(err)})
	}
}

// serving is the context of a stream: it also ends with the server.
func (s *Server) serving(c *gin.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(c.Request.Context())
	stop := context.AfterFunc(s.running, cancel)
	return ctx, func() { stop(); cancel() }
}
