package api

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"go.uber.org/zap"
)

// A page's routes stand beside those of the API, and get the parts of their path.
func TestPage_RoutesGetTheirPathValues(t *testing.T) {
	got := ""
	say := func(_ http.ResponseWriter, r *http.Request) { got = r.PathValue("tool") + " " + r.PathValue("session") }
	s := &Server{Token: "secret", Service: nothing{}, Logger: zap.NewNop(), port: "7", Page: &Page{
		Routes: []PageRoute{{Method: http.MethodGet, Path: "/sessions/{tool}/{session}", Handle: say}, {Method: http.MethodGet, Path: "/static/{file...}", Handle: say}},
		Other:  func(http.ResponseWriter, *http.Request) { got = "other" },
	}}
	routes := s.routes()
	for _, c := range []struct{ method, path, want string }{
		{http.MethodGet, "/sessions/codex/a%2Fb", "codex a/b"},
		{http.MethodHead, "/sessions/codex/a", "codex a"},
		{http.MethodPost, "/sessions/codex/a", "other"},
		{http.MethodGet, "/nothing", "other"},
	} {
		got = ""
		routes.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(c.method, "http://127.0.0.1:7"+c.path, nil))
		if got != c.want {
			t.Errorf("%s %s: %q, want %q", c.method, c.path, got, c.want)
		}
	}
}
