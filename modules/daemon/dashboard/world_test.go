package dashboard_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// world is a user's home with a daemon in it, and a browser of that user.
type world struct {
	testing.TB
	user    string
	home    home.Dir
	project string
	base    string // "http://127.0.0.1:PORT"
	browser *http.Client
}

// newWorld starts a daemon that ends with the test. Nobody is let in yet.
func newWorld(t testing.TB) *world {
	t.Helper()
	user, err := os.MkdirTemp("", "co") // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	if user, err = filepath.EvalSymlinks(user); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(user) })
	for _, name := range []string{"CARRYOVER_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "GEMINI_CLI_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "PATH"} {
		t.Setenv(name, "")
	}
	t.Setenv("HOME", user)
	t.Setenv("CARRYOVER_LISTEN", "127.0.0.1:0")
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	// A connection that is kept would outlive the test, and with it its goroutines.
	w := &world{TB: t, user: user, home: home.Dir(filepath.Join(user, ".carryover")), project: filepath.Join(user, "tally"), browser: &http.Client{Jar: jar, Transport: &http.Transport{DisableKeepAlives: true}}}
	if err := os.MkdirAll(w.project, 0o755); err != nil {
		t.Fatal(err)
	}
	w.start()
	return w
}

func (w *world) start() {
	w.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- daemon.Run(ctx, daemon.Options{Home: w.home}) }()
	w.Cleanup(func() {
		w.browser.CloseIdleConnections() // one that was dialled and never used is closed by nobody else
		cancel()
		if err := <-ended; err != nil {
			w.Errorf("the daemon ended with %v", err)
		}
	})
	w.eventually("the daemon to answer", func() bool {
		_, err := client.New(w.home).Health(context.Background())
		return err == nil
	})
	running, err := w.home.ReadRunning()
	if err != nil {
		w.Fatal(err)
	}
	w.base = "http://" + running.Listen
}

func (w *world) eventually(what string, holds func() bool) {
	w.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if holds() {
			return
		}
	}
	w.Fatalf("waited in vain for %s", what)
}

// link asks for a link, as `carryover dashboard` does.
func (w *world) link() (link string, code url.Values) {
	w.Helper()
	login, err := client.New(w.home).Dashboard(context.Background())
	if err != nil {
		w.Fatal(err)
	}
	return login.URL, url.Values{"code": {login.Code}}
}

// comesIn follows a link and types its code.
func (w *world) comesIn() {
	w.Helper()
	if got := w.post(w.link()); got.status != http.StatusOK || !strings.Contains(got.text, `id="now"`) {
		w.Fatalf("not let in: %d\n%s", got.status, got.text)
	}
}

// forgetsCookies makes the browser a stranger.
func (w *world) forgetsCookies() {
	w.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		w.Fatal(err)
	}
	w.browser.Jar = jar
}

// answer is what a browser was shown.
type answer struct {
	status int
	header http.Header
	text   string
	at     string // the path it ended at
}

func (w *world) get(path string) answer {
	w.Helper()
	return w.do(http.MethodGet, path, nil)
}

// post sends a form.
func (w *world) post(path string, form url.Values) answer {
	w.Helper()
	return w.do(http.MethodPost, path, form)
}

func (w *world) do(method, path string, form url.Values) answer {
	w.Helper()
	if strings.HasPrefix(path, "/") {
		path = w.base + path
	}
	request, err := http.NewRequest(method, path, strings.NewReader(form.Encode()))
	if err != nil {
		w.Fatal(err)
	}
	request.Header.Set("Sec-Fetch-Mode", "navigate") // as every browser says
	if method == http.MethodPost {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	response, err := w.browser.Do(request)
	if err != nil {
		w.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		w.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, string(text), response.Request.URL.RequestURI()}
}

var csrfField = regexp.MustCompile(`name="csrf" value="([A-Z2-7]+)"`)

// csrf is the token that a page's forms carry.
func (w *world) csrf(page answer) string {
	w.Helper()
	found := csrfField.FindStringSubmatch(page.text)
	if found == nil {
		w.Fatalf("no form in\n%s", page.text)
	}
	return found[1]
}

// record is one line of a transcript of Claude Code.
type record struct {
	kind    string // user or assistant
	content any    // text, or blocks
	more    map[string]any
	usage   int // tokens, of a reply
}

func says(text string) record { return record{kind: "user", content: text} }

func replies(text string) record {
	return record{kind: "assistant", content: []any{map[string]any{"type": "text", "text": text}}}
}

func runs(id, command string) record {
	return record{kind: "assistant", content: []any{map[string]any{
		"type": "tool_use", "id": id, "name": "Bash", "input": map[string]any{"command": command},
	}}}
}

func fails(id, text string) record {
	return record{kind: "user", content: []any{map[string]any{"type": "tool_result", "tool_use_id": id, "is_error": true, "content": text}}}
}

// first is when fixtures begin.
var first = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// works writes a session of Claude Code and waits until it was read.
func (w *world) works(id string, at time.Time, records ...record) {
	w.Helper()
	var text strings.Builder
	for i, r := range records {
		line := map[string]any{
			"type": r.kind, "uuid": fmt.Sprintf("%s-%d", id[:8], i), "sessionId": id, "cwd": w.project, "gitBranch": "main",
			"version": "2.1.329", "entrypoint": "cli", "timestamp": at.Add(time.Duration(i) * time.Second).Format("2006-01-02T15:04:05.000Z"),
			"message": map[string]any{"role": r.kind, "content": r.content},
		}
		if message, ok := line["message"].(map[string]any); ok && r.usage > 0 {
			message["id"], message["model"], message["usage"] = fmt.Sprint("m", i), "a-model", map[string]any{"input_tokens": r.usage}
		}
		for name, value := range r.more {
			line[name] = value
		}
		data, err := json.Marshal(line)
		if err != nil {
			w.Fatal(err)
		}
		text.Write(append(data, '\n'))
	}
	path := filepath.Join(w.user, ".claude", "projects", "-tally", id+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		w.Fatal(err)
	}
	w.eventually("session "+id+" to be read", func() bool {
		p, err := daemon.OpenReadOnly(w.home, func(error) {})
		if err != nil {
			return false
		}
		defer func() { _ = p.Store.Close() }()
		shown, err := p.ShowSession(context.Background(), view.SessionRequest{Session: id})
		return err == nil && shown.Session.Last == at.Add(time.Duration(len(records)-1)*time.Second).Format("2006-01-02T15:04:05.000Z")
	})
}

// wants checks that a page is shown and says all of some texts.
func (w *world) wants(page answer, texts ...string) {
	w.Helper()
	if page.status != http.StatusOK {
		w.Errorf("%s: %d", page.at, page.status)
	}
	for _, text := range texts {
		if !strings.Contains(page.text, text) {
			w.Errorf("%s does not say %q:\n%s", page.at, text, page.text)
		}
	}
}
