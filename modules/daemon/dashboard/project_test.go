package dashboard_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/api/client"
)

const two = "22222222-0000-4000-8000-000000000002"

// projectPage is the address of the one project.
func (w *world) projectPage() string {
	w.Helper()
	found := regexp.MustCompile(`/projects/[0-9a-f]+`).FindString(w.get("/").text)
	if found == "" {
		w.Fatal("the first page names no project")
	}
	return found
}

// The page of a project has the handoff an agent would be given, with the place
// of each line, what was done before, and what was decided.
func TestAProject(t *testing.T) {
	w := newWorld(t)
	w.works(two, first, says("Count the votes."), runs("t1", "go vet ./..."))
	w.works(one, first.Add(time.Hour), says("Teach the parser to read dates."), runs("t2", "go test ./..."), fails("t2", "Exit code 1\nFAIL: TestDates"),
		replies("DECISION: dates\nQuestion: which zone?\nChosen: UTC\nRationale: no surprises"))
	w.comesIn()
	page := w.get(w.projectPage())
	w.wants(page, "<h3>Task</h3>", "Teach the parser to read dates.", "/sessions/claude-code/"+one+"?line=1",
		"Failed approaches", "<code>go test ./...</code>", "Count the votes.", "which zone?", "UTC", "no surprises",
		"No session has started here since the hooks are in place.")
	before, delivered, _ := strings.Cut(page.text, "As an agent is given it")
	if strings.Contains(before, "RESUME PROTOCOL") || !strings.Contains(delivered, "RESUME PROTOCOL") {
		t.Error("what is said to agents does not stand in its own part alone")
	}
	w.wants(page, "2 sessions, 0 handovers")
	w.wants(w.get("/projects"), "tally", "2 sessions")
	w.wants(w.get("/sessions?tool=claude-code"), "11111111", "22222222")
	w.wants(w.get("/sessions?tool=codex"), "No session is so")
	for path, status := range map[string]int{
		"/projects/none": http.StatusNotFound, "/sessions?cursor=none": http.StatusBadRequest, w.projectPage() + "?cursor=none": http.StatusBadRequest,
	} {
		if got := w.get(path); got.status != status {
			t.Errorf("%s: %d", path, got.status)
		}
	}
}

// The page says which session was given what, and why.
func TestWhoWasGivenWhat(t *testing.T) {
	w := newWorld(t)
	w.works(one, time.Now().UTC().Add(-time.Hour).Truncate(time.Second), says("Teach the parser to read dates."))
	start := fmt.Sprintf(`{"session_id":%q,"cwd":%q,"source":"startup","hook_event_name":"SessionStart"}`, two, w.project)
	if _, err := client.New(w.home).Hook(t.Context(), "claude-code", "SessionStart", []byte(start)); err != nil {
		t.Fatal(err)
	}
	w.comesIn()
	w.wants(w.get(w.projectPage()), `<b class="decision full">full</b>`, "a new session in a project with earlier work", "22222222", "given to 1 session")
}

// A handoff that is dismissed is given to nobody, and the page says so.
func TestDismiss(t *testing.T) {
	w := newWorld(t)
	w.works(one, first, says("Teach the parser to read dates."))
	w.comesIn()
	at := w.projectPage()
	form := url.Values{"session": {one}, "csrf": {w.csrf(w.get(at))}}
	w.wants(w.post(at+"/dismiss", form), "it is not offered until", "dismissed by the user")
	if strings.Contains(w.get(at).text, "<button>Dismiss</button>") {
		t.Error("it can be dismissed again")
	}
	w.wants(w.post(at+"/dismiss", form), "it is not offered until") // in another window
	form.Set("undo", "1")
	if got := w.post(at+"/dismiss", form); strings.Contains(got.text, "it is not offered until") || !strings.Contains(got.text, "offered again by the user") {
		t.Errorf("not offered again:\n%s", got.text)
	}
	form.Del("undo")
	form.Del("session")
	if got := w.post(at+"/dismiss", form); got.status != http.StatusBadRequest {
		t.Errorf("no session: %d", got.status)
	}
	form.Set("session", "none")
	if got := w.post(at+"/dismiss", form); got.status != http.StatusNotFound {
		t.Errorf("a session there is not: %d", got.status)
	}
}

