package chaos

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/integration/runner"
)

// box is a user's home with transcripts in it.
type box struct {
	t   *testing.T
	dir string
	bin string
}

func newBox(t *testing.T) *box {
	t.Helper()
	dir, err := os.MkdirTemp("", "cx")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	b := &box{t, dir, runner.Programs(t)}
	for _, sub := range []string{"proj", ".carryover", "tools"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	b.write(filepath.Join("tools", "claude"), "#!/bin/sh\necho '2.1.329 (Claude Code)'\n")
	if err := os.Chmod(filepath.Join(dir, "tools", "claude"), 0o700); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *box) path(name string) string { return filepath.Join(b.dir, name) }

func (b *box) ledger() string { return b.path(".carryover/ledger.sqlite") }

func (b *box) write(name, text string) {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Dir(b.path(name)), 0o700); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(b.path(name), []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// command is one of our programs in this home.
func (b *box) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = b.path("proj")
	cmd.Env = []string{
		"HOME=" + b.dir, "CARRYOVER_HOME=" + b.path(".carryover"), "CARRYOVER_LISTEN=127.0.0.1:0",
		"PATH=" + b.path("tools") + ":" + b.bin + ":/usr/bin:/bin", "TMPDIR=" + os.TempDir(),
	}
	return cmd
}

// run runs `carryover`, which must succeed, and returns what it prints.
func (b *box) run(args ...string) string {
	b.t.Helper()
	var errors strings.Builder
	cmd := b.command(filepath.Join(b.bin, "carryover"), args...)
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil {
		b.t.Errorf("carryover %v: %v\n%s%s", args, err, out, errors.String())
	}
	return string(out)
}

// limited runs `carryover` under a limit of the shell, and may fail.
func (b *box) limited(limit string, args ...string) {
	cmd := b.command("/bin/sh", "-c", limit+`; exec carryover "$@"`, "sh")
	cmd.Args = append(cmd.Args, args...)
	_ = cmd.Run()
}

// digest is `ledger digest`.
type digest struct {
	Events int    `json:"events"`
	SHA256 string `json:"sha256"`
}

func (b *box) digest() (d digest) {
	b.t.Helper()
	b.decode(b.run("ledger", "digest", "--json"), &d)
	return d
}

func (b *box) decode(text string, into any) {
	b.t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		b.t.Errorf("%v in %q", err, text)
	}
}

// session is a transcript of Claude Code of some turns; clock is asked for the
// time of each record.
func session(random *rand.Rand, number, turns int, project string, clock func() time.Time) []string {
	id := sessionID(number)
	var lines []string
	add := func(kind, message string) {
		lines = append(lines, fmt.Sprintf(`{"type":%q,"uuid":"%08d-%d","sessionId":%q,"timestamp":%q,"cwd":%q,"gitBranch":"main","version":"2.1.329","message":%s}`+"\n",
			kind, number, len(lines), id, clock().UTC().Format("2006-01-02T15:04:05.000Z"), project, message))
	}
	for n := range turns {
		words := strings.Repeat(fmt.Sprintf("part %d of %d ", n, number), 1+random.IntN(60))
		add("user", fmt.Sprintf(`{"role":"user","content":%q}`, "Do "+words))
		add("assistant", fmt.Sprintf(`{"id":"m%d","role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":"make part%d"}}]}`, n, n, n))
		add("user", fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","is_error":%v,"content":%q}]}`, n, random.IntN(3) == 0, "Exit code 2\n"+words))
		add("assistant", fmt.Sprintf(`{"id":"r%d","role":"assistant","content":[{"type":"text","text":%q}]}`, n, "Did "+words))
	}
	return lines
}

func sessionID(number int) string { return fmt.Sprintf("%08d-0000-4000-8000-000000000001", number) }

func transcriptOf(number int) string {
	return filepath.Join(".claude", "projects", "-proj", sessionID(number)+".jsonl")
}

// history writes sessions, and returns what each file holds.
func (b *box) history(random *rand.Rand, sessions, turns int) map[string]string {
	b.t.Helper()
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	clock := func() time.Time { at = at.Add(time.Second); return at }
	files := map[string]string{}
	for n := range sessions {
		name := transcriptOf(n)
		files[name] = strings.Join(session(random, n, turns, b.path("proj"), clock), "")
		b.write(name, files[name])
	}
	return files
}
