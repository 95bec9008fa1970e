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

// loginForm is the form of a link's page.
type loginForm struct {
	Action string
	Left   int  // codes that may still be tried
	Wrong  bool // the last one was
}

// loginPage asks for the code of a link, of a browser that is not in already. A
// browser that looks at links before a person does (previews, prefetching) asks
// with GET, and must not use the link up. The form also makes a browser come to
// the next page from ours, wherever the link was followed, so that it sends a
// SameSite=Strict cookie along.
func (p loginPages) loginPage(w http.ResponseWriter, r *http.Request) {
	if _, in := p.Browsers.Of(r); in {
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return
	}
	p.askForCode(w, r, false)
}

// askForCode shows the form, or that the link can no longer be used.
func (p loginPages) askForCode(w http.ResponseWriter, r *http.Request, wrong bool) {
	name := r.PathValue("name")
	form := loginForm{Action: api.LoginPath + name, Left: p.Browsers.Tries(name), Wrong: wrong}
	if form.Left == 0 {
		p.spent(w, r)
		return
	}
	page := screen{template: "login", title: "Come in", bare: true, data: form}
	if wrong {
		page.status = http.StatusUnauthorized
	}
	p.show(w, r, page)
}

// maxLoginForm bounds the form with the code, in bytes.
const maxLoginForm = 1 << 10

// login uses the link up when the code is right.
func (p loginPages) login(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxLoginForm)
	cookie, ok := p.Browsers.Enter(r.PathValue("name"), digits(r.PostFormValue("code")))
	if !ok {
		p.askForCode(w, r, true)
		return
	}
	http.SetCookie(w, cookie)
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// digits are the digits of a text: a code may be typed with spaces.
func digits(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}

func (p loginPages) spent(w http.ResponseWriter, r *http.Request) {
	p.show(w, r, screen{template: "message", title: "Come in", status: http.StatusUnauthorized, bare: true, data: message{
		Heading: "This link is used up", Text: "A link works once, for five minutes and five codes. Make another:", Hint: "carryover dashboard",
	}})
}
