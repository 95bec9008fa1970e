package hookclient_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/hookclient"
	"github.com/carryover-go/carryover/toolspecs"
)

// call is a client in a short-named home, so that its socket can be bound.
func call(t *testing.T, tool, event, payload string) (hookclient.Call, *bytes.Buffer) {
	t.Helper()
	dir, err := os.MkdirTemp("", "co")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	var out bytes.Buffer
	return hookclient.Call{
		Home: home.Dir(dir), Tool: tool, Event: event, Stdin: strings.NewReader(payload), Stdout: &out,
		Start: time.Now(), Getenv: func(string) string { return "" },
	}, &out
}

// serve answers at the home's socket as the daemon would.
func serve(t *testing.T, dir home.Dir, handler http.HandlerFunc) {
	t.Helper()
	if err := dir.Make("run"); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", dir.Socket())
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: handler}
	go func() { _ = server.Serve(socket) }()
	t.Cleanup(func() { _ = server.Close() })
}

func TestTheAnswerIsPrintedByteForByte(t *testing.T) {
	const text = "# [CARRYOVER] …\nsecond line\n\n"
	c, out := call(t, "claude-code", "SessionStart", `{"session_id":"s"}`)
	c.Getenv = func(name string) string {
		return map[string]string{"CLAUDE_CODE_ENTRYPOINT": "sdk-cli", "ANTHROPIC_API_KEY": "secret"}[name]
	}
	serve(t, c.Home, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.URL.Path != "/hook/claude-code/SessionStart" || string(body) != `{"session_id":"s"}` {
			t.Errorf("the daemon got %s with %s", r.URL.Path, body)
		}
		if marks := r.Header.Values("X-Carryover-Mark"); !slices.Equal(marks, []string{"CLAUDE_CODE_ENTRYPOINT=sdk-cli"}) {
			t.Errorf("marks are %q", marks)
		}
		w.Header().Set("Content-Length", fmt.Sprint(len(text)))
		_, _ = io.WriteString(w, text)
	})
	c.Run()
	if out.String() != text {
		t.Errorf("printed %q", out)
	}
	if spooled(t, c.Home) != nil {
		t.Error("a note was left although the daemon answered")
	}
}

// Whatever the daemon answers but a whole 200, nothing is printed.
func TestOtherAnswersPrintNothing(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"204": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
		"202": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) },
		"500": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "stack trace", http.StatusInternalServerError)
		},
		"broken off": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, "half")
		},
		"without length": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "a")
			w.(http.Flusher).Flush()
			_, _ = io.WriteString(w, "b")
		},
	} {
		t.Run(name, func(t *testing.T) {
			c, out := call(t, "codex", "Stop", `{"session_id":"s"}`)
			serve(t, c.Home, handler)
			c.Run()
			if out.Len() > 0 {
				t.Errorf("printed %q", out)
			}
		})
	}
}

// A daemon that hangs costs the deadline and no more, and the note is left.
func TestAHangingDaemonCostsTheDeadline(t *testing.T) {
	c, out := call(t, "codex", "Stop", `{"session_id":"s","transcript_path":"/t"}`)
	released := make(chan struct{})
	serve(t, c.Home, func(http.ResponseWriter, *http.Request) { <-released })
	defer close(released)
	c.Run()
	if notes := spooled(t, c.Home); out.Len() > 0 || len(notes) != 1 {
		t.Errorf("printed %q, left %d notes", out, len(notes))
	}
}

func TestStdinThatIsNeverClosed(t *testing.T) {
	c, out := call(t, "codex", "Stop", "")
	in, _ := io.Pipe()
	c.Stdin = in
	c.Run() // must return
	if out.Len() > 0 {
		t.Errorf("printed %q", out)
	}
}

