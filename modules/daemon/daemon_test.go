package daemon_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/homelock"
	"github.com/carryover-go/carryover/modules/daemon/hookclient"
	"github.com/carryover-go/carryover/modules/daemon/publish"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/toolspecs"
)

// world is a user's home with a project in it and a daemon at work.
type world struct {
	seen    string // what the person saw last
	t       testing.TB
	user    string
	home    home.Dir
	project string
	stop    func()
}

func newWorld(t testing.TB) *world {
	t.Helper()
	user, err := os.MkdirTemp("", "co")
	if err != nil {
		t.Fatal(err)
	}
	if user, err = filepath.EvalSymlinks(user); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(user) })
	for name, value := range map[string]string{
		"HOME": user, "CARRYOVER_HOME": "", "CARRYOVER_LISTEN": "127.0.0.1:0", "CLAUDE_CONFIG_DIR": "", "CODEX_HOME": "", "COPILOT_HOME": "", "GEMINI_CLI_HOME": "",
		"XDG_CONFIG_HOME": "", "XDG_DATA_HOME": "",
		"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
	} {
		t.Setenv(name, value)
	}
	w := &world{t: t, user: user, home: home.Dir(filepath.Join(user, ".carryover")), project: filepath.Join(user, "proj")}
	w.repository(w.project)
	return w
}

func (w *world) repository(dir string) {
	w.t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		w.t.Fatal(err)
	}
	if out, err := exec.Command("git", "init", "-q", "-b", "main", dir).CombinedOutput(); err != nil {
		w.t.Fatalf("git init: %v\n%s", err, out)
	}
}

func (w *world) write(path, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// install pretends that both tools were wired now.
func (w *world) install() {
	w.t.Helper()
	if err := w.home.Make(); err != nil {
		w.t.Fatal(err)
	}
	record := wiring.Record{Installed: time.Now().Add(-time.Hour).UTC(), Files: []wiring.FileRecord{
		{Tool: "claude-code", Path: "settings.json", Version: "2.1.329"}, {Tool: "codex", Path: "hooks.json", Version: "0.169.0"},
	}}
	if err := record.Write(w.home); err != nil {
		w.t.Fatal(err)
	}
}

// start runs a daemon until stop or the end of the test.
func (w *world) start() {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- daemon.Run(ctx, daemon.Options{Home: w.home}) }()
	w.stop = func() {
		cancel()
		if err := <-ended; err != nil {
			w.t.Errorf("the daemon ended with %v", err)
		}
		w.stop = func() {}
	}
	w.t.Cleanup(func() { w.stop() })
	w.eventually("the daemon answers", func() bool {
		_, err := client.New(w.home).Health(context.Background())
		return err == nil
	})
}

func (w *world) eventually(what string, holds func() bool) {
	w.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if holds() {
			return
		}
	}
	w.t.Fatalf("never happened: %s", what)
}

// hook calls the client as an agent would and returns what it prints.
func (w *world) hook(tool, event string, payload map[string]string) string {
	w.t.Helper()
	input, err := json.Marshal(payload)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.post(tool, event, input)
}

// post calls the client with a payload, and an environment of NAME=value.
func (w *world) post(tool, event string, payload []byte, env ...string) string {
	w.t.Helper()
	var out bytes.Buffer
	// A start in the future gives a loaded test machine more time than an
	// agent would.
	hookclient.Call{
		Home: w.home, Tool: tool, Event: event, Stdin: bytes.NewReader(payload), Stdout: &out,
		Start: time.Now().Add(10 * time.Second), Getenv: func(name string) string {
			for _, variable := range env {
				if value, ok := strings.CutPrefix(variable, name+"="); ok {
					return value
				}
			}
			return ""
		},
	}.Run()
	return w.forModel(tool, event, out.String())
}

// session starts a Claude Code session in a folder, as its hook says it.

// forModel is what of an answer reaches the model; what the person sees is kept in
// w.seen.
func (w *world) forModel(tool, event, answer string) string {
	w.t.Helper()
	var object map[string]any
	if json.Unmarshal([]byte(answer), &object) != nil || object["systemMessage"] == nil {
		return answer
	}
	w.seen = object["systemMessage"].(string)
	given, _ := object["hookSpecificOutput"].(map[string]any)
	text, _ := given["additionalContext"].(string)
	hook := w.spec(tool, event)
	if text == "" || hook.Output == "plain" {
		return text
	}
	again, err := hook.Answer(text, "")
	if err != nil {
		w.t.Fatal(err)
	}
	return again
}

