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
	if s.portErr != nil {
		refuse(c, http.StatusServiceUnavailable, view.CodeNoPort, "the daemon has no port for a browser: "+s.portErr.Error(),
			"end the program that has the port, or run `carryover config listen 127.0.0.1:PORT`; then `carryover daemon restart`")
		return
	}
	login, err := s.Browsers.Invite()
	if err != nil {
		refuse(c, http.StatusInternalServerError, view.CodeInternal, err.Error(), "")
		return
	}
	c.JSON(http.StatusOK, view.LoginLink{
		Schema: 1, URL: "http://" + s.Address() + LoginPath + login.Name, Code: login.Code,
		Expires: view.Timestamp(login.Ends),
	})
}

// LoginPath is where a link to the page points, followed by its name.
const LoginPath = "/login/"

// isAPI says whether a path belongs to the API, so that no browser's page is
// meant.
func isAPI(path string) bool {
	return path == "/health" || strings.HasPrefix(path, "/api/") || strings.HasPrefix(path, "/hook/")
}

// Page is what a browser is shown. Requests that carry no session (BrowserSessionOf) come
// from somebody who was not let in.
type Page struct {
	Routes []PageRoute
	Other  http.HandlerFunc // answers what is no route
}

// PageRoute is a path of the page; {name} stands for a part of it, which is the
// PathValue of the request, and {name...} for the rest.
type PageRoute struct {
	Method, Path string
	Handle       http.HandlerFunc
}

// pageRoutes adds the page to the routes of the API.
func (s *Server) pageRoutes(router *gin.Engine) {
	router.NoRoute(s.other)
	if s.Page == nil {
		return
	}
	for _, r := range s.Page.Routes {
		handle := func(c *gin.Context) {
			for _, part := range c.Params {
				c.Request.SetPathValue(part.Key, part.Value)
			}
			r.Handle(c.Writer, c.Request)
		}
		router.Handle(r.Method, ginPath(r.Path), handle)
		if r.Method == http.MethodGet {
			router.HEAD(ginPath(r.Path), handle)
		}
	}
}

// ginPath is a path as gin reads it.
func ginPath(path string) string {
	if start, rest, found := strings.Cut(path, "{"); found && strings.HasSuffix(rest, "...}") {
		return start + "*" + strings.TrimSuffix(rest, "...}")
	}
	return strings.NewReplacer("{", ":", "}", "").Replace(path)
}

// other answers what is no route.
func (s *Server) other(c *gin.Context) {
	if s.Page == nil || isAPI(c.Request.URL.Path) {
		refuse(c, http.StatusNotFound, view.CodeNotFound, "there is no such route", "")
		return
	}
	c.Status(http.StatusOK) // gin has set 404
	s.Page.Other(c.Writer, c.Request)
}
