package daemon_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/hookclient"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// why is the newest decision of the gate about a session.
func (w *world) why(session string) view.Restore {
	w.t.Helper()
	status, err := client.New(w.home).Status(context.Background())
	if err != nil {
		w.t.Fatalf("status: %v", err)
	}
	for _, decision := range status.Restores {
		if decision.Session == session {
			return decision
		}
	}
	w.t.Fatalf("no decision about %s is kept", session)
	return view.Restore{}
}

// ends says that a session of Claude Code is over.
func (w *world) ends(id, dir string) {
	w.t.Helper()
	w.hook("claude-code", "SessionEnd", map[string]string{"session_id": id, "cwd": dir, "transcript_path": w.transcript(id), "hook_event_name": "SessionEnd"})
}

// A dismissed handoff is given to nobody, with the daemon or without, until
// its session does something again.
func TestADismissedHandoffIsGivenToNobody(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	w.works(first, w.project, "Parse the dates of the log file")
	w.hook("claude-code", "PreCompact", map[string]string{"session_id": first, "cwd": w.project, "transcript_path": w.transcript(first)})
	if dismissal, err := client.New(w.home).Dismiss(t.Context(), view.DismissRequest{Directory: w.project}); err != nil || dismissal.Session.Session != first {
		t.Fatalf("dismissed %+v (%v)", dismissal, err)
	}
	if text := w.starts(second, w.project, "startup"); text != "" {
		t.Errorf("the daemon gave\n%s", text)
	}
	if got := w.why(second); got.Decision != "nothing" || got.Reason != "the handoff was dismissed by the user" {
		t.Errorf("decided %+v", got)
	}
	file, err := os.ReadFile(filepath.Join(w.project, ".carryover", "handoff.md"))
	if err != nil || strings.Contains(string(file), "Parse the dates") || !strings.Contains(string(file), "dismissed") {
		t.Errorf("the file still says (%v)\n%s", err, file)
	}
	w.stop()
	if text := w.starts(third, w.project, "startup"); text != "" {
		t.Errorf("the hook client gave\n%s", text)
	}
}

// The mode the project chose is the header that is given; a broken file is
// named and the default used.
func TestAProjectChoosesItsMode(t *testing.T) {
	for text, want := range map[string]struct{ header, reason string }{
		"resume = \"ask\"\n":    {"RESUME PROTOCOL: ask\nFirst reply: two sentences", "resume mode ask"},
		"resume = \"brief\"\n":  {"RESUME PROTOCOL: brief\nBegin the first reply with (resuming: ", "resume mode brief"},
		"resume = \"silent\"\n": {"RESUME PROTOCOL: silent\nBackground for the work ahead", "resume mode silent"},
		"resume = \n":           {"RESUME PROTOCOL: ask\n", ".carryover.toml"},
		"tools = [\"codex\"]\n": {"RESUME PROTOCOL: ask\n", "a project can set only resume, project_files, exclude, parts, not tools"},
	} {
		t.Run(strings.TrimSpace(text), func(t *testing.T) {
			w := newWorld(t)
			w.install()
			w.write(filepath.Join(w.project, ".carryover.toml"), text)
			w.start()
			w.works(first, w.project, "Parse the dates of the log file")
			if given := w.starts(second, w.project, "startup"); !strings.Contains(given, want.header) {
				t.Errorf("the header is not %q:\n%s", want.header, given)
			}
			if got := w.why(second); !strings.Contains(got.Reason, want.reason) {
				t.Errorf("the reason is %q, not about %q", got.Reason, want.reason)
			}
		})
	}
}

// What is special about the work that is handed over is said with it, and in
// the decision.
func TestTheDecisionSaysWhatIsSpecial(t *testing.T) {
	for name, test := range map[string]struct {
		prepare      func(w *world) (dir string)
		said, reason string
	}{
		"another session that has not ended": {
			func(w *world) string {
				w.starts(first, w.project, "startup")
				w.works(first, w.project, "Parse the dates of the log file")
				return w.project
			}, "may still be at work: claude-code 11111111-000.", "may still be at it",
		},
		"one that has": {
			func(w *world) string {
				w.starts(first, w.project, "startup")
				w.works(first, w.project, "Parse the dates of the log file")
				w.ends(first, w.project)
				return w.project
			}, "Parse the dates", "a new session in a project with earlier work",
		},
		"another branch": {
			func(w *world) string {
				w.works(first, w.project, "Parse the dates of the log file")
				w.git("checkout", "-q", "-b", "other")
				return w.project
			}, "The branch is other now; the work below was done on main", "another branch",
		},
		"another worktree": {
			func(w *world) string {
				w.works(first, w.project, "Parse the dates of the log file")
				w.git("-c", "user.name=ada", "-c", "user.email=ada@example.org", "commit", "-q", "--allow-empty", "-m", "first")
				dir := filepath.Join(w.user, "tree")
				w.git("worktree", "add", "-q", "-b", "side", dir)
				return dir
			}, "was done in another worktree of this project", "another worktree",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.install()
			w.start()
			text := w.starts(second, test.prepare(w), "startup")
			if !strings.Contains(text, test.said) || !strings.Contains(text, "Parse the dates") {
				t.Errorf("it is not said that %s:\n%s", test.said, text)
			}
			if got := w.why(second); got.Decision != "full" || !strings.Contains(got.Reason, test.reason) {
				t.Errorf("decided %+v", got)
			}
		})
	}
}

