package daemon_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// says is one message of a session: who, and what.
type says struct{ who, text string }

// talks writes a session of Claude Code in which something is said and nothing
// done, after the daemon heard of its start. It returns what the start was given.
func (w *world) talks(id string, messages ...says) (given string) {
	w.t.Helper()
	given = w.starts(id, w.project, "startup")
	at := time.Now().UTC()
	for n, m := range messages {
		content := fmt.Sprintf(`%q`, m.text)
		if m.who == "assistant" {
			content = fmt.Sprintf(`[{"type":"text","text":%q}]`, m.text)
		}
		at = at.Add(time.Millisecond)
		w.append(w.transcript(id), fmt.Sprintf(
			`{"type":%q,"uuid":"%s-%d","sessionId":%q,"timestamp":%q,"cwd":%q,"gitBranch":"main","version":"2.1.329","entrypoint":"cli","message":{"id":"m%d","role":%q,"content":%s}}`,
			m.who, id[:8], n, id, at.Format("2006-01-02T15:04:05.000Z"), w.project, n, m.who, content))
	}
	w.hook("claude-code", "Stop", map[string]string{"session_id": id, "cwd": w.project, "transcript_path": w.transcript(id)})
	w.ends(id, w.project)
	return given
}

// idle is the id of the n-th session that does nothing.
func idle(n int) string { return fmt.Sprintf("%08d-0000-4000-8000-000000000000", 50000000+n) }

// bodyOf is a handoff without its header.
func bodyOf(text string) string {
	_, body, _ := strings.Cut(text, "## Task")
	return body
}

// However many sessions only look in, the last work is what the next one is
// given, unchanged, and what stands in the project.
func TestChain_IdleSessionsHandOnTheLastWork(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	w.starts(first, w.project, "startup")
	w.works(first, w.project, "Parse the dates of the log file")
	w.hook("claude-code", "Stop", map[string]string{"session_id": first, "cwd": w.project, "transcript_path": w.transcript(first)})
	w.ends(first, w.project)
	want := bodyOf(w.talks(idle(0), says{"user", "hello"}, says{"assistant", "Earlier work was on the dates of the log file. Shall I continue?"}))
	if !strings.Contains(want, "Parse the dates of the log file") {
		t.Fatalf("the first greeting was given\n%s", want)
	}
	for n, messages := range [][]says{
		nil, // opened and closed
		{{"user", "hi"}, {"assistant", "Hello! Shall I go on with the dates?"}},
		{{"user", "hello"}},
	} {
		if got := bodyOf(w.talks(idle(n+1), messages...)); got != want {
			t.Errorf("after %d idle sessions the next was given\n%s\nwant\n%s", n+1, got, want)
		}
	}
	if got := bodyOf(w.starts(second, w.project, "startup")); got != want {
		t.Errorf("after all of them\n%s", got)
	}
	w.eventually("the project to hold it", func() bool { // publishing waits for nobody's hook
		file, err := os.ReadFile(filepath.Join(w.project, ".carryover", "handoff.md"))
		return err == nil && bodyOf(string(file)) == want
	})
	if got := w.why(idle(3)); got.From.Session != first {
		t.Errorf("a later session was given %+v, want the handoff of %s", got, first)
	}
}

// What the commands show is the work, not who looked in last.
func TestChain_CommandsShowTheLastWork(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	w.works(first, w.project, "Parse the dates of the log file")
	w.talks(idle(0), says{"user", "hello"}, says{"assistant", "Hello! Shall I go on?"})
	w.talks(idle(1))
	status, err := client.New(w.home).Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if status.Handoff == nil || status.Handoff.Session != first {
		t.Errorf("status names %+v", status.Handoff)
	}
	w.stop()
	p := w.reading()
	document, err := p.Handoff(t.Context(), view.HandoffRequest{SessionSelector: view.SessionSelector{Directory: w.project}})
	if err != nil || !strings.Contains(document.Text, "Parse the dates of the log file") {
		t.Errorf("handoff (%v):\n%s", err, document.Text)
	}
	history, err := p.HandoffHistory(t.Context(), view.HistoryRequest{Directory: w.project, Limit: 10})
	if err != nil || len(history.Items) != 1 || history.Items[0].Session != first || history.Items[0].Given != 2 {
		t.Errorf("history (%v): %+v", err, history.Items)
	}
	opening, err := p.PrepareSwitch(t.Context(), view.SwitchRequest{Directory: w.project, Tool: "codex"})
	if err != nil || opening.From.Session != first {
		t.Errorf("switch (%v): %+v", err, opening)
	}
}

// Sessions without any request hand over nothing, and it is said why.
func TestChain_WithoutARequestNothingIsGiven(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	w.talks(idle(0))
	w.talks(idle(1), says{"assistant", "Hello! What shall I do?"})
	if text := w.starts(second, w.project, "startup"); text != "" {
		t.Errorf("it was given\n%s", text)
	}
	if got := w.why(second); got.Decision != "nothing" || !strings.Contains(got.Reason, "no request was recorded") {
		t.Errorf("decided %+v", got)
	}
	if _, err := os.Stat(filepath.Join(w.project, ".carryover", "handoff.md")); err == nil {
		t.Error("a handoff without a request stands in the project")
	}
}

// A dismissed handoff stays dismissed when somebody looks in afterwards.
func TestChain_ADismissedHandoffStaysDismissed(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	w.works(first, w.project, "Parse the dates of the log file")
	w.talks(idle(0), says{"user", "hello"}, says{"assistant", "Shall I go on?"})
	w.dismisses(first)
	for n := 1; n < 4; n++ {
		if given := w.talks(idle(n), says{"user", "hello"}, says{"assistant", "Hello!"}); given != "" {
			t.Errorf("session %d was given\n%s", n, given)
		}
	}
	w.works(third, w.project, "Write the docs of the log file")
	if text := w.starts(second, w.project, "startup"); !strings.Contains(text, "Write the docs of the log file") {
		t.Errorf("new work after it is given as\n%s", text)
	}
}

// reading is a pipeline over the ledger of a daemon that has stopped.
func (w *world) reading() *daemon.Services {
	w.t.Helper()
	p, err := daemon.OpenReadOnly(w.home, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = p.Store.Close() })
	return p
}

// dismisses does what `carryover dismiss` does, and asserts whose handoff it is.
func (w *world) dismisses(session string) {
	w.t.Helper()
	dismissal, err := client.New(w.home).Dismiss(w.t.Context(), view.DismissRequest{Directory: w.project})
	if err != nil || dismissal.Session.Session != session {
		w.t.Fatalf("dismissed %+v (%v), want %s", dismissal, err, session)
	}
}
