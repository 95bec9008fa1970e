package daemon_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// Two agents that change one file within a minute are both told of the other, once,
// at the end of a call or at the next prompt.
func TestOverlap_BothAgentsAreTold(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	w.starts(first, w.project, "startup")
	w.works(first, w.project, "Parse the dates of the log file")
	if text := w.toolRan(first, ""); text != "" {
		t.Errorf("alone it was given\n%s", text)
	}
	w.starts(second, w.project, "startup")
	w.works(second, w.project, "Rename the parser")
	for _, one := range []struct {
		session  string
		notified func() string
	}{{second, func() string { return w.prompts(second) }}, {first, func() string { return w.toolRan(first, "") }}} {
		session := one.session
		w.toolRan(session, "a1") // a subagent is told nothing
		text := one.notified()
		if !strings.Contains(text, "The file: parser.go, changed by Claude Code session ") || strings.Contains(text, session[:8]) {
			t.Errorf("%s was given\n%s", session, text)
		}
		if again := w.toolRan(session, ""); again != "" {
			t.Errorf("%s was told again\n%s", session, again)
		}
	}
	if got := w.why(first); got.Decision != "overlap" {
		t.Errorf("decided %+v", got)
	}
}

// One that works on another file, or after the other one ended, is told nothing.
func TestOverlap_NobodyIsToldOfAnEndedSessionOrAnotherFile(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	w.starts(first, w.project, "startup")
	w.works(first, w.project, "Parse the dates of the log file")
	w.starts(third, w.project, "startup")
	w.worksOn(third, w.project, "Write the readme", filepath.Join(w.project, "README.md"))
	if text := w.toolRan(third, ""); text != "" {
		t.Errorf("on another file it was given\n%s", text)
	}
	w.ends(first, w.project)
	w.starts(second, w.project, "startup")
	w.works(second, w.project, "Rename the parser")
	if text := w.toolRan(second, ""); text != "" {
		t.Errorf("after the other one ended it was given\n%s", text)
	}
}
