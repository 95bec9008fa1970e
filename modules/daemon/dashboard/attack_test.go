package dashboard_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// twoProjects lets the browser in, with a session in each of two projects; there are their
// pages.
func twoProjects(t *testing.T) (w *world, here, there string) {
	t.Helper()
	w = newWorld(t)
	other := filepath.Join(w.user, "other")
	if err := os.MkdirAll(other, 0o755); err != nil {
		t.Fatal(err)
	}
	elsewhere := map[string]any{"cwd": other}
	w.works(one, first, says("Teach the parser to read dates."), replies("It reads them."))
	w.works(two, first, record{kind: "user", content: "Count the votes of the other project.", more: elsewhere},
		record{kind: "assistant", content: []any{map[string]any{"type": "text", "text": "Two."}}, more: elsewhere})
	w.comesIn()
	list := w.get("/projects")
	return w, w.follow(list, "tally"), w.follow(list, "other")
}

// A form or an address of one project does nothing to, and shows nothing of, another.
func TestProject_StaysInItself(t *testing.T) {
	w, here, there := twoProjects(t)
	csrf := w.csrf(w.get(there + "?whole=1"))
	for name, form := range map[string]url.Values{
		"of another project": {"session": {two}}, "its beginning": {"session": {two[:8]}}, "a pattern": {"session": {"%"}},
		"none": {"session": {""}}, "no such session": {"session": {"33333333"}}, "text": {"session": {hostile}}, "no session": {},
	} {
		form.Set("csrf", csrf)
		if got := w.post(here+"/dismiss", form); got.status < http.StatusBadRequest {
			t.Errorf("dismiss, %s: %d", name, got.status)
		}
	}
	if page := w.get(there + "?whole=1"); strings.Contains(page.text, "Dismissed") {
		t.Error("the handoff of the other project was dismissed")
	}
	for _, sessions := range []string{"a=" + one + "&b=" + two, "a=" + two + "&b=" + two, "a=" + two[:6] + "&b=" + one} {
		got := w.get(here + "/compare?" + sessions)
		if got.status != http.StatusNotFound || strings.Contains(got.text, "Count the votes") {
			t.Errorf("compare %s: %d", sessions, got.status)
		}
	}
	w.wants(w.get(here+"/compare?a="+one+"&b="+one), "They are the same")
}

// Forms that another page could send, or that lack the page's token, change nothing:
// every form there is.
func TestForms_AreOurs(t *testing.T) {
	w, here, _ := twoProjects(t)
	w.saves("mailer", "Current task: parse the archive\nNext steps: convert the parts")
	agent := w.follow(w.get("/agents"), "mailer")
	csrf := w.csrf(w.get(here + "?whole=1"))
	port := w.base[strings.LastIndex(w.base, ":")+1:]
	forms := map[string]url.Values{
		here + "/dismiss": {"session": {one}}, agent + "/inject": {"context": {"rm -rf /"}}, agent + "/handoff": {}, "/checks": {},
	}
	for path, fields := range forms {
		for name, header := range map[string]http.Header{
			"no token":                   {},
			"a token in the address":     {"X-Query": {"csrf=" + csrf}},
			"another origin":             {"X-CSRF-Token": {csrf}, "Origin": {"http://evil.example"}},
			"our host as another's port": {"X-CSRF-Token": {csrf}, "Origin": {"http://127.0.0.1:1"}},
			"our address over https":     {"X-CSRF-Token": {csrf}, "Origin": {"https://127.0.0.1:" + port}},
			"our address as a user":      {"X-CSRF-Token": {csrf}, "Origin": {"http://127.0.0.1:" + port + "@evil.example"}},
			"a null origin":              {"X-CSRF-Token": {csrf}, "Origin": {"null"}},
			"two origins":                {"X-CSRF-Token": {csrf}, "Origin": {"http://127.0.0.1:" + port, "http://evil.example"}},
			"a rebound name":             {"X-CSRF-Token": {csrf}, "Host": {"evil.example:" + port}},
			"a name that begins as ours": {"X-CSRF-Token": {csrf}, "Host": {"127.0.0.1.evil.example:" + port}},
			"another loopback":           {"X-CSRF-Token": {csrf}, "Host": {"127.0.0.2:" + port}},
			"no port":                    {"X-CSRF-Token": {csrf}, "Host": {"127.0.0.1"}},
			"a page of another site":     {"X-CSRF-Token": {csrf}, "Sec-Fetch-Site": {"cross-site"}},
		} {
			if got := w.forged(path, fields, header); got < http.StatusBadRequest {
				t.Errorf("%s, %s: %d", path, name, got)
			}
		}
	}
	if page := w.get(here + "?whole=1"); strings.Contains(page.text, "Dismissed") {
		t.Error("a forged form dismissed the handoff")
	}
}