func (w *world) spec(tool, event string) toolspecs.Hook {
	w.t.Helper()
	table, _ := toolspecs.Load(nil)
	spec, err := table.Lookup(tool)
	if err != nil {
		w.t.Fatal(err)
	}
	hook, _ := spec.Hook(event)
	return hook
}

func (w *world) starts(id, dir, source string) string {
	w.t.Helper()
	return w.hook("claude-code", "SessionStart", map[string]string{
		"session_id": id, "cwd": dir, "source": source, "transcript_path": w.transcript(id), "hook_event_name": "SessionStart",
	})
}

func (w *world) transcript(id string) string {
	return filepath.Join(w.user, ".claude", "projects", "-proj", id+".jsonl")
}

// works writes a session of Claude Code: a request, an edit, a failing test.
func (w *world) works(id, dir, request string) {
	w.t.Helper()
	w.worksOn(id, dir, request, filepath.Join(dir, "parser.go"))
}

// worksOn is works with the file that is edited.
func (w *world) worksOn(id, dir, request, file string) {
	w.t.Helper()
	at := time.Now().Add(-time.Minute).UTC()
	var text strings.Builder
	add := func(kind, message, more string) {
		at = at.Add(time.Second)
		fmt.Fprintf(&text, `{"type":%q,"uuid":"%s-%d","sessionId":%q,"timestamp":%q,"cwd":%q,"gitBranch":"main","version":"2.1.329","entrypoint":"cli","message":%s%s}`+"\n",
			kind, id[:8], text.Len(), id, at.Format("2006-01-02T15:04:05.000Z"), dir, message, more)
	}
	add("user", fmt.Sprintf(`{"role":"user","content":%q}`, request), "")
	add("assistant", fmt.Sprintf(`{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Edit","input":{"file_path":%q,"old_string":"a","new_string":"b"}}],"usage":{"input_tokens":10,"output_tokens":1}}`, file), "")
	add("user", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}`, "")
	add("assistant", `{"id":"m2","role":"assistant","content":[{"type":"tool_use","id":"t2","name":"Bash","input":{"command":"go test ./..."}}],"usage":{"input_tokens":20,"output_tokens":1}}`, "")
	add("user", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","is_error":true,"content":"Exit code 1\n--- FAIL: TestParse (0.00s)\n    parser_test.go:9: got 1, want 2\nFAIL"}]}`, `,"toolUseResult":"Error: Exit code 1"`)
	if err := os.MkdirAll(filepath.Dir(w.transcript(id)), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(w.transcript(id), []byte(text.String()), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

const (
	first  = "11111111-0000-4000-8000-000000000001"
	second = "22222222-0000-4000-8000-000000000002"
	third  = "33333333-0000-4000-8000-000000000003"
)

// A session that starts right after another has written is given its handoff,
// though no watcher had the time to notice.
func TestASessionThatStartsIsGivenTheLastOne(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	if text := w.starts(first, w.project, "startup"); text != "" {
		t.Errorf("the first session of all was given\n%s", text)
	}
	w.works(first, w.project, "Parse the dates of the log file")
	text := w.starts(second, w.project, "startup")
	for _, want := range []string{"# [CARRYOVER] Last updated", "# RESUME PROTOCOL: ask", "Parse the dates of the log file", "parser.go", "go test ./..."} {
		if !strings.Contains(text, want) {
			t.Errorf("the handoff lacks %q:\n%s", want, text)
		}
	}
	if again := w.starts(second, w.project, "startup"); again != "" {
		t.Errorf("it was given twice:\n%s", again)
	}
	elsewhere := filepath.Join(w.user, "elsewhere")
	w.repository(elsewhere)
	if text := w.starts(third, elsewhere, "startup"); text != "" {
		t.Errorf("another project was given\n%s", text)
	}
	if text := w.starts(third, w.user, "startup"); text != "" {
		t.Errorf("the home folder was given\n%s", text)
	}
}

// At the end of a turn the handoff stands in the project, hidden from git, and no
// other file of the project was touched.
func TestTheHandoffIsPublishedAtTheEndOfATurn(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	w.works(first, w.project, "Parse the dates of the log file")
	w.hook("claude-code", "Stop", map[string]string{"session_id": first, "cwd": w.project, "transcript_path": w.transcript(first)})
	handoff := filepath.Join(w.project, ".carryover", "handoff.md")
	w.eventually("the handoff is published", func() bool {
		data, err := os.ReadFile(handoff)
		return err == nil && bytes.Contains(data, []byte("Parse the dates"))
	})
	if _, err := os.Stat(filepath.Join(w.project, ".carryover", "context.md")); err == nil {
		t.Error("a context file was written although no wired tool reads it")
	}
	out, err := exec.Command("git", "-C", w.project, "status", "--porcelain", "-uall").Output()
	if err != nil || len(out) > 0 {
		t.Errorf("git sees (%v)\n%s", err, out)
	}
}

// History is read, but nothing is written into a project that no session ran
// in since the install.
func TestHistoryTouchesNoProject(t *testing.T) {
	w := newWorld(t)
	w.works(first, w.project, "Parse the dates of the log file")
	if err := w.home.Make(); err != nil {
		t.Fatal(err)
	}
	if err := (wiring.Record{Installed: time.Now().UTC()}).Write(w.home); err != nil {
		t.Fatal(err)
	}
	w.start()
	w.eventually("history is read", func() bool {
		files, _ := filepath.Glob(filepath.Join(w.home.Handoffs(), "*.json"))
		return len(files) == 1
	})
	entries, err := os.ReadDir(w.project)
	if err != nil || len(entries) != 1 {
		t.Errorf("the project holds %v (%v), not only .git", entries, err)
	}
}

// What happens in an excluded project is handed to nobody, with the daemon or
// without, whether the user excluded it or the project itself.
func TestAnExcludedProjectIsLeftOut(t *testing.T) {
	for name, exclude := range map[string]func(w *world){
		"by the user":    func(w *world) { w.write(w.home.Config(), fmt.Sprintf("exclude = [%q]\n", w.project)) },
		"by the project": func(w *world) { w.write(filepath.Join(w.project, ".carryover.toml"), "exclude = true\n") },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.install()
			exclude(w)
			w.start()
			w.works(first, w.project, "Parse the dates of the log file")
			w.hook("claude-code", "PreCompact", map[string]string{"session_id": first, "cwd": w.project, "transcript_path": w.transcript(first)})
			if text := w.starts(second, w.project, "startup"); text != "" {
				t.Errorf("the daemon gave\n%s", text)
			}
			w.stop()
			if text := w.starts(third, w.project, "startup"); text != "" {
				t.Errorf("the hook client gave\n%s", text)
			}
			if _, err := os.Stat(filepath.Join(w.project, ".carryover")); err == nil {
				t.Error("a folder was made in the project")
			}
		})
	}
}