func (w *world) git(args ...string) {
	w.t.Helper()
	if out, err := exec.Command("git", append([]string{"-C", w.project}, args...)...).CombinedOutput(); err != nil {
		w.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// An agent that `carryover switch` opened with the handoff is not given it
// again, with the daemon or without; the session goes on with the other's
// facts all the same, and one that is cleared later is a new one.
func TestAnAgentOpenedWithTheHandoff(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	w.works(first, w.project, "Parse the dates of the log file")
	w.ends(first, w.project)
	opened := func(id, source string) string {
		payload, err := json.Marshal(map[string]string{"session_id": id, "cwd": w.project, "source": source, "transcript_path": w.transcript(id), "hook_event_name": "SessionStart"})
		if err != nil {
			t.Fatal(err)
		}
		return w.post("claude-code", "SessionStart", payload, "CARRYOVER_OPENED_WITH="+first)
	}
	if text := opened(second, "startup"); text != "" {
		t.Errorf("it was given again:\n%s", text)
	}
	if got := w.why(second); got.Decision != "opened" || got.From == nil || got.From.Session != first {
		t.Errorf("decided %+v", got)
	}
	if text := opened(third, "clear"); !strings.Contains(text, "Parse the dates") {
		t.Errorf("a cleared session was given %q", text)
	}
	w.works(second, w.project, "now parse the times, too")
	w.hook("claude-code", "Stop", map[string]string{"session_id": second, "cwd": w.project, "transcript_path": w.transcript(second)})
	w.eventually("the goal is the first session's", func() bool {
		file, err := os.ReadFile(filepath.Join(w.project, ".carryover", "handoff.md"))
		return err == nil && strings.Contains(string(file), "parse the times") && strings.Contains(string(file), "2 times")
	})
	w.stop()
	if text := opened("44444444-0000-4000-8000-000000000004", "startup"); text != "" {
		t.Errorf("the hook client gave\n%s", text)
	}
}

// Copilot CLI and Gemini CLI do not tell a first session from a cleared one; its
// first prompt does, which is the handoff or is not.
func TestAnAgentOpenedWithTheHandoffThatTellsNoSource(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	w.works(first, w.project, "Parse the dates of the log file")
	w.ends(first, w.project)
	starts := func(id, prompt string) string {
		payload, err := json.Marshal(map[string]string{"sessionId": id, "cwd": w.project, "source": "new", "initialPrompt": prompt})
		if err != nil {
			t.Fatal(err)
		}
		return w.post("copilot-cli", "sessionStart", payload, "CARRYOVER_OPENED_WITH="+first)
	}
	if text := starts(second, "# [CARRYOVER] Last updated …"); text != "" || w.why(second).Decision != "opened" {
		t.Errorf("it was given again, by %+v:\n%s", w.why(second), text)
	}
	if text := starts(third, "How do things stand?"); !strings.Contains(text, "Parse the dates") {
		t.Errorf("a cleared session was given %q", text)
	}
}

// Copilot CLI tells on its command line alone that nobody is there: what it is
// given asks nothing.
func TestARunWithOnePromptIsNotAsked(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	w.works(first, w.project, "Parse the dates of the log file")
	w.ends(first, w.project)
	for session, words := range map[string][]string{second: {"copilot", "-p", "Go on."}, third: {"copilot", "--banner"}} {
		var out bytes.Buffer
		hookclient.Call{
			Home: w.home, Tool: "copilot-cli", Event: "sessionStart", Start: time.Now().Add(10 * time.Second), Stdout: &out,
			Stdin:  strings.NewReader(fmt.Sprintf(`{"sessionId":%q,"cwd":%q,"source":"new"}`, session, w.project)),
			Getenv: func(string) string { return "" }, Caller: func() hookclient.Caller { return hookclient.Caller{Words: words} },
		}.Run()
		want := "RESUME PROTOCOL: ask"
		if session == second {
			want = "RESUME PROTOCOL: silent"
		}
		if !strings.Contains(out.String(), want) {
			t.Errorf("started with %q it was given %s", words, &out)
		}
	}
}