// forged posts a form with the browser's cookie and other headers.
func (w *world) forged(path string, form url.Values, header http.Header) int {
	w.Helper()
	address := w.base + path
	if query := header.Get("X-Query"); query != "" {
		address += "?" + query
	}
	request, err := http.NewRequest(http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		w.Fatal(err)
	}
	request.Header = header.Clone()
	if host := header.Get("Host"); host != "" {
		request.Host = host
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Add("Sec-Fetch-Mode", "navigate")
	response, err := w.browser.Do(request)
	if err != nil {
		w.Fatal(err)
	}
	_ = response.Body.Close()
	return response.StatusCode
}

// Values of any size and form are answered, soon, with a page or a refusal.
func TestPages_TakeAnyValue(t *testing.T) {
	w, here, _ := twoProjects(t)
	long := strings.Repeat("a", 20_000)
	for _, path := range []string{
		"/search?q=" + long, "/search?q=" + strings.Repeat("a+", 5_000), "/search?q=%22", "/search?q=" + url.QueryEscape(`"*`), "/search?q=%00", "/search?q=%ff%fe",
		"/search?q=x&limit=999999999", "/search?q=x&since=" + long, "/sessions?cursor=" + long, "/sessions?cursor=%00", "/sessions?since=9999999-99-99",
		"/sessions/claude-code/" + one + "?line=99999999999999999999", "/sessions/claude-code/" + one + "?before=-1&from=-1", "/sessions/claude-code/" + one + "?offset=9223372036854775807",
		"/sessions/claude-code/" + one + "?compaction=" + long, "/sessions/claude-code/" + long, "/sessions/" + long + "/x", "/sessions/claude-code/%2e%2e%2fx",
		"/projects/" + long, "/projects/%2e%2e", here + "?cursor=" + long, here + "/compare?a=" + long + "&b=" + long, "/agents/" + long + "/" + long, "/static/%2e%2e%2fpage.go", "/login/" + long,
	} {
		began := time.Now()
		got := w.get(path)
		if got.status >= http.StatusInternalServerError || got.status == http.StatusOK && strings.Contains(got.text, "package dashboard") {
			t.Errorf("%.60s: %d", path, got.status)
		}
		if took := time.Since(began); took > 10*time.Second || len(got.text) > 200_000 {
			t.Errorf("%.60s: %s, %d bytes", path, took, len(got.text))
		}
	}
	csrf := w.csrf(w.get(here + "?whole=1"))
	for name, form := range map[string]url.Values{
		"a huge session": {"session": {strings.Repeat("a", 100_000)}, "csrf": {csrf}}, "a huge token": {"csrf": {strings.Repeat("a", 100_000)}},
	} {
		if got := w.post(here+"/dismiss", form); got.status < http.StatusBadRequest || got.status >= http.StatusInternalServerError {
			t.Errorf("%s: %d", name, got.status)
		}
	}
}

// tag finds what a browser would take for an element that no template of ours has.
var tag = regexp.MustCompile(`(?i)<(script|img|style|b|iframe|svg onload)[ >](?:alert|src=x|\*|bold)`)

// Every member of a record may be hostile, not its texts alone.
func TestEveryMemberIsHostile(t *testing.T) {
	w := newWorld(t)
	w.project = filepath.Join(w.user, `a"><script>alert(6)</script>'`)
	if err := os.MkdirAll(w.project, 0o755); err != nil {
		t.Fatal(err)
	}
	call := func(id, name string, input map[string]any) record {
		return record{kind: "assistant", content: []any{map[string]any{"type": "tool_use", "id": id, "name": name, "input": input}}}
	}
	w.works(one, time.Now().UTC().Truncate(time.Second).Add(-time.Minute), says("Mend "+hostile),
		call("t1", hostile, map[string]any{"command": hostile, "description": hostile}), fails("t1", hostile),
		call("t2", "Edit", map[string]any{"file_path": filepath.Join(w.project, `"><img src=x onerror=alert(7)>.go`), "old_string": hostile, "new_string": hostile + "2"}),
		call("t3", "TodoWrite", map[string]any{"todos": []any{map[string]any{"content": hostile, "status": hostile, "activeForm": hostile}}}),
		call("t4", "AskUserQuestion", map[string]any{"questions": []any{map[string]any{"question": hostile + "?", "header": hostile, "options": []any{map[string]any{"label": hostile}}}}}),
		record{kind: "assistant", usage: 150_000, content: []any{map[string]any{"type": "text", "text": hostile}}, more: map[string]any{"gitBranch": hostile, "version": hostile}})
	w.saves("mailer", "Current task: "+strings.ReplaceAll(hostile, "\x00", "")+"\nNext steps: <script>alert(8)</script>")
	w.comesIn()
	project := regexp.MustCompile(`/projects/[0-9a-f]+`).FindString(w.get("/projects").text)
	session := "/sessions/claude-code/" + one
	for _, path := range []string{
		"/", "/?whole=1", "/threads?whole=1&all=1", "/sessions", "/projects", project + "?whole=1", project + "/compare?a=" + one + "&b=" + one, session + "?whole=1", session + "/edits",
		session + "?more=1", "/agents", w.follow(w.get("/agents"), "mailer"), "/checks", "/search?q=mend", "/search?q=alert", "/search?project=%22%3E%3Cscript%3Ealert(1)&q=a",
	} {
		page := w.get(path)
		if page.status >= http.StatusInternalServerError {
			t.Errorf("%s: %d", path, page.status)
		}
		for _, broken := range []string{`"onmouseover`, `" onmouseover`, `href="javascript`, "\x1b", "\u202e", "\u2066", "\x00", "\x07"} {
			if strings.Contains(page.text, broken) {
				t.Errorf("%s holds %q", path, broken)
			}
		}
		if found := tag.FindString(page.text); found != "" {
			at := strings.Index(page.text, found)
			t.Errorf("%s holds %q: …%s…", path, found, page.text[max(0, at-120):min(len(page.text), at+80)])
		}
	}
}
