package runner

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// built is the folder of programs, "" until they were needed.
var built string

// programs builds our three programs once per test binary.
var programs = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "carryover-bin")
	if err != nil {
		return "", err
	}
	built = dir
	root := Root()
	for _, program := range []string{"carryover", "carryoverd", "carryover-hook"} {
		cmd := exec.Command("go", "build", "-ldflags", "-s -w", "-o", filepath.Join(dir, program), "./cmd/"+program)
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
	if built != "" {
		_ = os.RemoveAll(built)
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
	pattern := h.transcripts(tool)
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
		ids[i] = sessionOf(file)
	}
	return ids
}

// transcripts is the pattern of a tool's transcripts of JSON lines in this home,
// by its spec; "" where it keeps none.
func (h *Home) transcripts(tool string) string {
	h.t.Helper()
	for _, source := range h.Spec(tool).Transcripts {
		if source.Role != "main" || source.Format != "jsonl" {
			continue
		}
		for _, root := range source.Roots["default"] {
			if below, ok := strings.CutPrefix(root, "~/"); ok {
				// Codex keeps a day's sessions three folders down.
				return filepath.Join(h.Dir, below, strings.ReplaceAll(source.Glob, "**", "*/*/*"))
			}
		}
	}
	return ""
}

// id is what most tools call a session by.
var id = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// sessionOf is the id in a transcript's name or that of its folder, or the
// beginning of one behind the last hyphen.
func sessionOf(file string) string {
	name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
	for _, candidate := range []string{name, filepath.Base(filepath.Dir(file))} {
		if found := id.FindString(candidate); found != "" {
			return found
		}
	}
	return name[strings.LastIndexByte(name, '-')+1:]
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
