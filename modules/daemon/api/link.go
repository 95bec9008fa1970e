package api

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
)

// LinkMade is the answer of POST /api/v1/dashboard.
type LinkMade struct {
	Schema int    `json:"schema"`
	URL    string `json:"url"`     // lets one browser in, once
	Ends   string `json:"expires"` // RFC 3339, UTC
}

// link makes a link to the page.
func (s *Server) link(c *gin.Context) {
	if s.Page == nil {
		refuse(c, http.StatusNotFound, "not_found", "this daemon serves no page", "")
		return
	}
	code, ends := s.Browsers.Link()
	c.JSON(http.StatusOK, LinkMade{
		Schema: 1, URL: "http://" + s.Address() + LoginPath + code,
		Ends: ends.UTC().Format("2006-01-02T15:04:05.000Z07:00"),
	})
}

// LoginPath is where a link to the page points, followed by its code.
const LoginPath = "/login/"

// isAPI says whether a path belongs to the API, so that no browser's page is
// meant.
func isAPI(path string) bool {
	return path == "/health" || strings.HasPrefix(path, "/api/") || strings.HasPrefix(path, "/hook/")
}

// page serves everything that is no route of the API.
func (s *Server) page(c *gin.Context) {
	if s.Page == nil || isAPI(c.Request.URL.Path) {
		refuse(c, http.StatusNotFound, "not_found", "there is no such route", "")
		return
	}
	c.Status(http.StatusOK) // gin has set 404
	s.Page.ServeHTTP(c.Writer, c.Request)
}
