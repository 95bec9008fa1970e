package browser

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/carryover-go/carryover/integration/runner"
)

// The sessions of these tests, by Claude Code.
const (
	voting  = "11111111-0000-4000-8000-000000000001"
	parsing = "22222222-0000-4000-8000-000000000002"
)

// home is a person's home with a daemon at work and two projects with a session
// each.
type home struct {
	*runner.Home
	*testing.T
	dirs    map[string]string // of the sessions
	written map[string]int    // lines of their transcripts
}

func newHome(t *testing.T) *home {
	t.Helper()
	h := &home{Home: runner.New(t, ""), T: t, written: map[string]int{}}
	votes := filepath.Join(h.Dir, "votes")
	h.MakeProject(votes)
	h.dirs = map[string]string{voting: votes, parsing: h.Project}
	h.Must(h.Dir, "daemon", "start")
	t.Cleanup(func() { h.Carryover(h.Dir, "daemon", "stop") })
	h.says(voting, "user", `"Count the votes."`)
	h.says(parsing, "user", `"Teach the parser to read dates. <script>alert(1)</script>"`)
	h.says(parsing, "assistant", `[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"go test ./parser"}}]`)
	h.says(parsing, "user", `[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"Exit code 1\nFAIL: TestDates"}]`)
	return h
}

// says adds a line to a transcript, now.
func (h *home) says(session, who, content string) {
	h.Helper()
	h.written[session]++
	data, err := json.Marshal(map[string]any{
		"type": who, "uuid": fmt.Sprintf("%s-%d", session[:8], h.written[session]), "sessionId": session, "cwd": h.dirs[session], "gitBranch": "main",
		"version": "2.1.329", "entrypoint": "cli", "timestamp": time.Now().UTC().Format("2006-01-02T15:04:05.000Z"),
		"message": map[string]any{"role": who, "content": json.RawMessage(content)},
	})
	if err != nil {
		h.Fatal(err)
	}
	path := filepath.Join(h.Dir, ".claude", "projects", "-proj", session+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		h.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		h.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	if _, err := file.Write(append(data, '\n')); err != nil {
		h.Fatal(err)
	}
}

// agent is a program under `carryover run` that saves its state, and repeats
// what it gets.
const agent = `printf -- '->continuity:save <<<\nCurrent task: parse the archive\nCompleted: the dates\nNext steps: the parts\n>>>\n'
while :; do printf '> '; read -r line || exit; echo "heard: $line"; done`

// wrap runs the agent at a terminal.
func (h *home) wrap(name string) *runner.Terminal {
	h.Helper()
	return h.OpenProgram(h.Project, h.Env(), filepath.Join(runner.Programs(h.T), "carryover"), "run", "--name", name, "--", "sh", "-c", agent)
}
