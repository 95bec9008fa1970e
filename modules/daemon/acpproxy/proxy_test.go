package acpproxy_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/acpproxy"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/readers"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

const (
	playsAgent = "CARRYOVER_TEST_PLAYS_AGENT"
	playsProxy = "CARRYOVER_TEST_PLAYS_PROXY" // for this home
)

// playProxy is a process that is a proxy before such an agent.
func playProxy(dir home.Dir) {
	table, _ := toolspecs.Load(nil)
	proxy := &acpproxy.Proxy{
		Home: dir, Table: table, Command: []string{os.Args[0]}, Env: []string{playsAgent + "=1"},
		In: os.Stdin, Out: os.Stdout, Err: io.Discard, Now: time.Now,
	}
	code, err := proxy.Run(context.Background())
	if err != nil {
		code = 1
	}
	os.Exit(code)
}

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(playsProxy) != "":
		playProxy(home.Dir(os.Getenv(playsProxy)))
		return
	case os.Getenv(playsAgent) != "":
		playAgent(os.Stdin, os.Stdout)
		return
	}
	os.Exit(m.Run())
}

// playAgent is an agent that opens sessions, answers prompts, repeats everything else,
// and goes away without a word when it is told to.
func playAgent(in io.Reader, out io.Writer) {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) == 0 && err != nil {
			return
		}
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		_ = json.Unmarshal(line, &m)
		switch {
		case m.Method == "initialize":
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1,"agentInfo":{"name":"player","version":"1.2.0"}}}`+"\n", m.ID)
		case m.Method == "session/new":
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"sessionId":"s-1"}}`+"\n", m.ID)
		case bytes.Contains(line, []byte("die now")):
			fmt.Fprintf(out, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s-1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"I was about to"}}}}`+"\n")
			self, _ := os.FindProcess(os.Getpid())
			_ = self.Kill()
			time.Sleep(time.Minute)
		case m.Method == "session/prompt":
			fmt.Fprintf(out, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s-1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"The prices are rounded."}}}}`+"\n")
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"end_turn"}}`+"\n", m.ID)
		default:
			_, _ = out.Write(line)
		}
	}
}

// editor is the editor's side of a proxy with that agent behind it.
type editor struct {
	t    testing.TB
	home home.Dir
	in   *io.PipeWriter
	out  *bufio.Reader
	code chan int
}

func newEditor(t testing.TB) *editor {
	t.Helper()
	table, failed := toolspecs.Load(nil)
	if len(failed) > 0 {
		t.Fatal(failed)
	}
	fromEditor, in := io.Pipe()
	out, toEditor := io.Pipe()
	e := &editor{t: t, home: home.Dir(t.TempDir()), in: in, out: bufio.NewReader(out), code: make(chan int, 1)}
	proxy := &acpproxy.Proxy{
		Home: e.home, Table: table, Command: []string{os.Args[0]}, Env: append(os.Environ(), playsAgent+"=1"),
		In: fromEditor, Out: toEditor, Err: io.Discard,
		Now: func() time.Time { return time.Date(2026, 3, 3, 9, 0, 0, 0, time.UTC) },
	}
	go func() {
		code, err := proxy.Run(context.Background())
		if err != nil {
			t.Error(err)
		}
		_ = toEditor.Close()
		e.code <- code
	}()
	t.Cleanup(func() { _ = in.Close() })
	return e
}

// say sends a message and returns the next one that comes.
func (e *editor) say(line string) string {
	e.t.Helper()
	go func() { _, _ = io.WriteString(e.in, line+"\n") }()
	return e.next()
}

func (e *editor) next() string {
	e.t.Helper()
	line, err := e.out.ReadString('\n')
	if err != nil {
		e.t.Fatalf("no answer: %v", err)
	}
	return strings.TrimSuffix(line, "\n")
}

// opens begins the session s-1.
func (e *editor) opens() {
	e.t.Helper()
	e.say(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}`)
	e.say(`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/home/dev/shop","mcpServers":[]}}`)
}

// leave closes the editor's side and returns the exit code and what was captured.
func (e *editor) leave() (code int, events []transcript.Event) {
	e.t.Helper()
	_ = e.in.Close()
	code = <-e.code
	return code, e.captured()
}

func (e *editor) captured() []transcript.Event {
	e.t.Helper()
	return captured(e.t, e.home)
}

// captured are the events of the session s-1 that stand in a home.
func captured(t testing.TB, dir home.Dir) (events []transcript.Event) {
	t.Helper()
	path := dir.Path("acp", "acp", "s-1.jsonl")
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	table, _ := toolspecs.Load(nil)
	decoder, err := readers.Protocol(table, "acp").Decode(transcript.Source{Path: path}, f, transcript.Position{})
	if err != nil {
		t.Fatal(err)
	}
	for {
		batch, err := decoder.Next()
		if err != nil {
			return events
		}
		for _, event := range batch.Events {
			events = append(events, event.Event)
		}
	}
}

