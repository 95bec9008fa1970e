// Package dashboard is the page a browser is shown: what is wrong, which
// sessions are at work, the handoffs of each project, and everything that was
// ever said, to be searched. It is made on the daemon's side, of html/template
// and what is embedded here; nothing is loaded from elsewhere.
//
// What transcripts say is hostile. It reaches a page through the escaping of
// html/template alone: no text of them is ever a template.HTML, a URL or a
// name of a file.
package dashboard

import (
	"context"
	"net/http"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/api"
	"github.com/carryover-go/carryover/modules/daemon/doctor"
)

// Page answers everything on the daemon's port that is no route of its API.
type Page struct {
	daemon   *daemon.Daemon
	browsers *api.Browsers
	views    views
	digests  digests
	health   health
	routes   *http.ServeMux
}

// New makes the page of a daemon, for daemon.Options.
func New(ctx context.Context, d *daemon.Daemon, browsers *api.Browsers) http.Handler {
	p := &Page{daemon: d, browsers: browsers, views: parse(d.Now), routes: http.NewServeMux()}
	p.health.examine = func() doctor.Report { return p.examine(ctx) }
	p.routes.Handle("GET /static/", static())
	p.routes.HandleFunc("GET "+api.LoginPath+"{code}", p.loginPage)
	p.routes.HandleFunc("POST "+api.LoginPath+"{code}", p.login)
	p.routes.Handle("GET /{$}", p.shown(p.now))
	p.routes.Handle("GET /search", p.shown(p.search))
	p.routes.Handle("GET /projects", p.shown(p.projects))
	p.routes.Handle("GET /projects/{project}", p.shown(p.project))
	p.routes.Handle("GET /sessions", p.shown(p.sessions))
	p.routes.HandleFunc("GET /sessions/{tool}/{session}", p.showSession)
	p.routes.Handle("GET /agents", p.shown(p.agents))
	p.routes.Handle("GET /agents/{project}/{agent}", p.shown(p.agent))
	p.routes.Handle("POST /checks", p.done(p.checkAgain))
	p.routes.Handle("POST /projects/{project}/dismiss", p.done(p.dismiss))
	p.routes.HandleFunc("POST /agents/{project}/{agent}/inject", p.inject)
	p.routes.Handle("/", p.shown(func(*http.Request) (view, error) { return view{}, daemon.ErrNothing }))
	return p
}

// policy is all that a page may do: load what lies here, talk to us, and send
// its forms to us. Nobody may frame it.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
	"img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// ServeHTTP lets nobody in who has no visit, but to the login and to what is
// the same for everybody.
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Security-Policy", policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	// No other site is told where somebody came from. no-referrer would do
	// that too, but a browser then sends "Origin: null" with our own forms,
	// which is refused.
	header.Set("Referrer-Policy", "same-origin")
	header.Set("Cache-Control", "no-store")
	if _, in := api.VisitOf(r); !in && !open(r.URL.Path) {
		p.askIn(w, r)
		return
	}
	p.routes.ServeHTTP(w, r)
}

// shown answers with a page.
func (p *Page) shown(of func(r *http.Request) (view, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v, err := of(r)
		if err != nil {
			p.failed(w, r, err)
			return
		}
		p.show(w, r, v)
	})
}

// done answers a form: what it asked for is done, and the browser goes on to
// the page that shows it.
func (p *Page) done(of func(r *http.Request) (next string, err error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next, err := of(r)
		if err != nil {
			p.failed(w, r, err)
			return
		}
		http.Redirect(w, r, next, http.StatusSeeOther)
	})
}

// show writes a page.
func (p *Page) show(w http.ResponseWriter, r *http.Request, v view) {
	visit, _ := api.VisitOf(r)
	text, err := p.views.render(v, visit.CSRF)
	if err != nil {
		p.daemon.Zap.Error("page not made", zap.String("template", v.template), zap.Error(err))
		http.Error(w, "the page could not be made; see `carryover daemon logs`", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if v.status != 0 {
		w.WriteHeader(v.status)
	}
	_, _ = w.Write(text) //nolint:gosec // html/template has escaped it
}
