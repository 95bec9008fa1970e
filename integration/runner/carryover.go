package runner

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// programs builds our three programs once per test binary.
var programs = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "carryover-bin")
	if err != nil {
		return "", err
	}
	root := Root()
	for _, program := range []string{"carryover", "carryoverd", "carryover-hook"} {
		cmd := exec.Command("go", "build", "-o", filepath.Join(dir, program), "./cmd/"+program)
		cmd.Dir = root
		if program == "carryover-hook" {
			cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", &buildError{program, out, err}
		}
	}
	return dir, nil
})

type buildError struct {
	program string
	output  []byte
	err     error
}

func (e *buildError) Error() string {
	return "build " + e.program + ": " + e.err.Error() + "\n" + string(e.output)
}

// Root is the folder of the workspace.
func Root() string {
	dir, err := os.Getwd()
	for err == nil && filepath.Dir(dir) != dir {
		if _, err := os.Stat(filepath.Join(dir, "go.work")); err == nil {
			return dir
		}
		dir = filepath.Dir(dir)
	}
	return "."
}

// Programs is the folder with carryover, carryoverd and carryover-hook.
func Programs(t testing.TB) string {
	t.Helper()
	dir, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Remove deletes what Programs built; a TestMain calls it.
func Remove() {
	if dir, err := programs(); err == nil {
		_ = os.RemoveAll(dir)
	}
}

// Carryover runs a command of ours in this home.
func (h *Home) Carryover(dir string, args ...string) Output {
	h.t.Helper()
	return h.Run(dir, withBin(h.Env()), filepath.Join(Programs(h.t), "carryover"), args...)
}

// Must is Carryover that has to succeed.
func (h *Home) Must(dir string, args ...string) Output {
	h.t.Helper()
	out := h.Carryover(dir, args...)
	if out.Code != 0 {
		h.t.Fatalf("carryover %v ended with %d\n%s\n%s", args, out.Code, out.Stdout, out.Stderr)
	}
	return out
}

// Install wires agents as a user would and starts the daemon, which is stopped
// when the test ends. Without agents the daemon is all there is.
func (h *Home) Install(tools ...string) {
	h.t.Helper()
	if len(tools) == 0 {
		h.Must(h.Dir, "daemon", "start")
	} else {
		h.Must(h.Dir, "install", "--tools", strings.Join(tools, ","), "--yes", "--no-service")
	}
	h.t.Cleanup(func() { h.Carryover(h.Dir, "daemon", "stop") })
}

// Digest is the ledger's fingerprint.
func (h *Home) Digest() string {
	h.t.Helper()
	return h.Must(h.Dir, "ledger", "digest", "--json").Stdout
}

// Sessions lists the ids of a tool's sessions by their transcripts, the one
// written first before the others; none of a tool with a database.
func (h *Home) Sessions(tool string) []string {
	h.t.Helper()
	pattern := ""
	switch tool {
	case "claude-code":
		pattern = filepath.Join(h.Dir, ".claude", "projects", "*", "*.jsonl")
	case "codex":
		pattern = filepath.Join(h.Dir, ".codex", "sessions", "*", "*", "*", "rollout-*.jsonl")
	case "copilot-cli":
		pattern = filepath.Join(h.Dir, ".copilot", "session-state", "*", "events.jsonl")
	case "gemini-cli":
		pattern = filepath.Join(h.Dir, ".gemini", "tmp", "*", "chats", "session-*.jsonl")
	}
	files, err := filepath.Glob(pattern)
	if err != nil {
		h.t.Fatal(err)
	}
	written := map[string]time.Time{}
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			h.t.Fatal(err)
		}
		written[file] = info.ModTime()
	}
	slices.SortFunc(files, func(a, b string) int { return written[a].Compare(written[b]) })
	ids := make([]string, len(files))
	for i, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		if tool == "copilot-cli" { // the folder is called by the session
			name = filepath.Base(filepath.Dir(file))
		}
		ids[i] = name[max(0, len(name)-len("00000000-0000-0000-0000-000000000000")):]
		if tool == "gemini-cli" { // the file is called by the beginning of the id
			ids[i] = name[strings.LastIndexByte(name, '-')+1:]
		}
	}
	return ids
}

// JSON decodes an output.
func (o Output) JSON(t testing.TB, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(o.Stdout), into); err != nil {
		t.Fatalf("not one JSON object: %v\n%s", err, o.Stdout)
	}
}

// DaemonPID is the process of the running daemon.
func (h *Home) DaemonPID() int {
	h.t.Helper()
	var running struct {
		PID int `json:"pid"`
	}
	if err := json.Unmarshal([]byte(h.Read(filepath.Join(h.Dir, ".carryover", "daemon.json"))), &running); err != nil {
		h.t.Fatalf("no daemon is running: %v", err)
	}
	return running.PID
}