func kinds(events []transcript.Event) string {
	var all []string
	for _, event := range events {
		all = append(all, string(event.Kind))
	}
	return strings.Join(all, " ")
}

// What the proxy does not know passes as it is, byte for byte.
func TestProxy_PassesUnknownMessagesByteForByte(t *testing.T) {
	e := newEditor(t)
	for _, line := range []string{
		`{"jsonrpc" : "2.0",  "method":"_zed.dev/later","params":{"b":1,"a":[1.0,1e3,"\u00e9"]},"extra":null}`,
		`{"jsonrpc":"2.0","id":"x","method":"session/of_the_future","params":{"sessionId":"s-9"}}`,
		`not JSON at all`, `[]`, `{"id":7}`, ``,
		`{"jsonrpc":"2.0","method":"big","params":"` + strings.Repeat("x", 300_000) + `"}`,
	} {
		if got := e.say(line); got != line {
			t.Errorf("sent %.80q, came back as %.80q", line, got)
		}
	}
}

func TestProxy_CapturesASessionToItsEnd(t *testing.T) {
	e := newEditor(t)
	e.opens()
	e.say(`{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s-1","prompt":[{"type":"text","text":"Round the prices"}]}}`)
	e.next()
	code, events := e.leave()
	if code != 0 || kinds(events) != "session prompt reply turn" || events[2].Text != "The prices are rounded." {
		t.Errorf("ended with %d: %s", code, kinds(events))
	}
}

// An agent that is killed has lost nothing of what it said.
func TestProxy_KeepsWhatAKilledAgentSaid(t *testing.T) {
	e := newEditor(t)
	e.opens()
	e.say(`{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s-1","prompt":[{"type":"text","text":"die now"}]}}`)
	code := <-e.code
	events := e.captured()
	if code == 0 || kinds(events) != "session prompt reply" || events[2].Text != "I was about to" {
		t.Errorf("ended with %d: %s", code, kinds(events))
	}
}

// A proxy that is killed has written down all that had reached the editor, at whichever
// message it ends.
func TestProxy_KilledItselfLosesNothingThatPassed(t *testing.T) {
	for turns := range 5 {
		dir := home.Dir(t.TempDir())
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), playsProxy+"="+string(dir))
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		e := &editorOf{t, in, bufio.NewReader(out)}
		e.say(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}`, 1)
		e.say(`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/home/dev/shop","mcpServers":[]}}`, 1)
		for turn := range turns {
			e.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"session/prompt","params":{"sessionId":"s-1","prompt":[{"type":"text","text":"Round price %d"}]}}`, turn+2, turn), 2)
		}
		e.say(`{"jsonrpc":"2.0","id":99,"method":"session/prompt","params":{"sessionId":"s-1","prompt":[{"type":"text","text":"The last one"}]}}`, 1)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		want := "session" + strings.Repeat(" prompt reply turn", turns) + " prompt"
		if got := kinds(captured(t, dir)); !strings.HasPrefix(got, want) {
			t.Errorf("after %d turns: %s, want %s", turns, got, want)
		}
		file, err := os.ReadFile(dir.Path("acp", "acp", "s-1.jsonl"))
		if err != nil || strings.Count(string(file), "agent_message_chunk") < turns+1 {
			t.Errorf("after %d turns the last words are missing: %v", turns, err)
		}
	}
}

// editorOf is the editor's side of a proxy that is another process.
type editorOf struct {
	t   testing.TB
	in  io.Writer
	out *bufio.Reader
}

// say sends a message and waits for some.
func (e *editorOf) say(line string, answers int) {
	e.t.Helper()
	if _, err := io.WriteString(e.in, line+"\n"); err != nil {
		e.t.Fatal(err)
	}
	for range answers {
		if _, err := e.out.ReadString('\n'); err != nil {
			e.t.Fatal(err)
		}
	}
}

// Secrets that pass are not written down.
func TestProxy_WritesNoSecrets(t *testing.T) {
	secret := "gh" + "p_" + "Zq7Kx9Wm2Rt4Bv6NabcdEFGH1234ijklMNOP"
	e := newEditor(t)
	e.opens()
	e.say(`{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s-1","prompt":[{"type":"text","text":"use ` + secret + `"}]}}`)
	e.next()
	_, events := e.leave()
	if len(events) < 2 || strings.Contains(events[1].Text, secret) || !strings.Contains(events[1].Text, "[redacted:") {
		t.Errorf("written down: %+v", events)
	}
}

// BenchmarkProxy_Message is what the way through the proxy and back costs, with an agent
// that repeats: two messages.
func BenchmarkProxy_Message(b *testing.B) {
	e := newEditor(b)
	e.opens()
	line := `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s-1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"` + strings.Repeat("word ", 40) + `"}}}}`
	b.ReportAllocs()
	for b.Loop() {
		e.say(line)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/2, "µs/message")
}
