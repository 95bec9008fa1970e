package dashboard

import (
	"net/http"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/api"
)

// open says which paths need no visit.
func open(path string) bool {
	return strings.HasPrefix(path, "/static/") || strings.HasPrefix(path, api.LoginPath)
}

// loginPages let a browser in.
type loginPages struct{ *Page }

// askForLogin says how to come in. A part of a page that asks for news has its whole
// page loaded again, which then says the same.
func (p loginPages) askForLogin(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("HX-Request") != "" {
		w.Header().Set("HX-Refresh", "true")
	}
	p.show(w, r, screen{template: "message", title: "Come in", status: http.StatusUnauthorized, bare: true, data: message{
		Heading: "This is Carryover", Text: "To see your projects here, open a link that lets this browser in:", Hint: "carryover dashboard",
	}})
}

// loginPage is what a link shows a browser first: a form that sends itself. A
// browser that looks at links before a person does (previews, prefetching) asks
// with GET, and must not use the link up. And it comes to the next page from
// ours, wherever the link was followed, so that it sends a SameSite=Strict
// cookie along. What is no browser of today does not say how it comes, and is
// let in at once.
func (p loginPages) loginPage(w http.ResponseWriter, r *http.Request) {
	code := r.PathValue("code")
	if r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "" {
		p.login(w, r)
		return
	}
	if !p.Browsers.Holds(code) {
		p.spent(w, r)
		return
	}
	p.show(w, r, screen{template: "login", title: "Come in", bare: true, data: api.LoginPath + code})
}

// login uses the link up.
func (p loginPages) login(w http.ResponseWriter, r *http.Request) {
	cookie, ok := p.Browsers.Enter(r.PathValue("code"))
	if !ok {
		p.spent(w, r)
		return
	}
	http.SetCookie(w, cookie)
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func (p loginPages) spent(w http.ResponseWriter, r *http.Request) {
	p.show(w, r, screen{template: "message", title: "Come in", status: http.StatusUnauthorized, bare: true, data: message{
		Heading: "This link is used up", Text: "A link works once, for a minute. Make another:", Hint: "carryover dashboard",
	}})
}
