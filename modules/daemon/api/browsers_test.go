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

// invite makes a link and its code.
func invite(t *testing.T, browsers *Browsers) Login {
	t.Helper()
	login, err := browsers.Invite()
	if err != nil || len(login.Code) != 6 {
		t.Fatalf("%q, %v", login.Code, err)
	}
	return login
}

// otherCode is a code that is not the one of a link.
func otherCode(login Login) string {
	if login.Code == "000000" {
		return "000001"
	}
	return "000000"
}

// A link lets one browser in, and no second one.
func TestLogin_WorksOnce(t *testing.T) {
	browsers := NewBrowsers("carryover_1")
	login := invite(t, browsers)
	for range 2 {
		if browsers.Tries(login.Name) != maxTries {
			t.Fatal("looking at a link uses it up")
		}
	}
	if _, ok := browsers.Enter(login.Name, login.Code); !ok {
		t.Fatal("the link does not work")
	}
	if _, ok := browsers.Enter(login.Name, login.Code); ok || browsers.Tries(login.Name) != 0 {
		t.Error("it works twice")
	}
	if _, ok := browsers.Enter("", ""); ok {
		t.Error("no link lets in")
	}
}

// Who knows the link and not the code does not come in, and cannot guess it.
func TestLogin_NeedsItsCode(t *testing.T) {
	browsers := NewBrowsers("carryover_1")
	login, other := invite(t, browsers), invite(t, browsers)
	for try, code := range []string{"", otherCode(login), login.Name, " " + login.Code, otherCode(login)} {
		if _, ok := browsers.Enter(login.Name, code); ok || browsers.Tries(login.Name) != maxTries-1-try {
			t.Fatalf("%q lets in, or counts for none: %d left", code, browsers.Tries(login.Name))
		}
	}
	if _, ok := browsers.Enter(login.Name, login.Code); ok {
		t.Error("the code works after five wrong ones")
	}
	if _, ok := browsers.Enter(other.Name, other.Code); !ok {
		t.Error("another link went with it")
	}
}

func TestLogin_Ends(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		browsers := NewBrowsers("carryover_1")
		inTime, tooLate := invite(t, browsers), invite(t, browsers)
		if left := time.Until(inTime.Ends); left != 5*time.Minute {
			t.Errorf("it ends in %s", left)
		}
		time.Sleep(5*time.Minute - time.Second)
		if _, ok := browsers.Enter(inTime.Name, inTime.Code); !ok {
			t.Error("it does not work after 299 seconds")
		}
		time.Sleep(time.Second)
		if _, ok := browsers.Enter(tooLate.Name, tooLate.Code); ok || browsers.Tries(tooLate.Name) != 0 {
			t.Error("it works after five minutes")
		}
	})
}

func TestAVisitEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		browsers := NewBrowsers("carryover_1")
		login := invite(t, browsers)
		cookie, _ := browsers.Enter(login.Name, login.Code)
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
	oldest := invite(t, browsers)
	var login Login
	for range maxLinks {
		login = invite(t, browsers)
	}
	if browsers.Tries(oldest.Name) != 0 || browsers.Tries(login.Name) == 0 || len(browsers.links) != maxLinks {
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
	login := invite(t, s.Browsers)
	d.cookie, _ = s.Browsers.Enter(login.Name, login.Code)
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
