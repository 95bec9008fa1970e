// Package browser drives a real browser over the dashboard of a real daemon.
package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/carryover-go/carryover/integration/runner"
)

func TestMain(m *testing.M) {
	code := m.Run()
	runner.Remove()
	os.Exit(code)
}

// patience bounds how long a page may take to show something.
const patience = 60 * time.Second

// tab is a page that a person looks at. What a browser complains of, a
// violation of the page's policy first of all, fails the test.
type tab struct {
	*testing.T
	ctx   context.Context
	shots string // folder for pictures

	mu         sync.Mutex
	complaints []string
}

// newTab starts a browser of its own.
func newTab(t *testing.T) *tab {
	t.Helper()
	program, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv(runner.Required) != "" {
			t.Fatal("chromium is not installed")
		}
		t.Skip("SKIPPED: chromium is not installed; the dashboard was not looked at with a browser")
	}
	own, err := os.MkdirTemp("", "browser") // not t.TempDir(): its helpers may write until they end, too
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(own) })
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.Env("TMPDIR="+own), chromedp.UserDataDir(filepath.Join(own, "profile")))
	if os.Geteuid() == 0 { // its sandbox wants another user
		options = append(options, chromedp.NoSandbox)
	}
	started, end := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(end)
	ctx, _ := chromedp.NewContext(started)
	t.Cleanup(func() { _ = chromedp.Cancel(ctx) }) // closes it as a person does, and waits
	p := &tab{T: t, ctx: ctx, shots: t.TempDir()}
	if kept := os.Getenv("CARRYOVER_SCREENSHOTS"); kept != "" {
		p.shots = kept
	}
	chromedp.ListenTarget(ctx, p.listen)
	if err := chromedp.Run(ctx, log.Enable(), chromedp.EmulateViewport(1200, 900)); err != nil {
		t.Fatalf("start %s: %v", program, err)
	}
	t.Cleanup(p.isContent)
	return p
}

func (p *tab) listen(event any) {
	complaint := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		complaint = e.ExceptionDetails.Error()
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
			complaint = fmt.Sprint("console: ", string(e.Args[0].Value))
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError || e.Entry.Level == log.LevelWarning {
			complaint = fmt.Sprint(e.Entry.Source, ": ", e.Entry.Text, " ", e.Entry.URL)
		}
	}
	if complaint != "" {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.complaints = append(p.complaints, complaint)
	}
}

// isContent fails when the browser complained of anything.
func (p *tab) isContent() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, complaint := range p.complaints {
		p.Errorf("the browser complains: %s", complaint)
	}
}

// does runs actions of which each must come to pass in time.
func (p *tab) does(actions ...chromedp.Action) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := chromedp.Run(ctx, actions...); err != nil {
		p.Fatalf("%v; the page:\n%s", err, p.text())
	}
}

// text is what stands on the page.
func (p *tab) text() string {
	ctx, cancel := context.WithTimeout(p.ctx, 5*time.Second)
	defer cancel()
	var text string
	if err := chromedp.Run(ctx, chromedp.Evaluate(`location.href + "\n" + document.body.innerText`, &text)); err != nil {
		return err.Error()
	}
	return text
}

// shows waits until an element shows a text; without a text until it is there.
func (p *tab) shows(selector, text string) {
	p.Helper()
	p.eventually(fmt.Sprintf("%s to show %q", selector, text), fmt.Sprintf(
		`[...document.querySelectorAll(%q)].some((e) => e.getClientRects().length > 0 && e.innerText.includes(%q))`, selector, text))
}

// eventually waits until an expression of the page is true, whatever page that
// is by then.
func (p *tab) eventually(what, expression string) {
	p.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(p.ctx, patience)
		var holds bool
		err := chromedp.Run(ctx, chromedp.Evaluate(expression, &holds))
		cancel()
		if err == nil && holds { // an error is a page that is just left
			return
		}
	}
	p.Fatalf("waited in vain for %s; the page:\n%s", what, p.text())
}

