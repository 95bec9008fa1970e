package browser

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"

	"github.com/carryover-go/carryover/integration/bench/history"
	"github.com/carryover-go/carryover/integration/runner"
)

// What the pages of TestFirstPaint are made of: 201 MB in sessions of 15 MB.
const (
	paintBytes = 201 << 20
	paintFiles = 13
)

// painted is how long a browser waited for a page, in milliseconds from when it began
// to ask for it.
type painted struct {
	Server float64 // until the answer had come as a whole
	Paint  float64 // until something of it was drawn
	Work   float64 // processor time of the page's own thread until then and a little after
	Bytes  float64
}

// Each page is asked for so many times, in turns with the floor: a file of a few lines,
// by the same server, drawn by the same browser at the same time.
const (
	paintRuns = 7
	floorPage = "/static/htmx.LICENSE"
)

// median is the middle one of what was measured.
func median(of []painted, field func(painted) float64) float64 {
	values := make([]float64, len(of))
	for i, one := range of {
		values[i] = field(one)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

func paintAt(p painted) float64 { return p.Paint }
func workOf(p painted) float64  { return p.Work }

// paintOf reads what the browser has measured of the page that it shows.
const paintOf = `new Promise((done) => {
	const wait = () => {
		const at = performance.getEntriesByType("navigation")[0];
		const drawn = performance.getEntriesByName("first-contentful-paint")[0];
		if (!drawn || !at.responseEnd) return setTimeout(wait, 10);
		done({Server: at.responseEnd - at.requestStart, Paint: drawn.startTime - at.requestStart, Bytes: at.decodedBodySize});
	};
	wait();
})`

// TestFirstPaint prints a table of what a browser measures; it asserts nothing, for a
// clock tells as much of the machine as of the pages. CARRYOVER_PAINT asks for it.
func TestFirstPaint(t *testing.T) {
	if os.Getenv("CARRYOVER_PAINT") == "" {
		t.Skip("SKIPPED: `make paint` measures the first paint of each page on 201 MB")
	}
	h := runner.New(t, "")
	in := filepath.Join(h.Dir, "history")
	if _, err := history.Write(in, history.Options{Bytes: paintBytes, Files: paintFiles, Seed: 1}); err != nil {
		t.Fatal(err)
	}
	h.Must(h.Dir, "import", "--root", in)
	var daemon struct{ PID int }
	h.Must(h.Dir, "daemon", "start", "--json").JSON(t, &daemon)
	t.Cleanup(func() { h.Carryover(h.Dir, "daemon", "stop") })
	p := newTab(t)
	// What comes after a page is not loaded: it would be at work beside the next ones.
	p.does(network.Enable(), performance.Enable().WithTimeDomain(performance.EnableTimeDomainThreadTicks), network.SetBlockedURLs([]string{"*whole=1*"}), chromedp.Navigate("about:blank"))
	defer p.isForgiven()
	address, code := link(h)
	p.does(chromedp.Navigate(address), chromedp.SendKeys("#login input", code, chromedp.ByQuery))
	p.shows("#now", "")
	base, _, _ := strings.Cut(address, "/login")

	var table strings.Builder
	pages := p.paintedPages(base)
	p.rests(daemon.PID)
	for _, page := range pages {
		pages, floors := p.inTurns(base+page.path, base+floorPage)
		floor, paint := median(floors, paintAt), median(pages, paintAt)
		work, made := max(0, median(pages, workOf)-median(floors, workOf)), p.costs(base+page.path, daemon.PID)
		fmt.Fprintf(&table, "| %s | %.1f | %.1f | **%.0f** | %.0f | %.0f | %.0f |\n", page.name, made, work, made+work, paint, floor, pages[0].Bytes/1024)
	}
	fmt.Println(table.String())
	if err := writePaint(table.String()); err != nil {
		t.Fatal(err)
	}
}

// rests waits until a daemon that has begun has nothing to do for itself: what it reads
// at its start is no page's cost.
func (p *tab) rests(pid int) {
	p.Helper()
	for range 120 {
		before := p.ticks(pid)
		time.Sleep(time.Second)
		if p.ticks(pid)-before <= 1 {
			return
		}
	}
}

// inTurns opens a page and the floor, one after the other.
func (p *tab) inTurns(page, floor string) (pages, floors []painted) {
	p.Helper()
	p.paints(page) // what is made once is made before
	for range paintRuns {
		floors, pages = append(floors, p.paints(floor)), append(pages, p.paints(page))
	}
	return pages, floors
}

// paintPage is where the figures stand; `make bench` leaves their section as it is.
const (
	paintPage    = "../../docs/performance.md"
	paintSection = "\n## First paint of the dashboard\n"
)

// writePaint replaces the section of the figures.
func writePaint(rows string) error {
	old, err := os.ReadFile(paintPage)
	if err != nil {
		return err
	}
	before, _, _ := strings.Cut(string(old), paintSection)
	return os.WriteFile(paintPage, []byte(before+paintSection+fmt.Sprintf(paintWords, paintRuns, time.Now().UTC().Format(time.DateOnly), runtime.NumCPU(), load())+rows), 0o644)
}

// load says how busy the machine is beside the run, where Linux tells.
func load() string {
	text, _ := os.ReadFile("/proc/loadavg") // not Linux: unknown
	if fields := strings.Fields(string(text)); len(fields) > 1 {
		return ", load average " + fields[1]
	}
	return ""
}

const paintWords = `
` + "`make paint`" + ` measures this in Chromium on a ledger of 201 MB in sessions of 15 MB: medians of %d runs, each in turns with the
floor, a file of a few lines by the same server; the daemon rests before. The work of a page is processor time, so that other
work on the machine counts less: of the daemon, and of the page's thread in the browser until it is loaded, without that of the
floor. Together they are what a person waits for on a machine at rest; the budget is 60 ms. First paint is the browser's own
clock from the request on, beside everything else that ran. %s, %d processors%s.

| page | daemon, CPU ms | browser, CPU ms | together | first paint, ms | floor, ms | KB |
|---|---|---|---|---|---|---|
`

// paintedPage is a page to be measured.
type paintedPage struct{ name, path string }

// paintedPages are all pages; those of a session and of a project are the first that
// a list leads to.
func (p *tab) paintedPages(base string) []paintedPage {
	p.Helper()
	first := func(list, selector string) (path string) {
		p.does(chromedp.Navigate(base+list), chromedp.Evaluate(fmt.Sprintf(`document.querySelector(%q).getAttribute("href")`, selector), &path))
		return path
	}
	return []paintedPage{
		{"Now", "/"},
		{"Projects", "/projects"},
		{"Project", first("/projects", `main a[href^="/projects/"]`)},
		{"Sessions", "/sessions"},
		{"Session of 15 MB", first("/sessions", `main a[href^="/sessions/"]`)},
		{"Threads of work", "/threads"},
		{"Agents", "/agents"},
		{"Health", "/checks"},
		{"Search", "/search?q=internal"},
	}
}

// asked is how often a page is asked for to see what it costs: the processor's time of a
// process is counted in hundredths of a second.
const asked = 20

// costs is the processor's time that the daemon takes for a page, in milliseconds: the
// less of two rounds, as the first may begin work that is done once.
func (p *tab) costs(address string, pid int) float64 {
	p.Helper()
	return min(p.round(address, pid), p.round(address, pid))
}

// round asks for a page many times; what the daemon does meanwhile for others is in it.
func (p *tab) round(address string, pid int) float64 {
	p.Helper()
	before := p.ticks(pid)
	p.does(chromedp.Evaluate(fmt.Sprintf(`(async () => { for (let i = 0; i < %d; i++) await (await fetch(%q)).text(); })()`, asked, address), nil, awaited))
	return float64(p.ticks(pid)-before) * 10 / asked
}

// ticks is the processor's time that a process has taken, in hundredths of a second; 0
// where there is no /proc.
func (p *tab) ticks(pid int) (sum int) {
	p.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	for _, field := range strings.Fields(rest)[11:13] {
		n, err := strconv.Atoi(field)
		if err != nil {
			p.Fatal(err)
		}
		sum += n
	}
	return sum
}

// isForgiven drops what the browser complained of: requests that were blocked.
func (p *tab) isForgiven() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.complaints = nil
}

// paints opens a page and says how long that took.
func (p *tab) paints(address string) (took painted) {
	p.Helper()
	before := p.worked()
	p.does(chromedp.Navigate(address), chromedp.Evaluate(paintOf, &took, awaited))
	after := p.worked()
	if after < before { // the page has a thread of its own
		before = 0
	}
	took.Work = after - before
	return took
}

// worked is the processor time of the page's thread so far, in milliseconds.
func (p *tab) worked() (ms float64) {
	p.Helper()
	p.does(chromedp.ActionFunc(func(ctx context.Context) error {
		metrics, err := performance.GetMetrics().Do(ctx)
		for _, metric := range metrics {
			if metric.Name == "TaskDuration" {
				ms = metric.Value * 1000
			}
		}
		return err
	}))
	return ms
}
