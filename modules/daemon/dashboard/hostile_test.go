package dashboard_test

import (
	"strings"
	"testing"
	"time"
)

// hostile is what a transcript may hold, each to break out of another place.
const hostile = `<script>alert(1)</script><img src=x onerror=alert(2)> "onmouseover=alert(3) x=" ` +
	`javascript:alert(4) </textarea></title><style>*{display:none}</style> {{.CSRF}} ` + "`<b>bold</b>`" +
	" \x1b]0;title\x07\x1b[31mred \u202eesrever \u2066hidden\u2069 \x00 \x08"

// Whatever a transcript says, it is text.
func TestTranscriptsAreHostile(t *testing.T) {
	w := newWorld(t)
	w.works(one, first,
		says("Mend "+hostile), runs("t1", "echo "+hostile), fails("t1", "Exit code 1\n"+hostile), replies("DECISION: "+hostile+"\nChosen: "+hostile+"\nRationale: "+hostile),
		record{kind: "summary", content: "", more: map[string]any{"summary": hostile, "leafUuid": "11111111-0"}},
		record{kind: "user", content: "see [here](javascript:alert(5))", more: map[string]any{"cwd": w.project, "gitBranch": hostile, "version": hostile}})
	w.comesIn()
	w.eventually("the health to be known", func() bool { return strings.Contains(w.get("/").text, "Check again") })
	for _, path := range []string{
		"/", "/sessions", "/projects", w.projectPage(), "/sessions/claude-code/" + one, "/search?q=mend",
		"/search?q=%3Cscript%3Ealert(1)%3C/script%3E", "/search?q=%22onmouseover%3Dalert(3)&tool=%22%3E%3Cscript%3E",
		"/sessions/claude-code/" + one + "?kind=%22%3E%3Cscript%3E", "/sessions?tool=%22%3E%3Cscript%3E", "/%3Cscript%3E",
		"/sessions/%3Cscript%3E/%22onload=",
	} {
		page := w.get(path)
		for _, broken := range []string{
			"<script>alert", "<script>\"", "<img", `"onmouseover`, `" onmouseover`, "<style>", `href="javascript`, "<b>bold", "\x1b", "\u202e", "\u2066", "\x00", "\x08", "\x07",
		} {
			if strings.Contains(page.text, broken) {
				at := strings.Index(page.text, broken)
				t.Errorf("%s holds %q: …%s…", path, broken, page.text[max(0, at-80):min(len(page.text), at+80)])
			}
		}
	}
}

// A line of a megabyte is shown to its bound.
func TestAHugeLine(t *testing.T) {
	w := newWorld(t)
	w.works(one, first, says("Read this: "+strings.Repeat("long-", 200_000)), says("And now?"))
	w.comesIn()
	began := time.Now()
	for _, path := range []string{"/", w.projectPage(), "/sessions/claude-code/" + one, "/search?q=read"} {
		page := w.get(path)
		if page.status != 200 || len(page.text) > 200_000 {
			t.Errorf("%s: %d, %d bytes after %s", path, page.status, len(page.text), time.Since(began))
		}
	}
	w.wants(w.get("/sessions/claude-code/"+one), "more characters")
}
