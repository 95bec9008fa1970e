package browser

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/integration/runner"
)

// The sessions of these tests, by Claude Code.
const (
	voting  = "11111111-0000-4000-8000-000000000001"
	parsing = "22222222-0000-4000-8000-000000000002"
	earlier = "33333333-0000-4000-8000-000000000003"
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
	h.dirs = map[string]string{voting: votes, parsing: h.Project, earlier: h.Project}
	h.Must(h.Dir, "daemon", "start")
	t.Cleanup(func() { h.Carryover(h.Dir, "daemon", "stop") })
	h.says(voting, "user", `"Count the votes."`)
	h.says(earlier, "user", `"Write the lexer."`)
	h.says(earlier, "assistant", `[{"type":"text","text":"It is written."}]`)
	h.says(parsing, "user", `"Teach the parser to read dates. <script>alert(1)</script>"`)
	h.says(parsing, "assistant", `[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"go test ./parser"}}]`)
	h.says(parsing, "user", `[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"Exit code 1\nFAIL: TestDates"}]`)
	h.says(parsing, "assistant", `[{"type":"tool_use","id":"t2","name":"Edit","input":{"file_path":"`+h.Project+`/dates.go","old_string":"zone := local\nreturn zone","new_string":"zone := \"UTC\"\nreturn zone"}}]`)
	h.says(parsing, "user", `[{"type":"tool_result","tool_use_id":"t2","content":"done"}]`)
	h.says(parsing, "assistant", `[{"type":"text","text":"## What changed\n\n1. the **zone** is UTC\n2. see [the docs](https://example.org/dates)\n\n`+"```go\\nzone := time.UTC\\n```"+`\n\n| file | lines |\n|---|---|\n| dates.go | 2 |"}]`)
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

// fires runs the hook client as an agent does.
func (h *home) fires(tool, event string) {
	h.Helper()
	program := filepath.Join(h.Dir, ".carryover", "bin", "carryover-hook") // it belongs to the home that it lies in
	if err := os.Symlink(filepath.Join(runner.Programs(h.T), "carryover-hook"), program); err != nil && !errors.Is(err, fs.ErrExist) {
		h.Fatal(err)
	}
	cmd := exec.Command(program, tool, event)
	cmd.Dir, cmd.Env = h.Project, h.Env()
	cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":%q,"cwd":%q,"hook_event_name":%q,"source":"startup"}`, parsing, h.Project, event))
	if out, err := cmd.CombinedOutput(); err != nil {
		h.Fatalf("%s: %v\n%s", event, err, out)
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
