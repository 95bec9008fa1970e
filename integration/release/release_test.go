// Package release runs the recipes of RELEASING.md in a scratch clone.
package release

import (
	"crypto/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"aead.dev/minisign"

	"github.com/carryover-go/carryover/integration/runner"
)

// variable asks for this test, which takes minutes: `make rehearse-release`.
const variable = "CARRYOVER_REHEARSE_RELEASE"

// clone is a scratch clone with one commit on top: what is in the tree now.
type clone struct {
	t   *testing.T
	dir string
}

func newClone(t *testing.T) clone {
	t.Helper()
	c := clone{t, filepath.Join(t.TempDir(), "carryover")}
	c.in(filepath.Dir(c.dir), "git", "clone", "-q", "--no-hardlinks", "file://"+runner.Root(), c.dir)
	c.run("git config user.name dev && git config user.email dev@example.org && git config commit.gpgsign false")
	return c
}

func (c clone) in(dir, name string, args ...string) string {
	c.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		c.t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// run runs a line of the recipe.
func (c clone) run(line string) string {
	c.t.Helper()
	return c.in(c.dir, "bash", "-c", line)
}

// recipe are the commands of RELEASING.md in the blocks of a name, in order.
func (c clone) recipe(name string) []string {
	c.t.Helper()
	text, err := os.ReadFile(filepath.Join(c.dir, "RELEASING.md"))
	if err != nil {
		c.t.Fatal(err)
	}
	var lines []string
	for _, block := range regexp.MustCompile("(?s)```"+name+"\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		lines = append(lines, strings.Split(strings.TrimSpace(block[1]), "\n")...)
	}
	if len(lines) == 0 {
		c.t.Fatalf("RELEASING.md has no commands in blocks of %q", name)
	}
	return lines
}

func (c clone) write(name, text string) {
	c.t.Helper()
	path := filepath.Join(c.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		c.t.Fatal(err)
	}
}

func (c clone) tags() string { return strings.Join(strings.Fields(c.run("git tag --list")), " ") }

const everyTag = "modules/daemon/v0.1.0 modules/distiller/v0.1.0 modules/ledger/v0.1.0 toolspecs/v0.1.0 v0.1.0"

// A release of everything and one of the specs alone, as RELEASING.md says, and the
// old program gets the new specs by their bundle.
func TestReleasing_RunsAsWritten(t *testing.T) {
	if os.Getenv(variable) == "" {
		t.Skipf("SKIPPED: it builds every module twice; run `make rehearse-release`")
	}
	c := newClone(t)

	c.run(`sed -i 's/version: v0.0.0/version: v0.1.0/' versions.yaml`)
	for _, tag := range strings.Fields(everyTag) {
		c.write("changes/released/"+strings.ReplaceAll(tag, "/", "-")+"/first.md", "module: toolspecs\nkind: new\n\nThe first release.\n")
	}
	c.run("git rm -q $(ls changes/*.md | grep -v TEMPLATE) && git add -A && git commit -qm 'versions: the first release'")
	for _, line := range c.recipe("full") {
		c.run(line)
	}
	if got := c.tags(); got != everyTag {
		t.Fatalf("tags are %q, want %q", got, everyTag)
	}
	c.run("go build -o old/ ./cmd/carryover && mv old ../old && git status --porcelain -- ':!go.work.sum' | (! grep .)")

	c.run(`sed -i 's/"name": "Codex CLI"/"name": "Codex CLI, newer facts"/' toolspecs/tools/codex/spec.json`)
	c.write("changes/codex-facts.md", "module: toolspecs\nkind: changed\n\nNewer facts of Codex.\n")
	c.run("(cd toolspecs && go generate ./page) && git add -A && git commit -qm 'toolspecs/codex: raise the facts'")
	for _, line := range c.recipe("specs") {
		c.run(line)
	}
	want := everyTag + " toolspecs/v0.1.1 v0.1.1"
	want = strings.Replace(want, " v0.1.0 toolspecs/v0.1.1 v0.1.1", " toolspecs/v0.1.1 v0.1.0 v0.1.1", 1)
	if got := c.tags(); got != want {
		t.Errorf("tags are %q, want %q", got, want)
	}
	before := c.run("git rev-parse HEAD")
	if out := c.run(c.recipe("specs")[0]); !strings.Contains(out, "tagged already") || c.run("git rev-parse HEAD") != before {
		t.Errorf("a second run said %q", out)
	}
	c.reachesTheOldProgram("carryover-specs_0.1.1.json")
}

// reachesTheOldProgram signs the bundle as the workflow does, and has the program of
// the release before use it.
func (c clone) reachesTheOldProgram(bundle string) {
	c.t.Helper()
	path := filepath.Join(c.dir, bundle)
	data, err := os.ReadFile(path)
	if err != nil {
		c.t.Fatal(err)
	}
	public, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		c.t.Fatal(err)
	}
	key, err := public.MarshalText()
	if err != nil {
		c.t.Fatal(err)
	}
	c.write(bundle+".minisig", string(minisign.Sign(private, data)))
	c.write("key.pub", string(key))
	old := "CARRYOVER_HOME=$PWD/../home ../old/carryover toolspecs "
	if out := c.run(old + "list"); strings.Contains(out, "newer facts") {
		c.t.Fatalf("the old program has the new specs:\n%s", out)
	}
	c.run(old + "install " + bundle + " --key key.pub")
	if out := c.run(old + "list"); !strings.Contains(out, "Codex CLI, newer facts") || !strings.Contains(out, "bundle 0.1.1") {
		c.t.Errorf("the old program lists\n%s", out)
	}
}
