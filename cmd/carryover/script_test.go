package main_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/packaging"
	"github.com/carryover-go/carryover/toolspecs"
)

var update = flag.Bool("update", false, "rewrite what the scripts compare with")

// programs is where TestMain built the three programs, side by side as an
// installation has them.
var programs string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "carryover-bin")
		if err == nil {
			defer func() { _ = os.RemoveAll(dir) }()
			err = build(dir)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		programs = dir
		return m.Run()
	}())
}

func build(dir string) error {
	const version = "-X github.com/carryover-go/carryover/modules/daemon/version.Version=v0.0.0-test"
	cmd := exec.Command("go", "build", "-ldflags", version, "-o", dir, "../carryover", "../carryoverd", "../carryover-hook")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build the programs: %w\n%s", err, out)
	}
	return nil
}

// TestScripts runs each command as a person does, in a home of its own.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", UpdateScripts: *update, RequireExplicitExec: true, Setup: setUp,
		Condition: func(name string) (bool, error) { // [specskey]: this build knows the key of the bundles
			product, err := packaging.Load("../..")
			return name == "specskey" && product.SpecsKey != "", err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"carryover": carryover, "exits": exits, "json": checkJSON, "agent": agent, "session": session, "holdledger": holdLedger,
			"sameasbefore": sameAsBefore, "taken": taken, "damage": damage, "edit": edit, "git": git,
		},
	})
}

// setUp gives a script a home, and nothing of the machine's but /bin/sh. A
// daemon it leaves is stopped.
func setUp(env *testscript.Env) error {
	user := filepath.Join(env.WorkDir, "home")
	bin := filepath.Join(env.WorkDir, "bin")
	for _, dir := range []string{user, bin} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	env.Setenv("HOME", user)
	env.Setenv("PROGRAMS", programs)
	env.Setenv("PATH", programs+string(filepath.ListSeparator)+bin)
	env.Setenv("CARRYOVER_LISTEN", "127.0.0.1:0")
	env.Setenv("TZ", "UTC")
	env.Setenv("SPECS", toolspecs.Version)
	for _, name := range []string{"CARRYOVER_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"} {
		env.Setenv(name, "")
	}
	env.Defer(func() { stopDaemon(user) })
	return nil
}

func stopDaemon(user string) {
	dir := home.Dir(filepath.Join(user, ".carryover"))
	if _, err := client.New(dir).Health(context.Background()); err != nil {
		return
	}
	cmd := exec.Command(filepath.Join(programs, "carryover"), "--home", string(dir), "daemon", "stop")
	if out, err := cmd.CombinedOutput(); err != nil {
		panic(fmt.Sprintf("a daemon is left over: %v\n%s", err, out))
	}
}

// carryover runs a command: `carryover status` must end with 0, `! carryover
// bogus` with another code.
func carryover(ts *testscript.TestScript, neg bool, args []string) {
	err := ts.Exec(filepath.Join(programs, "carryover"), args...)
	if neg == (err == nil) {
		ts.Fatalf("carryover %s ended with %v", strings.Join(args, " "), err)
	}
}

// edit replaces what a regular expression matches in a file: `edit FILE EXPRESSION TEXT`.
func edit(ts *testscript.TestScript, _ bool, args []string) {
	path := ts.MkAbs(args[0])
	expression := regexp.MustCompile(args[1])
	before := ts.ReadFile(path)
	if !expression.MatchString(before) {
		ts.Fatalf("%s has no %s:\n%s", path, args[1], before)
	}
	ts.Check(os.WriteFile(path, []byte(expression.ReplaceAllString(before, args[2])), 0o600))
}

// git runs the machine's git, which is not on a script's PATH, with nobody's settings.
func git(ts *testscript.TestScript, _ bool, args []string) {
	program, err := exec.LookPath("git")
	if err != nil {
		ts.Fatalf("%v", err)
	}
	ts.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	ts.Check(ts.Exec(program, append([]string{"-c", "user.name=dev", "-c", "user.email=dev@example.org"}, args...)...))
}

// exits runs a command that must end with a code: `exits 3 carryover handoff`.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if exit, ok := err.(*exec.ExitError); ok { //nolint:errorlint // it comes unwrapped
		code = fmt.Sprint(exit.ExitCode())
	} else if err != nil {
		code = err.Error()
	}
	if code != args[0] {
		ts.Fatalf("%s ended with %s, want %s", strings.Join(args[1:], " "), code, args[0])
	}
}

