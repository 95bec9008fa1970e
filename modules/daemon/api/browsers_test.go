package api

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gin-gonic/gin"
	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/view"
)

// A link lets one browser in, and no second one.
func TestALinkWorksOnce(t *testing.T) {
	browsers := NewBrowsers("carryover_1")
	code, _ := browsers.Link()
	for range 2 {
		if !browsers.Holds(code) {
			t.Fatal("looking at a link uses it up")
		}
	}
	if _, ok := browsers.Enter(code); !ok {
		t.Fatal("the link does not work")
	}
	if _, ok := browsers.Enter(code); ok || browsers.Holds(code) {
		t.Error("it works twice")
	}
	if _, ok := browsers.Enter(""); ok {
		t.Error("no code lets in")
	}
}

func TestALinkEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		browsers := NewBrowsers("carryover_1")
		inTime, ends := browsers.Link()
		tooLate, _ := browsers.Link()
		if left := time.Until(ends); left != time.Minute {
			t.Errorf("it ends in %s", left)
		}
		time.Sleep(59 * time.Second)
		if _, ok := browsers.Enter(inTime); !ok {
			t.Error("it does not work after 59 seconds")
		}
		time.Sleep(time.Second)
		if _, ok := browsers.Enter(tooLate); ok || browsers.Holds(tooLate) {
			t.Error("it works after a minute")
		}
	})
}

func TestAVisitEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		browsers := NewBrowsers("carryover_1")
		code, _ := browsers.Link()
		cookie, _ := browsers.Enter(code)
		if !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode || cookie.MaxAge != 12*60*60 || cookie.Path != "/" {
			t.Errorf("the cookie is %s", cookie)
		}
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.AddCookie(cookie)
		time.Sleep(12*time.Hour - time.Second)
		if _, ok := browsers.Of(r); !ok {
			t.Error("it ends before twelve hours")
		}
		time.Sleep(time.Second)
		if _, ok := browsers.Of(r); ok {
			t.Error("it does not end")
		}
	})
}

// Whoever asks for links does not fill the memory, and the newest ones work.
func TestOnlySoManyLinksAreKept(t *testing.T) {
	browsers := NewBrowsers("carryover_1")
	clock := time.Unix(0, 0)
	browsers.Now = func() time.Time { clock = clock.Add(time.Millisecond); return clock }
	oldest, _ := browsers.Link()
	var code string
	for range maxLinks {
		code, _ = browsers.Link()
	}
	if browsers.Holds(oldest) || !browsers.Holds(code) || len(browsers.links) != maxLinks {
		t.Errorf("%d links are kept", len(browsers.links))
	}
}

// doorway is a server with one browser in it.
type doorway struct {
	*testing.T
	handler http.Handler
	cookie  *http.Cookie
	visit   BrowserSession
	got     string // what the page was asked last, "in" or "out"
}

func newDoorway(t *testing.T) *doorway {
	d := &doorway{T: t}
	s := &Server{Token: "secret", Service: nothing{}, Logger: zap.NewNop(), Browsers: NewBrowsers("carryover_7"), port: "7"}
	s.Page = &Page{Other: func(_ http.ResponseWriter, r *http.Request) {
		d.got = "out"
		if _, in := BrowserSessionOf(r); in {
			d.got = "in"
		}
	}}
	code, _ := s.Browsers.Link()
	d.cookie, _ = s.Browsers.Enter(code)
	d.handler = s.routes()
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.AddCookie(d.cookie)
	d.visit, _ = s.Browsers.Of(r)
	return d
}

// ask sends a request with "Name: value" headers; "cookie" sends the cookie.
func (d *doorway) ask(method, path, body string, headers ...string) *httptest.ResponseRecorder {
	d.got = ""
	r := httptest.NewRequest(method, "http://127.0.0.1:7"+path, strings.NewReader(body))
	for _, header := range headers {
		if header == "cookie" {
			r.AddCookie(d.cookie)
			continue
		}
		name, value, _ := strings.Cut(header, ": ")
		r.Header.Set(name, value)
		if name == "Host" {
			r.Host = value
		}
	}
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, r)
	return w
}

