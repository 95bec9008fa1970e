package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/carryover-go/carryover/integration/runner"
)

// A person opens the link, looks at a project, finds something as they type,
// sees a session go on, dismisses a handoff and talks to an agent.
func TestThePersonAtTheDashboard(t *testing.T) {
	h, p := newHome(t), newTab(t)
	at := h.wrap("mailer")
	at.Shows("\n>")

	address, code := link(h.Home)
	p.does(chromedp.Navigate(address), chromedp.SendKeys("#login input", code, chromedp.ByQuery)) // no click: the last digit sends it
	p.shows("#now .cards", "proj")
	p.does(chromedp.Navigate(address)) // a browser that is in is asked for no code
	p.shows("#now .cards", "proj")
	p.shows("#now .cards", "Teach the parser")
	p.shows("#health-part", "Check again")
	p.shows("#pulse", "live")
	p.looks("now")
	presses(p)
	keeps(h, p)
	finds(p)
	sees(h, p)
	dismisses(p)
	compares(p, at)
	talks(p, at)
	filters(p)
	checks(h, p)
}

// checks looks at what works and what does not.
func checks(h *home, p *tab) {
	for _, event := range []string{"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUse", "Stop"} {
		h.fires("claude-code", event)
	}
	for !strings.Contains(p.text(), "5 hooks") { // they are counted after they are answered
		p.clicks(`nav a[href="/checks"]`)
		p.shows("#coverage", "")
	}
	p.shows("#health-part", "Check again")
	p.looks("health")
}

// presses goes through a list by keys, and looks at the list of keys.
func presses(p *tab) {
	p.does(chromedp.KeyEvent("j"))
	p.eventually("the first entry to have the focus", `document.querySelector("#now .cards > li").classList.contains("current") && document.activeElement.matches("#now .cards > li a")`)
	p.does(chromedp.KeyEvent("j"), chromedp.KeyEvent("k"))
	p.eventually("to be back at the first", `document.querySelector("#now .cards > li").classList.contains("current")`)
	p.does(chromedp.KeyEvent("?"))
	p.eventually("the keys to be listed", `document.querySelector("#keys").open`)
	p.does(chromedp.KeyEvent(kb.Escape))
	p.eventually("the list to be closed", `!document.querySelector("#keys").open`)
	p.eventually("every link, button and field to have a name", `[...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea")].every(
		(e) => (e.getAttribute("aria-label") || e.labels?.[0]?.textContent || e.textContent).trim() !== "")`)
	p.eventually("one main landmark and one first heading", `document.querySelectorAll("main").length === 1 && document.querySelectorAll("h1").length === 1`)
}

// keeps looks at a page that is updated: what was opened stays open, and the
// focus where it was.
func keeps(h *home, p *tab) {
	// What is worth knowing of the machine's agents stands there only where there are any.
	p.does(chromedp.Evaluate(`document.querySelector(".beside summary")?.click(); document.querySelector("#now").old = true`, nil),
		chromedp.Focus("#now .cards h3 a", chromedp.ByQuery))
	h.says(voting, "assistant", `[{"type":"text","text":"Two votes."}]`)
	p.eventually("the page to be updated", `!document.querySelector("#now").old && [...document.querySelectorAll(".beside details")].every((e) => e.open)`)
	p.eventually("the focus to stay", `document.activeElement.matches("#now a")`)
}

// finds searches as one types, takes the right spelling, and follows a hit.
func finds(p *tab) {
	p.does(slash)
	p.eventually("the search field to have the focus", `document.activeElement.matches("[data-find]")`)
	p.does(chromedp.Evaluate(`document.activeElement.blur()`, nil), chromedp.KeyEvent("k", chromedp.KeyModifiers(input.ModifierCtrl)))
	p.eventually("Ctrl-K to lead there too", `document.activeElement.matches("[data-find]")`)
	p.does(chromedp.KeyEvent("TestDates" + kb.Enter))
	p.shows("#found", "1 hit")
	p.shows("#pulse", "live") // its scripts run
	p.does(chromedp.Evaluate(`window.stayed = true`, nil))
	p.types(".search [data-find]", "dates")
	p.shows("#found mark", "dates")
	p.eventually("the address to follow, on the same page", `window.stayed && new URLSearchParams(location.search).get("q") === "dates"`)
	p.looks("search")
	p.types(".search [data-find]", "praser")
	p.shows("#found", "Did you mean parser?")
	p.clicks("#found p a")
	p.shows("#found mark", "parser")
	p.clicks("#found .hits a")
	p.shows(".event.found", "Teach the parser to read dates. <script>alert(1)</script>")
}