// agent puts a stand-in for an agent on the PATH: `agent codex 0.169.0`. It
// prints its version, and as Codex answers which hooks it trusts: none.
func agent(ts *testscript.TestScript, _ bool, args []string) {
	name, version := args[0], args[1]
	said := map[string]string{"claude": version + " (Claude Code)", "codex": "codex-cli " + version}[name]
	script := "#!/bin/sh\n" +
		"if [ \"$1\" = app-server ]; then\n" +
		"  read hello; echo '{\"id\":1,\"result\":{}}'; read ready; read list\n" +
		"  echo '{\"id\":2,\"result\":{\"data\":[]}}'; exit\n" +
		"fi\necho '" + said + "'\n"
	ts.Check(os.WriteFile(ts.MkAbs(filepath.Join(ts.Getenv("WORK"), "bin", name)), []byte(script), 0o755))
}

// session puts a transcript where its tool would: `session claude-code ID
// PROJECT`, from testdata/session.
func session(ts *testscript.TestScript, _ bool, args []string) {
	fail := func(args ...any) { ts.Fatalf("%s", fmt.Sprint(args...)) }
	ts.Setenv("TRANSCRIPT", writeSession(fail, ts.Getenv("HOME"), args[0], args[1], ts.MkAbs(args[2])))
}

// writeSession puts a session of testdata/session where a tool keeps it.
func writeSession(fail func(...any), user, tool, id, project string) (path string) {
	text, err := os.ReadFile(filepath.Join(sources, "testdata", "session", tool+".jsonl"))
	if err != nil {
		fail(err)
	}
	path = filepath.Join(user, map[string]string{
		"claude-code": ".claude/projects/-project/" + id + ".jsonl",
		"codex":       ".codex/sessions/2026/03/02/rollout-2026-03-02T10-00-00-" + id + ".jsonl",
	}[tool])
	filled := strings.NewReplacer("SESSION", id, "PROJECT", project, "RECORD", id[:8]).Replace(string(text))
	if err := errors.Join(
		os.MkdirAll(filepath.Dir(path), 0o755), os.MkdirAll(project, 0o755), os.WriteFile(path, []byte(filled), 0o600),
	); err != nil {
		fail(err)
	}
	return path
}

// sources is this folder: scripts run elsewhere.
var sources = func() string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	return dir
}()

// damage overwrites a page of the search index in a ledger, so that SQLite
// finds fault with the file and can still read its tables.
func damage(ts *testscript.TestScript, _ bool, args []string) {
	path := ts.MkAbs(args[0])
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	ts.Check(err)
	var page, size int64
	ts.Check(db.QueryRow("SELECT rootpage FROM sqlite_schema WHERE name = 'search_data'").Scan(&page))
	ts.Check(db.QueryRow("PRAGMA page_size").Scan(&size))
	ts.Check(db.Close())
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	ts.Check(err)
	_, err = file.WriteAt(bytes.Repeat([]byte{0xff}, int(size)), (page-1)*size)
	ts.Check(err)
	ts.Check(file.Close())
}

// holdLedger holds the ledger as another command that is writing does.
func holdLedger(ts *testscript.TestScript, _ bool, _ []string) {
	dir := home.Dir(filepath.Join(ts.Getenv("HOME"), ".carryover"))
	pipeline, err := daemon.OpenReadWrite(dir, func(err error) { ts.Logf("%v", err) })
	ts.Check(err)
	ts.Defer(func() { _ = pipeline.Store.Close() })
}

// sameAsBefore compares a file with its first version, byte for byte: the
// first call remembers, the second compares.
func sameAsBefore(ts *testscript.TestScript, _ bool, args []string) {
	for _, file := range args {
		kept := ts.MkAbs(file) + ".before"
		now := ts.ReadFile(file)
		before, err := os.ReadFile(kept)
		if err != nil {
			ts.Check(os.WriteFile(kept, []byte(now), 0o600))
		} else if string(before) != now {
			ts.Fatalf("%s changed:\n%s", file, now)
		}
	}
}

// taken makes the daemon's port one that another program has.
func taken(ts *testscript.TestScript, _ bool, _ []string) {
	other, err := net.Listen("tcp4", "127.0.0.1:0")
	ts.Check(err)
	ts.Defer(func() { _ = other.Close() })
	ts.Setenv("CARRYOVER_LISTEN", other.Addr().String())
}