// Aider keeps its history in the project. One that git tracks came with the
// repository and speaks for nobody here.
func TestAHistoryInTheProject(t *testing.T) {
	for name, tracked := range map[string]bool{"written here": false, "that came with the repository": true} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.install()
			w.works(first, w.project, "Parse the dates of the log file")
			history := filepath.Join(w.project, ".aider.chat.history.md")
			at := time.Now().Add(time.Minute) // after the other session, and its times have no zone
			w.write(history, "\n# aider chat started at "+at.Format("2006-01-02 15:04:05")+"\n\n> Aider v0.86.2  \n> Main model: gpt-5 with diff edit format  \n\n#### count the words of each line of the log file  \n\nI will count them in words.go.\n\n> Tokens: 1k sent, 10 received.  \n")
			if tracked {
				if out, err := exec.Command("git", "-C", w.project, "add", "-f", history).CombinedOutput(); err != nil {
					t.Fatalf("git add: %v\n%s", err, out)
				}
			}
			w.start()
			w.starts(second, w.project, "startup") // history is read by now, at the latest
			text := w.starts(third, w.project, "startup")
			if got := strings.Contains(text, "count the words"); got == tracked {
				t.Errorf("Aider's session is handed over: %v\n%s", got, text)
			}
		})
	}
}

