package main_test

import (
	"bytes"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/home"
)

// payload is what Claude Code sends after a command.
var payload = []byte(`{"session_id":"11111111-0000-4000-8000-000000000001","transcript_path":"/home/dev/.claude/projects/-p/11111111-0000-4000-8000-000000000001.jsonl","cwd":"/home/dev/p","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"go test ./..."},"tool_response":{"stdout":"ok","stderr":""},"tool_use_id":"toolu_1"}`)

const answer = "# [CARRYOVER] a handoff\n"

// stub answers hooks on the home's socket as the daemon does, or hangs.
func stub(tb testing.TB, hangs bool) string {
	tb.Helper()
	socket := home.Dir(builds.home).Socket()
	if err := os.MkdirAll(filepath.Dir(socket), 0o700); err != nil {
		tb.Fatal(err)
	}
	door, err := net.Listen("unix", socket)
	if err != nil {
		tb.Fatal(err)
	}
	server := &http.Server{ReadHeaderTimeout: time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = new(bytes.Buffer).ReadFrom(r.Body)
		if hangs {
			<-r.Context().Done()
		}
		_, _ = w.Write([]byte(answer))
	})}
	go func() { _ = server.Serve(door) }()
	tb.Cleanup(func() { _ = server.Close() })
	return socket
}

// run starts a program with the payload and returns what it prints.
func run(tb testing.TB, program string, args ...string) string {
	tb.Helper()
	cmd := exec.Command(program, args...)
	cmd.Stdin = bytes.NewReader(payload)
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	if err := cmd.Run(); err != nil || complaints.Len() > 0 {
		tb.Fatalf("%s ended with %v and said %q", program, err, &complaints)
	}
	return out.String()
}

// BenchmarkHook measures whole processes, from the start to the exit, as an
// agent waits for them. To be read side by side: up should stay below 1.5
// times the floor, down below 10 ms.
func BenchmarkHook(b *testing.B) {
	b.Run("up", func(b *testing.B) {
		stub(b, false)
		for b.Loop() {
			if run(b, builds.hook, "claude-code", "SessionStart") != answer {
				b.Fatal("another answer")
			}
		}
	})
	b.Run("floor", func(b *testing.B) {
		socket := stub(b, false)
		for b.Loop() {
			if run(b, builds.floor, socket, "claude-code", "SessionStart") != answer {
				b.Fatal("another answer")
			}
		}
	})
	b.Run("curl", func(b *testing.B) {
		curl, err := exec.LookPath("curl")
		if err != nil {
			b.Skip("curl is not on the PATH")
		}
		socket := stub(b, false)
		for b.Loop() {
			if run(b, curl, "-sf", "-m", "1", "--unix-socket", socket, "--data-binary", "@-", "http://localhost/hook/claude-code/SessionStart") != answer {
				b.Fatal("another answer")
			}
		}
	})
	b.Run("down", func(b *testing.B) {
		for b.Loop() {
			run(b, builds.hook, "claude-code", "PostToolUse")
			b.StopTimer() // a daemon that comes back empties the spool
			_ = os.RemoveAll(home.Dir(builds.home).Spool())
			b.StartTimer()
		}
	})
	b.Run("nothing", func(b *testing.B) { // what a process costs by itself
		for b.Loop() {
			run(b, builds.hook)
		}
	})
}

// A daemon that hangs costs the deadline and no more; the agent sees nothing.
func TestAHangingDaemonCostsTheDeadline(t *testing.T) {
	stub(t, true)
	t.Cleanup(func() { _ = os.RemoveAll(home.Dir(builds.home).Spool()) })
	for event, deadline := range map[string]time.Duration{"SessionStart": 250 * time.Millisecond, "Stop": 50 * time.Millisecond} {
		start := time.Now()
		out := run(t, builds.hook, "claude-code", event)
		took := time.Since(start)
		if strings.Contains(out, answer) || took < deadline*9/10 || took > deadline+2*time.Second { // a loaded machine starts processes slowly
			t.Errorf("%s took %s and printed %q", event, took, out)
		}
	}
}

// An agent that closes the pipe before the answer is written sees no failure.
func TestHook_SurvivesAClosedPipe(t *testing.T) {
	stub(t, false)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	_ = read.Close()
	cmd := exec.Command(builds.hook, "claude-code", "SessionStart")
	cmd.Stdin, cmd.Stdout = bytes.NewReader(payload), write
	if err := cmd.Run(); err != nil {
		t.Errorf("it ended with %v", err)
	}
	_ = write.Close()
}
