package dashboard_test

import (
	"fmt"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// follow is the address of a link with a text.
func (w *world) follow(page answer, text string) string {
	w.Helper()
	found := regexp.MustCompile(`<a (?:class="\w+" )?href="([^"]+)"[^<]*>` + regexp.QuoteMeta(text) + `</a>`).FindStringSubmatch(page.text)
	if found == nil {
		w.Fatalf("%s has no link %q", page.at, text)
	}
	path, _, _ := strings.Cut(html.UnescapeString(found[1]), "#")
	return path
}

// A long session is shown in parts that join, from its end or around a line.
func TestATimelineComesInParts(t *testing.T) {
	w := newWorld(t)
	var records []record
	for i := range 250 {
		records = append(records, says(fmt.Sprintf("Question %d of many.", i)))
	}
	w.works(one, first, records...)
	w.comesIn()
	at := "/sessions/claude-code/" + one
	end := w.get(at)
	w.wants(end, "Question 249 of many.", `id="L250"`, "That is all so far.", "prompt 250")
	if strings.Contains(end.text, "Question 100 of many.") {
		t.Error("all of it is shown at once")
	}
	seen := 0
	for page := end; ; page = w.get(w.follow(page, "Earlier events")) {
		seen += strings.Count(page.text, `class="event`)
		if !strings.Contains(page.text, "Earlier events") {
			break
		}
	}
	if all := fmt.Sprintf(">all %d<", seen); seen < 250 || !strings.Contains(end.text, all) {
		t.Errorf("the parts have %d events", seen)
	}
	w.wants(w.get(w.follow(end, "From the beginning")), "Question 0 of many.", "Later events")
	around := w.get(at + "?line=77")
	w.wants(around, `<span id="at">`, "Question 76 of many.", "Earlier events", "Later events")
	if strings.Index(around.text, `id="L77"`) > strings.Index(around.text, `id="at"`) {
		t.Error("the mark is not at the line")
	}
}

// A part of the timeline that a page asks for has no handoff made for it.
func TestASessionIsFiltered(t *testing.T) {
	w := newWorld(t)
	w.works(one, first, says("Teach the parser to read dates."), runs("t1", "go test ./..."), fails("t1", "Exit code 1\nFAIL: TestDates"), replies("It fails."))
	w.comesIn()
	at := "/sessions/claude-code/" + one
	w.wants(w.get(at), "Failed approaches", "go test ./...", "FAIL: TestDates", "It fails.", "failed")
	calls := w.get(w.follow(w.get(at), "call 1"))
	w.wants(calls, `<pre class="code">go test ./...</pre>`)
	if strings.Contains(calls.text, `<pre class="said">`) {
		t.Error("what was said is shown among calls")
	}
	w.wants(w.get(at+"?kind=none"), "There is no such event.")
}

// The beginning of an id leads to the session; another one leads nowhere.
func TestTheBeginningOfAnID(t *testing.T) {
	w := newWorld(t)
	w.works(one, first, says("Teach the parser to read dates."))
	w.comesIn()
	if got := w.get("/sessions/claude-code/1111?line=1"); got.at != "/sessions/claude-code/"+one+"?line=1" {
		t.Errorf("it leads to %s", got.at)
	}
	for _, path := range []string{"/sessions/claude-code/none", "/sessions/none/none", "/none", "/agents/none/none"} {
		if got := w.get(path); got.status != http.StatusNotFound {
			t.Errorf("%s: %d", path, got.status)
		}
	}
}

// A compaction of the context is shown with what the agent's own summary kept and lost.
func TestASeam(t *testing.T) {
	w := newWorld(t)
	w.works(one, first,
		says("Teach the parser to read dates."), runs("t1", "go test ./..."), fails("t1", "Exit code 1\nFAIL: TestDates"), runs("t2", "make fuzz"),
		record{kind: "system", content: "Conversation compacted", more: map[string]any{
			"subtype": "compact_boundary", "content": "Conversation compacted", "compactMetadata": map[string]any{"trigger": "auto", "preTokens": 155000},
		}},
		record{kind: "user", content: "This session is being continued from a previous conversation. We ran go test ./... and it failed.", more: map[string]any{"isCompactSummary": true}},
		says("Go on."))
	w.comesIn()
	page := w.get("/sessions/claude-code/" + one)
	w.wants(page, "1 compaction of the context", "155 k tokens before", "auto")
	_, rest, _ := strings.Cut(page.text, "<h3>Kept")
	kept, rest, _ := strings.Cut(rest, "<h3>Lost")
	lost, _, _ := strings.Cut(rest, "timeline")
	if !strings.Contains(kept, "go test ./...") || !strings.Contains(lost, "make fuzz") {
		t.Errorf("kept:\n%s\nlost:\n%s", kept, lost)
	}
}

// A call has its result below it, open when it failed, and a context that was
// used is drawn.
func TestASession_FoldsResultsAndDrawsUsage(t *testing.T) {
	w := newWorld(t)
	reply := func(text string, tokens int) record {
		r := replies(text)
		r.usage = tokens
		return r
	}
	w.works(one, first, says("Teach the parser to read dates."), reply("I look.", 20_000), runs("t1", "go test ./..."), fails("t1", "Exit code 1\nFAIL: TestDates"), reply("It fails.", 60_000))
	w.comesIn()
	page := w.get("/sessions/claude-code/" + one)
	w.wants(page, "<polyline points=", "at most 60 k tokens", `<details class="folded" id="L4" open>`)
	if strings.Count(page.text, `class="event`)-strings.Count(page.text, `class="events`) < 4 || strings.Contains(page.text, `<b class="who">result</b>`) {
		t.Errorf("the result has a row of its own:\n%s", page.text)
	}
	w.wants(w.get("/sessions/claude-code/"+one+"?kind=result"), "FAIL: TestDates")
}

// A reply is read as Markdown, a raw tag in it stays a text, and what an edit changed is
// compared line by line.
func TestASession_ReadsMarkdownAndComparesEdits(t *testing.T) {
	w := newWorld(t)
	edit := record{kind: "assistant", content: []any{map[string]any{"type": "tool_use", "id": "t1", "name": "Edit", "input": map[string]any{
		"file_path": w.project + "/dates.go", "old_string": "zone := local\nreturn zone", "new_string": "zone := <b>UTC</b>\nreturn zone",
	}}}}
	w.works(one, first, says("Teach the parser to read dates."), edit,
		record{kind: "user", content: []any{map[string]any{"type": "tool_result", "tool_use_id": "t1", "content": "done"}}},
		replies("## Done\n\n- it reads **dates** <img src=x>\n- see [the docs](https://example.org/dates)\n\n```go\nzone := UTC\n```"))
	w.comesIn()
	page := w.get("/sessions/claude-code/" + one)
	w.wants(page, `<p class="heading"><strong>Done</strong></p>`, "<strong>dates</strong> &lt;img src=x&gt;", `<a href="https://example.org/dates" rel="noopener noreferrer nofollow">the docs</a>`,
		`<pre class="code" tabindex="0">zone := UTC</pre>`, `<div id="edit-`)
	compared := w.get(w.follow(page, "what the edits above changed"))
	w.wants(compared, "<del>zone := local</del>", "<ins>zone := &lt;b&gt;UTC&lt;/b&gt;</ins>", "<span>return zone</span>", `hx-swap-oob="true"`, "dates.go")
}