// A project in which Aider alone is at work is made known by an import. What it
// brought is in the project at once, and what Aider goes on to write is read
// though no hook ever tells of it.
func TestAProjectKnownByAnImport(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	history := filepath.Join(w.project, ".aider.chat.history.md")
	text := "\n# aider chat started at " + time.Now().Format("2006-01-02 15:04:05") + "\n\n> Aider v0.86.2  \n\n#### count the words of each line of the log file  \n\nI will count them in words.go.\n\n> Tokens: 1k sent, 10 received.  \n"
	w.write(history, text)
	if _, err := client.New(w.home).Import(t.Context(), view.ImportRequest{Root: w.project}, nil); err != nil {
		t.Fatal(err)
	}
	w.eventually("the handoff is in the project", func() bool {
		data, _ := os.ReadFile(filepath.Join(w.project, ".carryover", "handoff.md"))
		return strings.Contains(string(data), "count the words")
	})
	w.write(history, text+"\n#### sort them by how often they occur  \n\nThey are sorted in words.go.\n\n> Tokens: 1k sent, 10 received.  \n")
	w.eventually("the next prompt is in the ledger", func() bool { return strings.Contains(w.stored(), "sort them by how often") })
}

// A project in which Aider alone is at work is known with its first call out, which names
// nothing but the folder.
func TestAProjectKnownByACallOut(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	text := "\n# aider chat started at " + time.Now().Format("2006-01-02 15:04:05") + "\n\n> Aider v0.86.2  \n\n#### count the words of each line of the log file  \n\nI will count them in words.go.\n\n> Tokens: 1k sent, 10 received.  \n"
	w.write(filepath.Join(w.project, ".aider.chat.history.md"), text)
	below := filepath.Join(w.project, "cmd")
	if err := os.MkdirAll(below, 0o755); err != nil {
		t.Fatal(err)
	}
	w.post("aider", "notifications-command", nil, "PWD="+below)
	w.eventually("the prompt is in the ledger", func() bool { return strings.Contains(w.stored(), "count the words") })
}

// One home has one daemon; a second one says so and disturbs nothing.
func TestOneDaemonPerHome(t *testing.T) {
	w := newWorld(t)
	w.start()
	if err := daemon.Run(context.Background(), daemon.Options{Home: w.home}); !errors.Is(err, homelock.ErrRunning) {
		t.Errorf("the second daemon ended with %v", err)
	}
	if _, err := client.New(w.home).Health(context.Background()); err != nil {
		t.Errorf("the first one does not answer any more: %v", err)
	}
}

