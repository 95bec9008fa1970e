// Package containers runs each agent as on a machine of its own: one CLI in
// one container without a network, with the home and the project in common.
package containers

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moby/moby/api/types/container"
	"github.com/testcontainers/testcontainers-go"
	tcexec "github.com/testcontainers/testcontainers-go/exec"
	"github.com/testcontainers/testcontainers-go/wait"

	"github.com/carryover-go/carryover/integration/mockmodel"
	"github.com/carryover-go/carryover/integration/runner"
)

// Where things are inside a container. The home has the same path in all of
// them and outside, as the agents write it into their files.
const (
	agentsAt = "/opt/agents/node_modules"
	binAt    = "/opt/bin"
	modelAt  = "127.0.0.1:8091"
)

// agent is how one CLI is started in a container.
type agent struct {
	name    string // as Carryover calls it
	binary  string
	command []string // the prompt comes after it
	env     []string
	image   string // with the agent in it; "" for a base image, with the host's agents bound into it
	base    string // that base image; "" for the one of scripts/with-docker
}

var agents = map[string]agent{
	"claude-code": {
		name: "claude-code", binary: "claude",
		command: []string{"claude", "--allowedTools", "Bash,Edit,Write,Read", "-p"},
		env: []string{
			"ANTHROPIC_BASE_URL=http://" + modelAt, "ANTHROPIC_API_KEY=dummy", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
			"DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1", "DISABLE_ERROR_REPORTING=1", "CLAUDE_CODE_MAX_RETRIES=0",
		},
	},
	"codex": {
		name: "codex", binary: "codex",
		command: []string{"codex", "exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"},
		env:     []string{"K=x"},
	},
}

// box is a running container with one agent, our programs and the stand-in
// model in it.
type box struct {
	t         *testing.T
	container testcontainers.Container
	home      *runner.Home
	agent     agent
	user      string
	requests  string // what the model was asked, on the host
}

// start makes the container. Its PATH holds one agent, node and our programs.
func (s *stage) start(t *testing.T, a agent) *box {
	t.Helper()
	return s.startWith(t, a, []string{"carryover", "carryoverd", "carryover-hook"})
}

// startWith is start with some of our programs, and folders of the host that are
// readable in the container ("host:container").
func (s *stage) startWith(t *testing.T, a agent, ours []string, folders ...string) *box {
	t.Helper()
	dir := t.TempDir()
	b := &box{t: t, home: s.home, agent: a, user: s.user, requests: filepath.Join(dir, "model", "requests.jsonl")}
	scripts, err := json.Marshal(s.scripts)
	if err != nil {
		t.Fatal(err)
	}
	s.write(t, filepath.Join(dir, "model", "scripts.json"), string(scripts))
	// A user without a name has no home in the eyes of node.
	s.write(t, filepath.Join(dir, "passwd"), "root:x:0:0::/root:/bin/sh\ndev:x:"+s.user+"::"+s.home.Dir+":/bin/bash\n")
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, program := range append(ours, "serve") {
		if err := os.Link(filepath.Join(s.programs, program), filepath.Join(bin, program)); err != nil {
			t.Fatal(err)
		}
	}
	for _, program := range []string{a.binary, "node"} {
		if err := os.Symlink(agentsAt+"/.bin/"+program, filepath.Join(bin, program)); err != nil {
			t.Fatal(err)
		}
	}
	image := a.image
	if image == "" {
		image = cmp.Or(a.base, os.Getenv(imageVariable))
		folders = append(folders, filepath.Dir(runner.BinDir())+":"+agentsAt)
	}
	b.container, err = testcontainers.Run(t.Context(), image,
		testcontainers.WithConfigModifier(func(c *container.Config) {
			c.User, c.WorkingDir = s.user, s.home.Project
			c.Env = []string{"HOME=" + s.home.Dir, "PATH=" + s.home.Dir + "/.local/bin:" + binAt + ":/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "TERM=dumb"}
		}),
		testcontainers.WithHostConfigModifier(func(hc *container.HostConfig) {
			initProcess := true
			hc.Init = &initProcess // else its end takes 10 s
			hc.NetworkMode = "none"
			for _, folder := range folders {
				hc.Binds = append(hc.Binds, folder+":ro")
			}
			hc.Binds = append(hc.Binds,
				s.home.Dir+":"+s.home.Dir, bin+":"+binAt+":ro",
				filepath.Join(dir, "model")+":/model", filepath.Join(dir, "passwd")+":/etc/passwd:ro",
			)
		}),
		testcontainers.WithCmd("serve", modelAt, "/model/scripts.json", "/model/requests.jsonl"),
		testcontainers.WithWaitStrategy(wait.ForLog("listening on")),
	)
	testcontainers.CleanupContainer(t, b.container, testcontainers.StopTimeout(0))
	if err != nil {
		t.Fatalf("start a container for %s: %v", a.name, err)
	}
	return b
}

// run runs a program in the container; it must succeed.
func (b *box) run(command ...string) string {
	b.t.Helper()
	return b.runAs(b.user, command...)
}

// uid is the number of the container's user.
func (b *box) uid() string {
	uid, _, _ := strings.Cut(b.user, ":")
	return uid
}

func (b *box) runAs(user string, command ...string) string {
	b.t.Helper()
	code, text := b.try(user, command...)
	if code != 0 {
		b.t.Fatalf("%s ended with %d\n%s", strings.Join(command, " "), code, text)
	}
	return text
}

// try runs a program that may fail.
func (b *box) try(user string, command ...string) (code int, output string) {
	b.t.Helper()
	code, reader, err := b.container.Exec(b.t.Context(), command, tcexec.Multiplexed(),
		tcexec.WithUser(user), tcexec.WithWorkingDir(b.home.Project),
		tcexec.WithEnv(append([]string{"CARRYOVER_LISTEN=127.0.0.1:0"}, b.agent.env...)))
	if err != nil {
		b.t.Fatalf("%s: %v", strings.Join(command, " "), err)
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		b.t.Fatalf("read what %s said: %v", command[0], err)
	}
	return code, string(text)
}

// install wires this container's agent, which starts a daemon.
func (b *box) install() {
	b.t.Helper()
	b.run("carryover", "install", "--tools", b.agent.name, "--yes", "--no-service")
}

// prompt is one session of the agent.
func (b *box) prompt(text string) {
	b.t.Helper()
	out := b.run(append(b.agent.command, text)...)
	for line := range strings.SplitSeq(strings.ToLower(out), "\n") {
		if strings.Contains(line, "hook failed") || strings.Contains(line, "carryover") && strings.Contains(line, "error") {
			b.t.Errorf("%s said: %s", b.agent.name, line)
		}
	}
}

// firstRequest is the text of the first request of the agent's own turn.
func (b *box) firstRequest() string {
	b.t.Helper()
	return b.turnRequests()[0].Text()
}

// lastRequest is the text of the last one.
func (b *box) lastRequest() string {
	b.t.Helper()
	all := b.turnRequests()
	return all[len(all)-1].Text()
}

func (b *box) turnRequests() []mockmodel.Request {
	b.t.Helper()
	data, err := os.ReadFile(b.requests)
	if err != nil {
		b.t.Fatal(err)
	}
	var turns []mockmodel.Request
	for line := range bytes.Lines(data) {
		var request mockmodel.Request
		if err := json.Unmarshal(line, &request); err != nil {
			b.t.Fatalf("read what the model was asked: %v", err)
		}
		if request.Kind == mockmodel.Turn {
			turns = append(turns, request)
		}
	}
	if len(turns) == 0 {
		b.t.Fatalf("%s asked the model nothing", b.agent.name)
	}
	return turns
}