// Without a daemon a note is left that says what to read, and nothing of the
// payload's content.
func TestTheNoteHoldsNoContent(t *testing.T) {
	c, _ := call(t, "claude-code", "UserPromptSubmit", `{"session_id":"s1","transcript_path":"/home/dev/t.jsonl","cwd":"/home/dev/p","prompt":"the secret plan"}`)
	c.Run()
	notes := spooled(t, c.Home)
	if len(notes) != 1 {
		t.Fatalf("%d notes", len(notes))
	}
	got := notes[0]
	if got.Tool != "claude-code" || got.Event != "UserPromptSubmit" || got.Session != "s1" || got.Transcript != "/home/dev/t.jsonl" || got.Cwd != "/home/dev/p" || got.Time == 0 {
		t.Errorf("the note is %+v", got)
	}
	files, _ := filepath.Glob(filepath.Join(c.Home.Spool(), "*"))
	for _, file := range files {
		data, _ := os.ReadFile(file)
		if bytes.Contains(data, []byte("secret")) || len(data) > 2<<10 {
			t.Errorf("%s holds %d bytes: %s", file, len(data), data)
		}
		if info, _ := os.Stat(file); info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", file, info.Mode())
		}
	}
}

// The last handoff is given out at a session start: once per session, never to
// its own session, never beyond its age, in the silent form where nobody can
// answer.
func TestTheLastHandoffWithoutADaemon(t *testing.T) {
	project := t.TempDir()
	if err := os.MkdirAll(filepath.Join(project, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	sub := filepath.Join(project, "sub")
	if err := os.Mkdir(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	headless := filepath.Join(t.TempDir(), "rollout.jsonl")
	if err := os.WriteFile(headless, []byte(`{"type":"session_meta","payload":{"originator":"codex_exec"}}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, run := range map[string]struct {
		tool, event, session, cwd, transcript, agent string
		env                                          map[string]string
		caller                                       []string
		age                                          time.Duration
		want                                         string
	}{
		"a new session":          {session: "new", cwd: project, want: "ASK\nbody\n"},
		"started in a subfolder": {session: "new", cwd: sub, want: "ASK\nbody\n"},
		"headless Claude Code":   {session: "new", cwd: project, env: map[string]string{"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}, want: "SILENT\nbody\n"},
		"headless Codex":         {tool: "codex", session: "new", cwd: project, transcript: headless, want: "SILENT\nbody\n"},
		"its own session":        {session: "old", cwd: project},
		"too old":                {session: "new", cwd: project, age: 15 * 24 * time.Hour},
		"another project":        {session: "new", cwd: t.TempDir()},
		"inside a subagent":      {session: "new", cwd: project, agent: "a1"},
		"another event":          {event: "UserPromptSubmit", session: "new", cwd: project},
		"Copilot CLI":            {tool: "copilot-cli", event: "sessionStart", session: "new", cwd: project, want: `{"additionalContext":"ASK\nbody\n"}` + "\n"},
		"a subagent of Copilot":  {tool: "copilot-cli", event: "sessionStart", session: "new", cwd: project, agent: "a1"},
		"Gemini CLI":             {tool: "gemini-cli", event: "BeforeAgent", session: "new", cwd: project, want: `{"hookSpecificOutput":{"additionalContext":"ASK\nbody\n"}}` + "\n"},
		"headless Copilot CLI":   {tool: "copilot-cli", event: "sessionStart", session: "new", cwd: project, caller: []string{"copilot", "-p", "Do it."}, want: `{"additionalContext":"SILENT\nbody\n"}` + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			tool, event := run.tool, run.event
			if tool == "" {
				tool = "claude-code"
			}
			if event == "" {
				event = "SessionStart"
			}
			fields := map[string]string{"session_id": run.session, "cwd": run.cwd, "transcript_path": run.transcript, "agent_id": run.agent}
			if tool == "copilot-cli" {
				fields = map[string]string{"sessionId": run.session, "cwd": run.cwd, "agentId": run.agent}
			}
			input, _ := json.Marshal(fields)
			dir := home.Dir(t.TempDir())
			leave(t, dir, project, time.Now().Add(-run.age))
			for attempt, want := range []string{run.want, ""} { // the second time it was given already
				c, out := call(t, tool, event, string(input))
				c.Home = dir
				c.Getenv = func(name string) string { return run.env[name] }
				c.Caller = func() hookclient.Caller { return hookclient.Caller{Words: run.caller} }
				c.Run()
				if out.String() != want {
					t.Errorf("attempt %d printed %q, want %q", attempt+1, out, want)
				}
			}
		})
	}
}

// A repository cannot speak as us: what lies in the project is not read.
func TestNothingInTheProjectIsRead(t *testing.T) {
	project := t.TempDir()
	if err := os.MkdirAll(filepath.Join(project, ".carryover"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(project, ".carryover", "handoff.md"), []byte("run this command"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, out := call(t, "claude-code", "SessionStart", fmt.Sprintf(`{"session_id":"s","cwd":%q}`, project))
	c.Run()
	if out.Len() > 0 {
		t.Errorf("printed %q", out)
	}
}

// Every variable that some spec's facts ask for is sent along.
func TestTheMarksAreThoseOfTheSpecs(t *testing.T) {
	table, failed := toolspecs.Load(nil)
	if len(failed) > 0 {
		t.Fatal(failed)
	}
	c, _ := call(t, "claude-code", "Stop", "{}")
	c.Getenv = func(name string) string { return "set" }
	var sent []string
	serve(t, c.Home, func(_ http.ResponseWriter, r *http.Request) { sent = r.Header.Values("X-Carryover-Mark") })
	c.Run()
	for _, name := range table.EnvMarks() {
		if !slices.Contains(sent, name+"=set") {
			t.Errorf("%s is not sent along", name)
		}
	}
}

// Only a tool without a transcript has its payload kept, and each of them has.
func TestPayloadsOfToolsWithoutATranscriptAreKept(t *testing.T) {
	table, failed := toolspecs.Load(nil)
	if len(failed) > 0 {
		t.Fatal(failed)
	}
	for _, spec := range table.All() {
		c, _ := call(t, spec.Tool, "x", `{"said":"this"}`)
		c.Run()
		notes, err := filepath.Glob(filepath.Join(c.Home.Spool(), "*.json"))
		if err != nil || len(notes) != 1 {
			t.Fatalf("notes: %v, %v", notes, err)
		}
		note, err := os.ReadFile(notes[0])
		if err != nil {
			t.Fatal(err)
		}
		if kept := strings.Contains(string(note), "this"); kept != (spec.Capture == "hook") {
			t.Errorf("the payload of %s is kept: %v", spec.Tool, kept)
		}
	}
}

func leave(t *testing.T, dir home.Dir, project string, updated time.Time) {
	t.Helper()
	if err := dir.Make("handoffs"); err != nil {
		t.Fatal(err)
	}
	data, _ := json.Marshal(home.Fallback{
		Heads: map[string]string{"mode": "ASK\n", "silent": "SILENT\n"}, Body: "body\n",
		Answers: map[string]string{
			"claude-code/sessionstart": "", "codex/sessionstart": "", "copilot-cli/sessionstart": "additionalContext",
			"gemini-cli/beforeagent": "hookSpecificOutput.additionalContext",
		},
		Tool: "codex", Session: "old", Updated: updated.Unix(), Limit: 14 * 24 * 3600,
	})
	path := filepath.Join(dir.Handoffs(), home.ProjectKey(home.WorktreeRoot(project))+".json")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func spooled(t *testing.T, dir home.Dir) []home.Envelope {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir.Spool(), "*.json"))
	var notes []home.Envelope
	for _, file := range files {
		data, err := os.ReadFile(file)
		var note home.Envelope
		if err != nil || json.Unmarshal(data, &note) != nil {
			t.Fatalf("note %s: %v", file, err)
		}
		notes = append(notes, note)
	}
	return notes
}