// A newer decision about the same question strikes the older one, and files
// stand beside the sessions that changed them.
func TestAProject_StrikesWhatIsSuperseded(t *testing.T) {
	w := newWorld(t)
	w.works(two, first, says("Teach the parser to read dates."),
		record{kind: "assistant", content: []any{map[string]any{"type": "tool_use", "id": "t1", "name": "Edit", "input": map[string]any{
			"file_path": w.project + "/dates.go", "old_string": "a", "new_string": "b",
		}}}},
		record{kind: "user", content: []any{map[string]any{"type": "tool_result", "tool_use_id": "t1", "content": "done"}}},
		replies("DECISION: dates\nQuestion: which zone?\nChosen: local\nRationale: shorter"))
	w.works(one, first.Add(time.Hour), says("Count the votes."), replies("DECISION: dates\nQuestion: Which  zone?\nChosen: UTC\nRationale: no surprises"))
	w.comesIn()
	page := w.get(w.projectPage())
	w.wants(page, "<del>local</del>", "superseded", `<p class="chosen">UTC</p>`, "Files by session", `<th scope="row">dates.go</th>`, `title="edit">e<`)
}

// Sessions are filtered by tool, project, branch, day and text, and a filter stays in
// the address of the older ones.
func TestSessions_AreFiltered(t *testing.T) {
	w := newWorld(t)
	w.works(two, first, says("Count the votes."))
	w.works(one, first.Add(48*time.Hour), says("Teach the parser to read dates."))
	w.comesIn()
	w.wants(w.get("/"), "Count the votes.") // their tasks are known from here on
	for query, want := range map[string]string{
		"q=votes": "2", "q=PARSER": "1", "branch=mai": "12", "branch=other": "", "since=2026-03-04": "1", "until=2026-03-03": "2",
		"since=2026-03-02&until=2026-03-02&q=count": "2", "tool=claude-code": "12", "project=none": "", "since=nonsense": "12",
	} {
		page, got := w.get("/sessions?"+query), ""
		for digit, id := range map[string]string{"1": one, "2": two} {
			if strings.Contains(page.text, "/sessions/claude-code/"+id) {
				got += digit
			}
		}
		if len(got) != len(want) || strings.Trim(got, want) != "" {
			t.Errorf("%s finds %q, want %q", query, got, want)
		}
	}
	w.wants(w.get("/projects?q=tall"), "tally", "all projects")
	w.wants(w.get("/projects?q=none"), "No project has that in its path.")
}

// A failure of several sessions is one ladder, and two handoffs are compared.
func TestAProject_ShowsHowFailuresWentAndComparesHandoffs(t *testing.T) {
	w := newWorld(t)
	w.works(two, first, says("Count the votes."), runs("t1", "go test ./..."), fails("t1", "Exit code 1\nFAIL: TestVotes"))
	w.works(one, first.Add(time.Hour), says("Teach the parser to read dates."), runs("t2", "go test ./..."), fails("t2", "Exit code 1\nFAIL: TestDates"))
	w.comesIn()
	at := w.projectPage()
	page := w.get(at)
	w.wants(page, "What failed, and how it ended", `<span class="tag">open</span>`, "FAIL: TestDates", "<button>Compare</button>")
	compared := w.get(at + "/compare?a=" + one + "&b=" + two)
	w.wants(compared, "Two handoffs of", "<ins>", "<del>", "Count the votes.", "Teach the parser to read dates.")
	if del, ins := strings.Index(compared.text, "Count the votes."), strings.Index(compared.text, "Teach the parser"); del > ins {
		t.Error("the earlier handoff does not come first")
	}
	for path, status := range map[string]int{at + "/compare": http.StatusBadRequest, at + "/compare?a=" + one + "&b=none": http.StatusNotFound, "/projects/none/compare": http.StatusNotFound} {
		if got := w.get(path); got.status != status || !strings.Contains(got.text, `href="/"`) {
			t.Errorf("%s: %d", path, got.status)
		}
	}
}