// sees looks at a session that goes on.
func sees(h *home, p *tab) {
	p.shows("#state .handoff", "FAIL: TestDates")
	p.shows(".edit .diff ins", `zone := "UTC"`) // they come after the page
	p.shows(".markdown li strong", "zone")
	p.eventually("the link to the edits to be gone", `!document.querySelector("li.edits") && document.title.includes("Teach")`)
	p.does(chromedp.Evaluate(`window.stayed = true`, nil))
	h.says(parsing, "assistant", `[{"type":"text","text":"The zone was missing: it reads dates now."}]`)
	p.shows("#events .event", "The zone was missing: it reads dates now.")
	h.says(parsing, "user", `"Now read the times, too."`)
	p.shows("#state .handoff", "Now read the times, too.")
	p.eventually("each event to stand there once, on the same page",
		`window.stayed && new Set([...document.querySelectorAll("#events li[id]")].map((e) => e.id)).size === document.querySelectorAll("#events li[id]").length`)
	p.looks("session")
}

// dismisses has a handoff given to nobody.
func dismisses(p *tab) {
	p.clicks(`.head a[href^="/projects/"]`)
	p.shows("#project .handoff", "Now read the times, too.")
	p.looks("project")
	p.clicks(`form[action$="/dismiss"] button`)
	p.shows("#project .note", "Dismissed")
	p.shows("#project table", "dismissed by the user")
}

// compares looks at two handoffs of a project, and types one into a running agent.
func compares(p *tab, at *runner.Terminal) {
	p.shows("#failures", "")
	p.shows(".ladders .open", "go test ./parser")
	p.clicks(`form[action$="/compare"] button`)
	p.shows(".compared ins", "Teach the parser")
	p.looks("compare")
	p.clicks("h1 a")
	p.clicks(`#project form[action$="/mailer/inject"] button`)
	p.shows("#said", "It was handed to mailer")
	at.Shows("Now read the times, too.")
}

// filters narrows a list, and comes back from a page that there is not.
func filters(p *tab) {
	p.clicks(`nav a[href="/sessions"]`)
	p.types(`.filters input[name="q"]`, "votes"+kb.Enter)
	p.eventually("the one session", `document.querySelectorAll("main .rows > li").length === 1 && location.search.includes("q=votes")`)
	p.looks("sessions")
	p.types(`.filters input[name="q"]`, "nothing of that kind"+kb.Enter)
	p.shows("main", "No session is so")
	p.clicks(`.filters a[href="/sessions"]`)
	p.eventually("all of them", `document.querySelectorAll("main .rows > li").length > 1`)
	p.does(chromedp.Evaluate(`location.pathname = "/none"`, nil))
	p.shows(".message", "Nothing is here")
	p.looks("none")
	p.isForgiven() // a browser complains of every page that there is not
	p.clicks(".message a")
	p.shows("#now", "")
}

// talks has a text typed into a running agent.
func talks(p *tab, at *runner.Terminal) {
	p.clicks(`nav a[href="/agents"]`)
	p.shows("#agents", "running")
	p.clicks("#agents .rows a")
	p.shows("main", "parse the archive")
	p.types("#context", "look at the seventh part")
	p.clicks(".inject button")
	p.shows("#said", "It was handed to mailer")
	at.Shows("look at the seventh part")
	p.looks("agent")
}

// slash is the key as a keyboard sends it: what the page does with it decides
// whether it is typed.
var slash = input.DispatchKeyEvent(input.KeyDown).WithKey("/").WithText("/")

// Without scripts nothing is updated by itself; all else works.
func TestWithoutScripts(t *testing.T) {
	h, p := newHome(t), newTab(t)
	address, code := link(h.Home)
	p.does(emulation.SetScriptExecutionDisabled(true), chromedp.Navigate(address), chromedp.SendKeys("#login input", code, chromedp.ByQuery))
	p.clicks("#login button")
	p.does(chromedp.WaitVisible("#now", chromedp.ByQuery))
	p.does(chromedp.SendKeys(".find [data-find]", "parser"+kb.Enter, chromedp.ByQuery), chromedp.WaitVisible("#found mark", chromedp.ByQuery))
	p.clicks("#found .hits a")
	p.does(chromedp.WaitVisible(".event.found", chromedp.ByQuery))
	p.clicks(`.head a[href^="/projects/"]`)
	// By the keyboard: while the page is still coming in, the button moves away under a click.
	p.does(chromedp.SendKeys(`form[action$="/dismiss"] button`, kb.Enter, chromedp.ByQuery), chromedp.WaitVisible("#project .note", chromedp.ByQuery))
}
