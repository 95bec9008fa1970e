// Package release runs the recipes of RELEASING.md in a scratch clone.
package release

import (
	"crypto/rand"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"aead.dev/minisign"

	"github.com/carryover-go/carryover/integration/runner"
)

// variable asks for this test, which takes minutes: `make rehearse-release`.
const variable = "CARRYOVER_REHEARSE_RELEASE"

// clone is a scratch clone of what is committed.
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

// newName is what the newer specs call Codex.
const newName = "Codex CLI, newer facts"

const everyTag = "modules/daemon/v0.1.0 modules/distiller/v0.1.0 modules/ledger/v0.1.0 toolspecs/v0.1.0 v0.1.0"

// A release of everything and one of the specs alone, as RELEASING.md says, and the
// old program gets the new specs by their bundle, by npm, and by the formula of Homebrew.
func TestReleasing_RunsAsWritten(t *testing.T) {
	if os.Getenv(variable) == "" {
		t.Skipf("SKIPPED: it builds every module twice; run `make rehearse-release`")
	}
	c := newClone(t)

	key := c.newKey()
	for _, module := range []string{"toolspecs", "modules/ledger", "modules/distiller", "modules/daemon", "commands"} {
		c.write("changes/first-"+path.Base(module)+".md", "module: "+module+"\nkind: new\n\nThe first release.\n")
	}
	c.run("git add -A && git commit -qm 'packaging: the key of the bundles'")
	c.run(`sed -i 's/version: v0.0.0/version: v0.1.0/' versions.yaml`)
	for _, line := range c.recipe("full") {
		c.run(line)
	}
	c.run("go test ./packaging/... && go test ./cmd/carryover -run 'Scripts/(toolspecs|version)|Documents'") // CI is green on a release, too
	if got := c.tags(); got != everyTag {
		t.Fatalf("tags are %q, want %q", got, everyTag)
	}
	c.run("git status --porcelain -- ':!go.work.sum' | (! grep .)")
	if left := c.run("ls changes"); left != "TEMPLATE.md\nreleased\n" {
		t.Errorf("of the notes are left:\n%s", left)
	}
	before := c.publish("v0.1.0")

	c.run(`sed -i 's/"name": "Codex CLI"/"name": "` + newName + `"/' toolspecs/tools/codex/spec.json`)
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
	head := c.run("git rev-parse HEAD")
	if out := c.run(c.recipe("specs")[0]); !strings.Contains(out, "tagged already") || c.run("git rev-parse HEAD") != head {
		t.Errorf("a second run said %q", out)
	}
	after := c.publish("v0.1.1")
	c.reachesTheOldProgram(before, key, "carryover-specs_0.1.1.json")
	c.reachesNPM(before, after)
	c.reachesHomebrew(before, after)
}

// published is what the workflow would publish of a tag for this machine, without the packages
// of Linux: they take most of the time, and others install them (make test-channels).
type published struct{ version, dist string }

func (c clone) publish(version string) published {
	c.t.Helper()
	at := filepath.Join(filepath.Dir(c.dir), version)
	c.in(c.dir, "git", "clone", "-q", "--branch", version, "file://"+c.dir, at)
	c.in(at, "git", "remote", "remove", "origin")
	c.in(at, "env", "CARRYOVER_PACKAGES=no", "PATH="+filepath.Join(runner.Root(), ".cache", "bin")+":"+os.Getenv("PATH"), "scripts/snapshot", "--tagged", runtime.GOOS+"/"+runtime.GOARCH)
	return published{version, filepath.Join(at, "dist")}
}

// upgrades installs one release after the other, and asks the program for its version
// and its specs each time: the second one's are new.
func (c clone) upgrades(program string, install func(dist string), releases ...published) {
	c.t.Helper()
	for i, one := range releases {
		install(one.dist)
		if out := c.run(program + " version"); !strings.Contains(out, one.version) {
			c.t.Errorf("%s: the program is %s, want %s", program, out, one.version)
		}
		if c.hasNewSpecs(program) != (i == 1) {
			c.t.Errorf("%s: the program of %s has the specs of the other release", program, one.version)
		}
	}
}

// hasNewSpecs has a program list its own specs: are they those of the second release?
func (c clone) hasNewSpecs(program string) bool {
	c.t.Helper()
	return strings.Contains(c.run("CARRYOVER_HOME=$PWD/../no-bundle "+program+" toolspecs list"), newName)
}

// reachesNPM upgrades offline, as somebody who installed by npm does.
func (c clone) reachesNPM(releases ...published) {
	c.t.Helper()
	prefix := filepath.Join(filepath.Dir(c.dir), "npm")
	c.upgrades(prefix+"/bin/carryover", func(dist string) {
		c.in(filepath.Join(dist, "npm"), "bash", "-ec", `for package in */; do (cd "$package" && npm pack --silent --pack-destination ..); done
			npm install --offline --silent --global --prefix "$0" ./*.tgz`, prefix)
	}, releases...)
}

// reachesHomebrew upgrades as the formula says, read by a stand-in for Homebrew: the archive
// that its URL names, with the hash that it names, installed by its install block. The
// stand-in runs the formula's own test, too.
func (c clone) reachesHomebrew(releases ...published) {
	c.t.Helper()
	if _, err := exec.LookPath("ruby"); err != nil {
		c.t.Logf("SKIPPED: the formula of Homebrew was not evaluated: %v", err)
		return
	}
	prefix := filepath.Join(filepath.Dir(c.dir), "brew")
	brew := []string{filepath.Join(c.dir, "packaging", "testdata", "brew.rb"), "channels/homebrew/carryover.rb", runtime.GOOS, runtime.GOARCH}
	c.upgrades(prefix+"/bin/carryover", func(dist string) {
		url, _, _ := strings.Cut(c.in(dist, "ruby", brew...), "\n")
		c.in(dist, "ruby", append(slices.Clip(brew), path.Base(url), prefix)...)
	}, releases...)
}

// newKey makes the key of the bundles, and has the programs know its public half.
func (c clone) newKey() minisign.PrivateKey {
	c.t.Helper()
	public, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		c.t.Fatal(err)
	}
	c.run(`sed -i 's|^specs_key:.*|specs_key: "` + public.String() + `"|' packaging/product.yaml && grep -q '^specs_key: "RW' packaging/product.yaml`)
	return private
}

// reachesTheOldProgram signs the bundle as the workflow does, and has the program of
// the release before use it.
func (c clone) reachesTheOldProgram(before published, key minisign.PrivateKey, bundle string) {
	c.t.Helper()
	data, err := os.ReadFile(filepath.Join(c.dir, bundle))
	if err != nil {
		c.t.Fatal(err)
	}
	c.write(bundle+".minisig", string(minisign.Sign(key, data)))
	c.run("mkdir ../old && tar -xzf " + before.dist + "/carryover_0.1.0_*.tar.gz -C ../old")
	if c.hasNewSpecs("../old/carryover") {
		c.t.Fatal("the old program has the new specs")
	}
	old := "CARRYOVER_HOME=$PWD/../home ../old/carryover toolspecs "
	c.run(old + "install " + bundle)
	if out := c.run(old + "list"); !strings.Contains(out, newName) || !strings.Contains(out, "bundle 0.1.1") {
		c.t.Errorf("the old program lists\n%s", out)
	}
}
