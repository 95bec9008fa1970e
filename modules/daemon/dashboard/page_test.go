package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

const one = "11111111-0000-4000-8000-000000000001"

// Nobody sees anything without a link, and the page says how to get one.
func TestAStrangerIsToldHowToComeIn(t *testing.T) {
	w := newWorld(t)
	for _, path := range []string{"/", "/search?q=x", "/projects", "/none"} {
		got := w.get(path)
		if got.status != http.StatusUnauthorized || !strings.Contains(got.text, "carryover dashboard") {
			t.Errorf("%s: %d\n%s", path, got.status, got.text)
		}
	}
	request, err := http.NewRequest(http.MethodGet, w.base+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("HX-Request", "true")
	response, err := w.browser.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.Header.Get("HX-Refresh") != "true" {
		t.Error("a part of a page does not have the whole loaded again")
	}
}

// Looking at a link does not use it up; its code does, and leads to a page that
// the cookie opens. A browser that is in is asked for no code.
func TestLogin_LetsIn(t *testing.T) {
	w := newWorld(t)
	link, code := w.link()
	for range 2 {
		w.wants(w.get(link), `method="post"`, `name="code"`, "/static/login.js")
	}
	for name, form := range map[string]url.Values{"no code": nil, "another code": {"code": {code.Get("code")[1:] + "x"}}, "in the name": {"name": code["code"]}} {
		if got := w.post(link, form); got.status != http.StatusUnauthorized || !strings.Contains(got.text, "not the code") {
			t.Errorf("%s: %d\n%s", name, got.status, got.text)
		}
	}
	if got := w.get(link + "?code=" + code.Get("code")); got.at == "/" {
		t.Error("a code in the address lets in")
	}
	digits := code.Get("code")
	w.wants(w.post(link, url.Values{"code": {digits[:3] + " " + digits[3:]}}), `id="now"`)
	w.wants(w.get("/"), `id="now"`)
	w.wants(w.get(link), `id="now"`)
	w.forgetsCookies()
	if got := w.get(link); got.status != http.StatusUnauthorized || !strings.Contains(got.text, "used up") {
		t.Errorf("the link again: %d\n%s", got.status, got.text)
	}
	if got := w.post(link, code); got.status != http.StatusUnauthorized {
		t.Errorf("the link posted again: %d", got.status)
	}
}

// What a page may load is what lies beside it, and no page is kept.
func TestPagesAreStrict(t *testing.T) {
	w := newWorld(t)
	link, _ := w.link()
	for _, path := range []string{"/", link, "/static/page.js", "/none"} {
		got := w.get(path)
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
			"X-Content-Type-Options":  "nosniff", "Referrer-Policy": "same-origin", "Cache-Control": "no-store",
		} {
			if got.header.Get(name) != want {
				t.Errorf("%s: %s is %q", path, name, got.header.Get(name))
			}
		}
	}
	if got := w.get("/static/"); got.status != http.StatusNotFound {
		t.Errorf("the folder is listed: %d", got.status)
	}
}

// A form without the page's token changes nothing.
func TestAFormNeedsItsToken(t *testing.T) {
	w := newWorld(t)
	w.comesIn()
	if got := w.post("/checks", nil); got.status != http.StatusForbidden {
		t.Errorf("without: %d", got.status)
	}
	w.eventually("the first check", func() bool { return strings.Contains(w.get("/").text, "Check again") })
	w.wants(w.post("/checks", url.Values{"csrf": {w.csrf(w.get("/"))}}), `id="coverage"`)
}

// The first page says what is wrong, what is at work, and where things stand.
func TestNow(t *testing.T) {
	w := newWorld(t)
	w.works(one, time.Now().UTC().Truncate(time.Second).Add(-time.Minute),
		says("Teach the parser to read dates."), runs("t1", "go test ./..."), fails("t1", "Exit code 1\nFAIL: TestDates"),
		record{kind: "assistant", content: []any{map[string]any{"type": "text", "text": "It fails."}}, usage: 150_000})
	w.comesIn()
	w.wants(w.get("/"), "tally", "Teach the parser to read dates.", "11111111", "claude-code", "At work", "150 k tokens",
		"Open", "carryover switch claude-code --exec --project "+w.project, "1 session in the last 28 days")
	w.eventually("the health to be known", func() bool { return strings.Contains(w.get("/").text, "Check again") })
}

// A search tells its place, its count and how long it took; a word that is
// spelt wrong is set right.
func TestSearch(t *testing.T) {
	w := newWorld(t)
	w.works(one, first, says("Teach the parser to read dates."), runs("t1", "go test ./..."))
	w.comesIn()
	w.wants(w.get("/search?q=parser"), "the <mark>parser</mark> to read", "1 hit", " ms", "/sessions/claude-code/"+one+"?line=1")
	w.wants(w.get("/search?q=parser&kind=reply"), "Nothing was found")
	w.wants(w.get("/search?q=parser&since=1d"), "Nothing was found")
	w.wants(w.get("/search?q=praser"), `Did you mean <a href="/search?q=parser">parser</a>`)
	w.wants(w.get("/search"), "Everything that was ever said")
	if got := w.get("/search?q=x&since=yesterday"); got.status != http.StatusBadRequest {
		t.Errorf("an age that is none: %d", got.status)
	}
}
