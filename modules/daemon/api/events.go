package api

import (
	"time"

	"github.com/gin-gonic/gin"
)

// Change says that something happened in a session.
type Change struct {
	Tool    string `json:"tool"`
	Session string `json:"session"`
}

// beat is how often a stream says that it is still there.
const beat = 15 * time.Second

// events is a stream of server-sent events, "change" with a Change each. A page
// that reads it asks again for what it shows.
func (s *Server) events(c *gin.Context) {
	changes, stop := s.Backend.Changes()
	defer stop()
	beginStream(c)
	alive := time.NewTicker(beat)
	defer alive.Stop()
	for {
		select {
		case <-s.stop:
			return
		case <-c.Request.Context().Done():
			return
		case <-alive.C:
			if _, err := c.Writer.WriteString(": still here\n\n"); err != nil {
				return
			}
		case change := <-changes:
			c.SSEvent("change", change)
		}
		c.Writer.Flush()
	}
}