// A damaged ledger is set aside and rebuilt from the transcripts.
func TestADamagedLedgerIsMadeAnew(t *testing.T) {
	w := newWorld(t)
	w.works(first, w.project, "Parse the dates of the log file")
	if err := w.home.Make(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(w.home.Ledger(), bytes.Repeat([]byte("damage "), 2000), 0o600); err != nil {
		t.Fatal(err)
	}
	w.start()
	w.eventually("the session is in the new ledger", func() bool {
		pipeline, err := daemon.OpenReadOnly(w.home, func(error) {})
		if err != nil {
			return false
		}
		defer func() { _ = pipeline.Store.Close() }()
		_, err = pipeline.SessionNamed(context.Background(), first)
		return err == nil
	})
	if aside, _ := filepath.Glob(w.home.Ledger() + ".damaged-*"); len(aside) == 0 {
		t.Error("the damaged file is gone")
	}
}

// The port serves whoever has the token, and nobody's web page.
func TestThePortIsGuarded(t *testing.T) {
	w := newWorld(t)
	w.start()
	running, err := w.home.ReadRunning()
	if err != nil {
		t.Fatal(err)
	}
	authorization := w.bearer()
	_, port, _ := strings.Cut(running.Listen, ":")
	for name, test := range map[string]struct {
		method, path, host, origin, token string
		want                              int
	}{
		"health needs no token":      {"GET", "/health", "", "", "", 200},
		"status needs one":           {"GET", "/api/v1/status", "", "", "", 401},
		"a wrong token":              {"GET", "/api/v1/status", "", "", "Bearer 00", 401},
		"the token":                  {"GET", "/api/v1/status", "", "", authorization, 200},
		"by the name localhost":      {"GET", "/api/v1/status", "localhost:" + port, "", authorization, 200},
		"a foreign host (rebinding)": {"GET", "/health", "evil.example:" + port, "", authorization, 403},
		"another port in Host":       {"GET", "/health", "127.0.0.1:1", "", authorization, 403},
		"a foreign page":             {"GET", "/api/v1/status", "", "https://evil.example", authorization, 403},
		"a sandboxed page":           {"GET", "/api/v1/status", "", "null", authorization, 403},
		"our own page":               {"GET", "/api/v1/status", "", "http://127.0.0.1:" + port, authorization, 200},
		"a hook by curl":             {"POST", "/hook/claude-code/Stop", "", "", authorization, 204},
		"a hook without the token":   {"POST", "/hook/claude-code/Stop", "", "", "", 401},
		"an unknown event":           {"POST", "/hook/claude-code/Nonsense", "", "", authorization, 202},
		"an unknown tool":            {"POST", "/hook/nobody/Stop", "", "", authorization, 202},
		"no such route":              {"GET", "/api/v1/nothing", "", "", authorization, 404},
		"a search without words":     {"GET", "/api/v1/search", "", "", authorization, 400},
	} {
		request, err := http.NewRequest(test.method, "http://"+running.Listen+test.path, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		if test.host != "" {
			request.Host = test.host
		}
		for header, value := range map[string]string{"Origin": test.origin, "Authorization": test.token} {
			if value != "" {
				request.Header.Set(header, value)
			}
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		body, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if response.StatusCode != test.want {
			t.Errorf("%s: status %d, want %d: %s", name, response.StatusCode, test.want, body)
		}
		if response.StatusCode >= 400 && !bytes.Contains(body, []byte(`"message"`)) {
			t.Errorf("%s: the refusal has no message: %s", name, body)
		}
	}
}

// A hook that no spec knows is counted, never an error.
func TestUnknownHooksAreCounted(t *testing.T) {
	w := newWorld(t)
	w.start()
	for range 2 {
		if text := w.hook("claude-code", "Nonsense", nil); text != "" {
			t.Errorf("answered %q", text)
		}
	}
	status, err := client.New(w.home).Status(context.Background())
	if err != nil || status.UnknownHooks["claude-code Nonsense"] != 2 {
		t.Errorf("counted %v (%v)", status.UnknownHooks, err)
	}
}

// Bodies are bounded.
func TestAHugePayloadIsRefused(t *testing.T) {
	w := newWorld(t)
	w.start()
	running, err := w.home.ReadRunning()
	if err != nil {
		t.Fatal(err)
	}
	token, _ := os.ReadFile(w.home.Token())
	request, _ := http.NewRequest(http.MethodPost, "http://"+running.Listen+"/hook/claude-code/Stop", bytes.NewReader(make([]byte, 9<<20)))
	request.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Skipf("the connection was cut, which is as good: %v", err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("status %d", response.StatusCode)
	}
}

// Of two daemons' worth of hooks left in the spool nothing is lost, and what
// the client gave out itself is not given again.
func TestTheSpoolIsDrained(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	w.works(first, w.project, "Parse the dates of the log file")
	w.hook("claude-code", "Stop", map[string]string{"session_id": first, "cwd": w.project, "transcript_path": w.transcript(first)})
	w.eventually("a handoff is left for the client", func() bool {
		files, _ := filepath.Glob(filepath.Join(w.home.Handoffs(), "*.json"))
		return len(files) == 1
	})
	w.stop()
	given := w.starts(second, w.project, "startup")
	if !strings.Contains(given, "Parse the dates") {
		t.Fatalf("without a daemon the client gave %q", given)
	}
	w.start()
	w.eventually("the spool is empty", func() bool {
		files, _ := filepath.Glob(filepath.Join(w.home.Spool(), "*"))
		return len(files) == 0
	})
	if again := w.starts(second, w.project, "startup"); again != "" {
		t.Errorf("given again:\n%s", again)
	}
}

// What was imported while no daemon ran is there for the hook client once one
// has started, though its transcript did not change since.
func TestAnImportIsPublishedByTheNextDaemon(t *testing.T) {
	w := newWorld(t)
	w.works(first, w.project, "Parse the dates of the log file")
	pipeline, err := daemon.OpenReadWrite(w.home, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pipeline.Import(t.Context(), view.ImportRequest{}, nil); err != nil {
		t.Fatal(err)
	}
	if err := pipeline.Store.Close(); err != nil {
		t.Fatal(err)
	}
	w.start()
	w.eventually("the fallback is there", func() bool {
		last, ok := publish.LastFallback(w.home, w.project)
		return ok && last.Session == first && strings.Contains(last.Body, "Parse the dates")
	})
	w.stop()
	if text := w.starts(second, w.project, "startup"); !strings.Contains(text, "Parse the dates") {
		t.Errorf("without a daemon a new session was given\n%s", text)
	}
}