// clicks clicks the first element. One that the page replaces between being found
// and being clicked was not clicked: the one in its place is.
func (p *tab) clicks(selector string) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	for {
		err := chromedp.Run(ctx, chromedp.Click(selector, chromedp.ByQuery, chromedp.NodeVisible))
		if err == nil {
			return
		}
		if ctx.Err() != nil || !strings.Contains(err.Error(), "Could not find node with given id") {
			p.Fatalf("%v; the page:\n%s", err, p.text())
		}
	}
}

// types puts a text in the place of what a field holds, key by key.
func (p *tab) types(selector, text string) {
	p.Helper()
	p.does(chromedp.WaitVisible(selector, chromedp.ByQuery),
		chromedp.Focus(selector, chromedp.ByQuery), chromedp.Evaluate(fmt.Sprintf(`document.querySelector(%q).select()`, selector), nil),
		chromedp.KeyEvent(text))
}

// looks takes pictures of the page, light and dark, narrow and wide, and checks that
// it is never wider than the window and that axe finds nothing in it.
func (p *tab) looks(name string) {
	p.Helper()
	p.eventually("the page to be there with its style", `document.readyState === "complete"`)
	for _, look := range []struct {
		name, scheme string
		width        int64
	}{
		{"light", "light", 1280}, {"dark", "dark", 1280}, {"narrow", "light", 360}, {"narrow-dark", "dark", 360}, {"wide", "light", 3840}, {"wide-dark", "dark", 3840},
	} {
		var picture []byte
		var width int64
		scheme := emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: look.scheme}})
		p.does(scheme, chromedp.EmulateViewport(look.width, 900),
			chromedp.Evaluate(`document.documentElement.scrollWidth`, &width), chromedp.FullScreenshot(&picture, 100))
		if width > look.width {
			p.Errorf("%s is %d wide in a window of %d", name, width, look.width)
		}
		if look.width <= 1280 { // axe looks at what is drawn
			p.isAccessible(name + ", " + look.name)
		}
		if err := os.WriteFile(filepath.Join(p.shots, name+"-"+look.name+".png"), picture, 0o600); err != nil {
			p.Fatal(err)
		}
	}
	p.does(emulation.SetEmulatedMedia(), chromedp.EmulateViewport(1200, 900))
}

// awaited waits for what an expression promises.
func awaited(params *runtime.EvaluateParams) *runtime.EvaluateParams {
	return params.WithAwaitPromise(true)
}

// axe checks a page against the rules of WCAG; its source is among the agents' packages.
var axe = sync.OnceValues(func() (string, error) {
	source, err := os.ReadFile(filepath.Join(filepath.Dir(runner.BinDir()), "axe-core", "axe.min.js"))
	return string(source), err
})

// isAccessible fails for everything that axe finds in the page.
func (p *tab) isAccessible(name string) {
	p.Helper()
	source, err := axe()
	if err != nil {
		if os.Getenv(runner.Required) != "" {
			p.Fatal(err)
		}
		p.Logf("SKIPPED: %v; run `make agents`: the page %s was not checked for accessibility", err, name)
		return
	}
	var found []string
	var there bool
	if p.does(chromedp.Evaluate(`"axe" in window`, &there)); !there {
		p.does(chromedp.Evaluate(source+";0", nil))
	}
	p.does(
		chromedp.Evaluate(`axe.run(document).then((r) => r.violations.flatMap((v) => v.nodes.map((n) =>
			v.id + ": " + n.target.join(" ") + ": " + n.failureSummary)))`, &found, awaited),
	)
	for _, violation := range found {
		p.Errorf("%s: axe finds %s", name, violation)
	}
}

// link asks for a link and its code, as a person does.
func link(h *runner.Home) (address, code string) {
	address, code, _ = strings.Cut(strings.TrimSpace(h.Must(h.Dir, "dashboard", "--print").Stdout), "\nCode: ")
	return address, code
}
