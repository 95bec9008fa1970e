package browser

import (
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/carryover-go/carryover/integration/runner"
)

// TestPictures takes pictures of every page, made of the transcripts in the folder
// that CARRYOVER_PICTURES names: long names, many sessions, whatever real work holds.
// They are for a person to look at (CARRYOVER_SCREENSHOTS names the folder); that no
// page is too wide and that axe finds nothing is asserted.
func TestPictures(t *testing.T) {
	in := os.Getenv("CARRYOVER_PICTURES")
	if in == "" {
		t.Skip("SKIPPED: `make pictures` takes pictures of every page, of transcripts that CARRYOVER_PICTURES names")
	}
	h := runner.New(t, "")
	h.Must(h.Dir, "import", "--root", in)
	h.Must(h.Dir, "daemon", "start")
	t.Cleanup(func() { h.Carryover(h.Dir, "daemon", "stop") })
	p := newTab(t)
	address, code := link(h)
	p.does(chromedp.Navigate(address))
	p.looks("login")
	p.does(chromedp.SendKeys("#login input", code, chromedp.ByQuery))
	p.shows("#now", "")
	base, _, _ := strings.Cut(address, "/login")
	for _, page := range p.pictured(base) {
		p.does(chromedp.Navigate(base + page.path))
		p.eventually("what comes after the page to have come", `!document.querySelector("[hx-trigger~=load]") && document.readyState === "complete"`)
		p.looks(page.name)
	}
	p.does(chromedp.Navigate(base+"/"), chromedp.KeyEvent("?"))
	p.eventually("the keys to be listed", `document.querySelector("#keys").open`)
	p.looks("keys")
	p.isForgiven() // a browser complains of every page that there is not
}

// pictured are the pages to be looked at: the project with the most sessions among the
// first, a session of it, and one that was compacted.
func (p *tab) pictured(base string) []paintedPage {
	p.Helper()
	read := func(list, expression string) (path string) {
		p.does(chromedp.Navigate(base+list), chromedp.Evaluate(`(`+expression+`) ?? "/none"`, &path, awaited))
		return path
	}
	project := read("/projects", `[...document.querySelectorAll("main .rows > li")].map((li) =>
		[parseInt(/(\d+) sessions?/.exec(li.innerText)?.[1] ?? 0), li.querySelector("a").getAttribute("href")]).sort((a, b) => b[0] - a[0])[0]?.[1]`)
	return []paintedPage{
		{"now", "/"},
		{"projects", "/projects"},
		{"project", project},
		{"sessions", "/sessions"},
		{"session", read(project+"?whole=1", `document.querySelector(".past a[href^='/sessions/']")?.getAttribute("href")`)},
		{"seam", read("/search?q=compact*&kind=compaction", `document.querySelector("main .hits a[href^='/sessions/']")?.getAttribute("href")`)},
		{"compare", read(project+"?whole=1", `(() => { const f = document.querySelector("form[action$='/compare']"); return f && f.getAttribute("action") + "?" + new URLSearchParams(new FormData(f)) })()`)},
		{"threads", "/threads"},
		{"agents", "/agents"},
		{"health", "/checks"},
		{"search", "/search?q=test"},
		{"search-empty", "/search?q=zzzzqqqq"},
		{"none", "/none"},
	}
}