// What a browser that was let in may do, and what others may not.
func TestWhoIsLetIn(t *testing.T) {
	d := newDoorway(t)
	csrf := CSRFHeader + ": " + d.visit.CSRF
	form := "Content-Type: application/x-www-form-urlencoded"
	navigation := []string{"cookie", "Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"}
	for _, c := range []struct {
		name, method, path, body string
		headers                  []string
		status                   int
		page                     string
	}{
		{"a stranger at the page", "GET", "/", "", nil, 200, "out"},
		{"a stranger at the API", "GET", "/api/v1/openapi.json", "", nil, 401, ""},
		{"a stranger at a route there is not", "GET", "/api/v1/none", "", nil, 401, ""},
		{"another cookie", "GET", "/", "", []string{"Cookie: carryover_7=AAAA"}, 200, "out"},
		{"the token of a page as cookie", "GET", "/", "", []string{"Cookie: carryover_7=" + d.visit.CSRF}, 200, "out"},
		{"the cookie", "GET", "/", "", []string{"cookie"}, 200, "in"},
		{"the cookie reads the API", "GET", "/api/v1/openapi.json", "", []string{"cookie"}, 200, ""},
		{"the cookie at a route there is not", "GET", "/api/v1/none", "", []string{"cookie"}, 404, ""},
		{"the cookie alone writes", "POST", "/api/v1/dashboard", "", []string{"cookie"}, 403, ""},
		{"the cookie alone posts a form", "POST", "/x", "a=b", []string{"cookie", form}, 403, ""},
		{"the cookie alone deletes", "DELETE", "/x", "", []string{"cookie"}, 403, ""},
		{"the token in a header", "POST", "/x", "", []string{"cookie", csrf}, 200, "in"},
		{"the token in a form", "POST", "/x", url.Values{CSRFField: {d.visit.CSRF}}.Encode(), []string{"cookie", form}, 200, "in"},
		{"the token in the address", "POST", "/x?csrf=" + d.visit.CSRF, "", []string{"cookie", form}, 403, ""},
		{"a wrong token", "POST", "/x", "csrf=no", []string{"cookie", form}, 403, ""},
		{"a token without the cookie", "POST", "/x", "", []string{csrf}, 200, "out"},
		{"another host", "GET", "/", "", []string{"cookie", "Host: evil.example:7"}, 403, ""},
		{"another port", "GET", "/", "", []string{"cookie", "Host: 127.0.0.1:8"}, 403, ""},
		{"localhost", "GET", "/", "", []string{"cookie", "Host: localhost:7"}, 200, "in"},
		{"another origin", "POST", "/x", "", []string{"cookie", csrf, "Origin: http://evil.example"}, 403, ""},
		{"a null origin", "POST", "/x", "", []string{"cookie", csrf, "Origin: null"}, 403, ""},
		{"our origin", "POST", "/x", "", []string{"cookie", csrf, "Origin: http://127.0.0.1:7"}, 200, "in"},
		{"a page on another port fetches", "GET", "/api/v1/openapi.json", "", []string{"cookie", "Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: no-cors"}, 401, ""},
		{"a page on another port frames", "GET", "/", "", []string{"cookie", "Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"}, 200, "out"},
		{"a link on another port is followed", "GET", "/", "", navigation, 200, "in"},
		{"our page fetches", "GET", "/", "", []string{"cookie", "Sec-Fetch-Site: same-origin", "Sec-Fetch-Mode: cors"}, 200, "in"},
		{"the token of the API", "POST", "/api/v1/none", "", []string{"Authorization: Bearer secret"}, 404, ""},
		{"the login by one who is in already", "POST", "/login/x", "", []string{"cookie"}, 200, "out"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if w := d.ask(c.method, c.path, c.body, c.headers...); w.Code != c.status || d.got != c.page {
				t.Errorf("%d and %q, want %d and %q: %s", w.Code, d.got, c.status, c.page, w.Body)
			}
		})
	}
}

// A daemon that serves no page makes no links to it.
func TestNoPageNoLink(t *testing.T) {
	gin.SetMode(gin.ReleaseMode)
	s := &Server{Home: "", Listen: "127.0.0.1:0", Token: "secret", Service: nothing{}, Logger: zap.NewNop()}
	w := httptest.NewRecorder()
	s.Browsers = NewBrowsers("c")
	r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1:/api/v1/dashboard", nil)
	r.Header.Set("Authorization", "Bearer secret")
	s.routes().ServeHTTP(w, r)
	if w.Code != http.StatusNotFound {
		t.Errorf("without a page: %d %s", w.Code, w.Body)
	}
}

// nothing stands in for a service that nobody asks.
type nothing struct{ view.Service }
