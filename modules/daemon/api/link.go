package api

import (
	"net/http"
	"reflect"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/carryover-go/carryover/modules/daemon/view"
)

// loginLink makes a link to the page.
func loginLink() endpoint {
	return endpoint{
		response: reflect.TypeFor[view.LoginLink](), media: mediaJSON, status: http.StatusOK,
		handle: func(s *Server) gin.HandlerFunc { return s.link },
	}
}

func (s *Server) link(c *gin.Context) {
	if s.Page == nil {
		refuse(c, http.StatusNotFound, "not_found", "this daemon serves no page", "")
		return
	}
	code, ends := s.Browsers.Link()
	c.JSON(http.StatusOK, view.LoginLink{
		Schema: 1, URL: "http://" + s.Address() + LoginPath + code,
		Expires: view.Timestamp(ends),
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
