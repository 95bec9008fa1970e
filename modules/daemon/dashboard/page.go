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
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/api"
	"github.com/carryover-go/carryover/modules/daemon/doctor"
	"github.com/carryover-go/carryover/modules/daemon/hookstats"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Sessions are what sessions come to, beyond what the service says of them.
type Sessions interface {
	// SessionNamed finds a session by its id or the beginning of it.
	SessionNamed(ctx context.Context, id string) (ledger.Session, error)
	// Distil is what is known of a session's work.
	Distil(ctx context.Context, session ledger.Session) (distiller.Facts, error)
	// Standing is the session whose handoff stands for those that pass a filter.
	Standing(ctx context.Context, filter ledger.SessionFilter) (ledger.Session, bool, error)
	// Dismissed says whether the user dismissed the session's handoff.
	Dismissed(ctx context.Context, session ledger.Session) (bool, error)
	// GivenOn counts how often each session's handoff began another session.
	GivenOn(ctx context.Context) (map[ledger.SessionKey]int, error)
	// CompactionAt compares a session before one of its compactions with the
	// tool's summary of it.
	CompactionAt(ctx context.Context, session ledger.Session, at transcript.Located) (view.CompactionDiff, error)
	// Percent is how full a context is, 0 when its window is unknown.
	Percent(usage transcript.UsageInfo) int
	// RunsIn are the ids of the projects in which a wrapper runs an agent.
	RunsIn(agent string) []string
}

// Ledger is what a page reads of the ledger.
type Ledger interface {
	Sessions(ctx context.Context, filter ledger.SessionFilter) ([]ledger.Session, error)
	Session(ctx context.Context, key ledger.SessionKey) (ledger.Session, bool, error)
	EventPart(ctx context.Context, session ledger.SessionKey, window ledger.EventWindow) (ledger.EventPart, error)
	Restores(ctx context.Context, session ledger.SessionKey, limit int) ([]ledger.Restore, error)
	Projects(ctx context.Context) ([]ledger.Project, error)
	NamedAgents(ctx context.Context) ([]ledger.NamedAgent, error)
	Coverage(ctx context.Context) ([]ledger.ToolCoverage, error)
	AgentLedger(ctx context.Context, project, agent string) (ledger.AgentLedger, bool, error)
}

// Options are what a page is made of.
type Options struct {
	Service  view.Service
	Sessions Sessions
	Ledger   Ledger
	Edits    Edits
	Tools    []string                                // that sessions can be of
	Examine  func(ctx context.Context) doctor.Report // what `carryover doctor` does
	Hooks    func() hookstats.Counts                 // that came
	Openable []string                                // of those, what `carryover switch` can open
	Browsers *api.Browsers
	Now      func() time.Time
	Logger   *zap.Logger
}

// Page answers everything on the daemon's port that is no route of its API.
type Page struct {
	Options
	views    views
	digests  digests
	health   health
	threaded atomic.Int64 // events that the sessions had when threads of work were made of them
}

// New makes the page of a daemon; what it has checked ends with the context.
func New(ctx context.Context, options Options) *api.Page {
	p := &Page{Options: options, views: parse(options.Now)}
	p.health.examine = func() doctor.Report { return p.examine(ctx) }
	page := &api.Page{Other: p.guarded(p.shown(func(*http.Request) (screen, error) { return screen{}, view.ErrNotFound }))}
	for _, r := range p.routes() {
		r.Handle = p.guarded(r.Handle)
		page.Routes = append(page.Routes, r)
	}
	return page
}

// routes are all pages.
func (p *Page) routes() []api.PageRoute {
	const get, post = http.MethodGet, http.MethodPost
	logins, agents, sessions := loginPages{p}, agentPages{p}, sessionPages{p}
	return []api.PageRoute{
		{Method: get, Path: "/static/{file...}", Handle: static()},
		{Method: get, Path: api.LoginPath + "{name}", Handle: logins.loginPage},
		{Method: post, Path: api.LoginPath + "{name}", Handle: logins.login},
		{Method: get, Path: "/", Handle: p.shown(p.now)},
		{Method: get, Path: "/threads", Handle: p.shown(threadPages{p}.threads)},
		{Method: get, Path: "/search", Handle: p.shown(p.search)},
		{Method: get, Path: "/projects", Handle: p.shown(p.projects)},
		{Method: get, Path: "/projects/{project}", Handle: p.shown(p.project)},
		{Method: get, Path: "/projects/{project}/compare", Handle: p.shown(p.compare)},
		{Method: get, Path: "/sessions", Handle: p.shown(sessions.sessions)},
		{Method: get, Path: "/sessions/{tool}/{session}", Handle: sessions.showSession},
		{Method: get, Path: "/sessions/{tool}/{session}/edits", Handle: p.shown(sessions.edits)},
		{Method: get, Path: "/agents", Handle: p.shown(agents.agents)},
		{Method: get, Path: "/agents/{project}/{agent}", Handle: p.shown(agents.agent)},
		{Method: get, Path: "/checks", Handle: p.shown(healthPages{p}.health)},
		{Method: post, Path: "/checks", Handle: p.done(p.checkAgain)},
		{Method: post, Path: "/projects/{project}/dismiss", Handle: p.done(p.dismiss)},
		{Method: post, Path: "/agents/{project}/{agent}/inject", Handle: agents.inject},
		{Method: post, Path: "/agents/{project}/{agent}/handoff", Handle: p.done(agents.handoff)},
	}
}

// policy is all that a page may do: load what lies here, talk to us, and send
// its forms to us. Nobody may frame it.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
	"img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// guarded lets nobody in who has no visit, but to the login and to what is the
// same for everybody.
func (p *Page) guarded(handle http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		setPolicy(w.Header())
		if _, in := api.BrowserSessionOf(r); !in && !open(r.URL.Path) {
			loginPages{p}.askForLogin(w, r)
			return
		}
		handle(w, r)
	}
}

// setPolicy says what a browser may do with an answer.
func setPolicy(header http.Header) {
	header.Set("Content-Security-Policy", policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	// No other site gets where somebody came from. no-referrer would do
	// that too, but a browser then sends "Origin: null" with our own forms,
	// which is refused.
	header.Set("Referrer-Policy", "same-origin")
	header.Set("Cache-Control", "no-store")
}

// shown answers with a page.
func (p *Page) shown(of func(r *http.Request) (screen, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, err := of(r)
		if err != nil {
			p.failed(w, r, err)
			return
		}
		p.show(w, r, v)
	}
}

// done answers a form: what it asked for is done, and the browser goes on to
// the page that shows it.
func (p *Page) done(of func(r *http.Request) (next string, err error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		next, err := of(r)
		if err != nil {
			p.failed(w, r, err)
			return
		}
		http.Redirect(w, r, next, http.StatusSeeOther)
	}
}

// show writes a page.
func (p *Page) show(w http.ResponseWriter, r *http.Request, v screen) {
	visit, _ := api.BrowserSessionOf(r)
	text, err := p.views.render(v, visit.CSRF)
	if err != nil {
		p.Logger.Error("page not made", zap.String("template", v.template), zap.Error(err))
		http.Error(w, "the page could not be made; see `carryover daemon logs`", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if v.status != 0 {
		w.WriteHeader(v.status)
	}
	_, _ = w.Write(text) // html/template has escaped it
}
