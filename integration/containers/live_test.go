package containers

import (
	"encoding/json"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tcexec "github.com/testcontainers/testcontainers-go/exec"

	"github.com/carryover-go/carryover/integration/runner"
)

// Every live agent, in a container of its own without a network: its transcript is where
// its spec says, its hooks come by the names that are wired, and the handoff reaches its
// next session, once.
func TestContainersEveryLiveAgent(t *testing.T) {
	prepare := maps.Clone(runner.Agents)
	maps.Copy(prepare, runner.Further)
	for _, tool := range slices.Sorted(maps.Keys(prepare)) {
		t.Run(tool, func(t *testing.T) {
			var live *runner.Agent
			s := newStageWith(t, func(home *runner.Home) { live = prepare[tool](t, home) })
			s.work()
			b := s.startLive(t, agent{name: tool, binary: filepath.Base(live.Binary())})
			b.install()
			s.home.Execute = b.execute
			if tool == "aider" { // its model runs nothing
				live.Then = []string{"/test python3 test_parser.py"}
			}
			live.Prompt(s.home.Project, "Add a date parser in parser.py with a test; dates are ISO 8601 only.")
			b.waitForHandoff(t)
			live.Then = nil
			if found := b.run("carryover", "search", "date parser", "--json"); !strings.Contains(found, `"`+tool+`"`) {
				t.Errorf("no session of it was read: %s", found)
			}
			live.Prompt(s.home.Project, "What is the state of things?")
			b.checkInjection(t)
			b.checkHooks(t)
		})
	}
}

// startLive starts an agent in its own image (integration/image), where scripts/agent-images
// made it, else in the base image with the host's agents bound into it.
func (s *stage) startLive(t *testing.T, a agent) *box {
	t.Helper()
	ours := []string{"carryover", "carryoverd", "carryover-hook"}
	if a.image = imageOf(t, a.name); a.image == "" {
		folder := filepath.Dir(filepath.Dir(runner.BinDir()))
		return s.startWith(t, a, ours, folder+":"+folder)
	}
	b := s.startWith(t, a, ours)
	b.asOnTheHost()
	return b
}

// ofPython are the agents that need an interpreter, which the base image does not have.
var ofPython = []string{"aider", "openhands"}

// imageOf names an agent's image, "" where there is none and the base image will do.
func imageOf(t *testing.T, tool string) string {
	t.Helper()
	name := "carryover/agent-" + tool + ":local"
	out, err := exec.CommandContext(t.Context(), "docker", "image", "inspect", name).CombinedOutput()
	switch {
	case err == nil:
		return name
	case !slices.Contains(ofPython, tool):
		t.Logf("there is no %s; it runs in the base image", name)
		return ""
	}
	stop := t.Skipf
	if os.Getenv(requiredVariable) != "" {
		stop = t.Fatalf
	}
	stop("SKIPPED: there is no %s; run `make test-containers`: %s", name, out)
	return ""
}

// asOnTheHost lets the agents of the image be found where those of the host are, as the
// runner names them there.
func (b *box) asOnTheHost() {
	b.t.Helper()
	folder := filepath.Dir(filepath.Dir(runner.BinDir()))
	b.runAs("root", "sh", "-c", "mkdir -p "+filepath.Dir(folder)+" && ln -s "+filepath.Dir(agentsAt)+" "+folder)
}

// execute is runner.Home.Execute in the container.
func (b *box) execute(stdin, dir string, env []string, name string, args ...string) runner.Output {
	b.t.Helper()
	command := append([]string{name}, args...)
	if stdin != "" {
		typed := filepath.Join(filepath.Dir(b.requests), "typed")
		if err := os.WriteFile(typed, []byte(stdin), 0o644); err != nil {
			b.t.Fatal(err)
		}
		command = append([]string{"sh", "-c", `"$0" "$@" </model/typed`}, command...)
	}
	// The folder for temporary files out here is not there to write in: programs that
	// unpack themselves, as Bun's do, would not start.
	env = append(slices.Clone(env), "TMPDIR=/tmp")
	code, reader, err := b.container.Exec(b.t.Context(), command, tcexec.Multiplexed(),
		tcexec.WithUser(b.user), tcexec.WithWorkingDir(dir), tcexec.WithEnv(env))
	if err != nil {
		b.t.Fatalf("%s: %v", name, err)
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		b.t.Fatalf("read what %s said: %v", name, err)
	}
	if code != 0 {
		b.t.Logf("%s ended with %d: %s", name, code, text)
	}
	return runner.Output{Stdout: string(text), Code: code}
}

// waitForHandoff waits until the work is in the project's handoff, and in the file that
// some agents read.
func (b *box) waitForHandoff(t *testing.T) {
	t.Helper()
	const next = "onvert the parts to int"
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Second) {
		_, said := b.try(b.user, "carryover", "handoff")
		_, file := b.try(b.user, "sh", "-c", "cat .carryover/*.md")
		if strings.Contains(said, next) && strings.Contains(file, next) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("no handoff of the work:\n%s", said)
		}
	}
}

// checkInjection wants the handoff in the first request of the second session, once.
func (b *box) checkInjection(t *testing.T) {
	t.Helper()
	for _, request := range b.turnRequests() {
		text := request.Text()
		if !strings.Contains(text, "What is the state of things?") {
			continue
		}
		if n := strings.Count(text, sentinel); n != 1 || !strings.Contains(text, "python3 test_parser.py") || !strings.Contains(text, "the parts to int") {
			t.Errorf("the handoff is in the request %d times:\n%.4000s", n, text[max(0, strings.Index(text, sentinel)):])
		}
		return
	}
	t.Error("the agent asked the model nothing")
}

// checkHooks wants every wired hook that had an occasion to have come.
func (b *box) checkHooks(t *testing.T) {
	t.Helper()
	var report struct {
		Tools []struct {
			Tool  string
			Hooks []struct{ Event, Verdict string }
		}
	}
	if err := json.Unmarshal([]byte(b.run("carryover", "toolspecs", "check", "--json")), &report); err != nil {
		t.Fatal(err)
	}
	for _, checked := range report.Tools {
		if checked.Tool != b.agent.name {
			continue
		}
		came := 0
		for _, hook := range checked.Hooks {
			switch hook.Verdict {
			case "silent", "stopped":
				t.Errorf("the hook %s is %s", hook.Event, hook.Verdict)
			case "fires":
				came++
			}
		}
		if came == 0 && len(checked.Hooks) > 0 {
			t.Errorf("no hook came: %+v", checked.Hooks)
		}
		return
	}
	t.Errorf("%s was not checked: %+v", b.agent.name, report.Tools)
}
