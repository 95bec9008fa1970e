package containers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/integration/runner"
)

// snapshotAt is where the folder of a snapshot (make snapshot) is in a container.
const snapshotAt = "/dist"

// channel is one way to put the programs on a machine and to take them away.
type channel struct {
	name    string
	add     func(b *box)
	remove  func(b *box)
	folders func(t *testing.T) []string // of the host, that it needs
	image   string                      // "" for the base image
}

// managersImage has the package managers of other distributions
// (integration/channels/Dockerfile).
const managersImage = "carryover/channels:local"

var channels = []channel{
	{
		name: "Debian package",
		add: func(b *box) {
			b.runAs("root", "bash", "-c", "PATH=$PATH:/sbin:/usr/sbin dpkg --install "+snapshotAt+"/*_amd64.deb")
		},
		remove: func(b *box) { b.runAs("root", "bash", "-c", "PATH=$PATH:/sbin:/usr/sbin dpkg --purge carryover") },
	},
	{
		name:  "rpm package",
		image: managersImage,
		add: func(b *box) { // its dependencies are Debian's here, which rpm does not know
			b.runAs("root", "sh", "-c", "rpm --dbpath /var/lib/rpm --install --nodeps --force-debian "+snapshotAt+"/*.x86_64.rpm")
		},
		remove: func(b *box) { b.runAs("root", "rpm", "--dbpath", "/var/lib/rpm", "--erase", "carryover") },
	},
	{
		name:  "Arch package",
		image: managersImage,
		add: func(b *box) {
			b.runAs("root", "sh", "-c", "pacman --upgrade --noconfirm --nodeps --nodeps "+snapshotAt+"/*-x86_64.pkg.tar.zst")
		},
		remove: func(b *box) { b.runAs("root", "pacman", "--remove", "--noconfirm", "carryover") },
	},
	{
		name:  "AUR",
		image: managersImage,
		add: func(b *box) { // as somebody who took PKGBUILD from there; it finds the archive and checks its hash
			b.run("bash", "-c", `set -e; work=$(mktemp -d); cd "$work"
				cp /dist/channels/aur/PKGBUILD /dist/*_linux_amd64.tar.gz .
				makepkg --printsrcinfo | cmp - /dist/channels/aur/.SRCINFO
				makepkg --nodeps; mv *.pkg.tar* /tmp/from-aur`)
			b.runAs("root", "pacman", "--upgrade", "--noconfirm", "--nodeps", "--nodeps", "/tmp/from-aur")
		},
		remove: func(b *box) { b.runAs("root", "pacman", "--remove", "--noconfirm", "carryover-bin") },
	},
	{
		name: "archive",
		add: func(b *box) {
			b.run("bash", "-c", "mkdir -p ~/.local/bin && tar -xzf "+snapshotAt+"/*_linux_amd64.tar.gz -C ~/.local/bin carryover carryoverd carryover-hook")
		},
		remove: func(b *box) { b.run("bash", "-c", removePrograms) },
	},
	{
		name: "install script",
		add: func(b *box) {
			b.run("env", "CARRYOVER_BASE_URL="+snapshotAt, "sh", snapshotAt+"/channels/install.sh")
		},
		remove: func(b *box) {
			b.run("bash", "-c", removePrograms)
		},
	},
	{
		name:  "dev container feature",
		image: managersImage, // it has curl, as an image of a dev container does
		add: func(b *box) {
			b.runAs("root", "bash", "-c", `set -e; release=$(mktemp -d)
				cp /dist/*_linux_amd64.tar.gz /dist/checksums.txt /dist/channels/install.sh "$release"
				_REMOTE_USER=$(id -nu `+b.uid()+` 2>/dev/null || echo `+b.uid()+`) VERSION=latest BASEURL="file://$release" sh /feature/install.sh
				rm -r "$release"; test "$(stat -c %a:%u /var/lib/carryover)" = 700:`+b.uid())
		},
		remove: func(b *box) {
			b.runAs("root", "bash", "-c", "rm -r /usr/local/bin/carryover /usr/local/bin/carryoverd /usr/local/bin/carryover-hook /var/lib/carryover")
		},
		folders: func(*testing.T) []string {
			return []string{filepath.Join(runner.Root(), "packaging", "devcontainer", "carryover") + ":/feature"}
		},
	},
	{
		name: "npm",
		add: func(b *box) {
			b.run("bash", "-c", npmScript+`
				for package in /dist/npm/linux-x64 /dist/npm/carryover; do npm publish --tag latest "$package"; done
				npm install --global --prefix ~/.local carryover
				kill $registry; rm -rf "$work"`)
		},
		remove: func(b *box) {
			b.run("bash", "-c", npmScript+`kill $registry; npm uninstall --global --prefix ~/.local carryover; rm -rf "$work" ~/.local ~/.npm`)
		},
		folders: registry,
	},
}

// removePrograms is what a person does who put them there without a package manager.
const removePrograms = "rm ~/.local/bin/carryover ~/.local/bin/carryoverd ~/.local/bin/carryover-hook; rmdir -p ~/.local/bin 2>/dev/null || true"

// npmScript starts a registry that knows no other one, and points npm at it.
const npmScript = `set -e
	work=$(mktemp -d)
	export PATH=/opt/channels/node_modules/.bin:$PATH
	printf '%s\n' "storage: $work/storage" 'uplinks: {}' 'packages: {"**": {access: $all, publish: $anonymous}}' \
		'max_body_size: 200mb' 'log: {type: stdout, level: error}' >"$work/config.yaml"
	verdaccio --config "$work/config.yaml" --listen 127.0.0.1:4873 >"$work/log" 2>&1 &
	registry=$!
	for _ in $(seq 100); do (: </dev/tcp/127.0.0.1/4873) 2>/dev/null && break; sleep 0.1; done
	printf '%s\n' registry=http://127.0.0.1:4873/ //127.0.0.1:4873/:_authToken=none cache=$work/cache update-notifier=false >"$work/npmrc"
	export NPM_CONFIG_USERCONFIG=$work/npmrc npm_config_loglevel=error
`

// registry is the folder of scripts/registry.
func registry(t *testing.T) []string {
	t.Helper()
	dir := filepath.Join(runner.Root(), ".cache", "channels")
	if _, err := os.Stat(filepath.Join(dir, "node_modules", ".bin", "verdaccio")); err != nil {
		t.Fatalf("%v; run scripts/registry %s", err, dir)
	}
	return []string{dir + ":/opt/channels"}
}

// From an empty machine: the programs come by a channel, connect a real agent,
// carry its work into another, and go without a trace.
func TestChannels_InstallHandOverAndLeaveNoTrace(t *testing.T) {
	dist := snapshot(t)
	for _, c := range channels {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t)
			s.work()
			folders := []string{dist + ":" + snapshotAt}
			if c.folders != nil {
				folders = append(folders, c.folders(t)...)
			}
			claude := agents["claude-code"]
			claude.base = c.image
			b := s.startWith(t, claude, nil, folders...)
			b.run("bash", "-c", "mkdir -p ~/.claude")
			before := b.run("bash", "-c", everyFile)

			c.add(b)
			if out := b.run("carryover", "version"); !strings.Contains(out, "snapshot") {
				t.Errorf("the version is %q", out)
			}
			b.install()
			b.prompt("Add a date parser in parser.py with a test; dates are ISO 8601 only.")
			if out := b.run("carryover", "handoff"); !strings.Contains(out, "Add a date parser") {
				t.Errorf("the handoff is\n%s", out)
			}
			b.prompt("What is the state of things?")
			if text := b.lastRequest(); !strings.Contains(text, sentinel) || !strings.Contains(text, "the parts to int in parser.py") {
				t.Error("the second session did not get the handoff of the first")
			}
			b.run("carryover", "uninstall", "--purge", "--yes")
			c.remove(b)
			if code, out := b.try(b.user, "carryover", "version"); code == 0 {
				t.Errorf("the program is still there: %s", out)
			}
			if after := b.run("bash", "-c", everyFile); after != before {
				t.Errorf("files before\n%s\nand after\n%s", before, after)
			}
		})
	}
}

// everyFile lists what is in the home, but for the agent's own files and those of
// its work, and what git sees of ours in the project.
const everyFile = `cd ~ && find . -mindepth 1 \( -path './.claude/*' -o -path './.claude.json*' -o -path ./.cache -o -path './proj/*' -o -path './.codex*' -o -path './.local/s*' \) -prune -o -print | sort
	cat ~/.claude/settings.json 2>/dev/null; find ~/.claude | grep -i carryover
	cd ~/proj && git status --short --ignored | grep -v -e parser -e pycache; cat .git/info/exclude`

// A hash that differs stops the installer before anything is put anywhere.
func TestChannels_RefuseAnotherHash(t *testing.T) {
	dist := snapshot(t)
	s := newStage(t)
	b := s.startWith(t, agents["claude-code"], nil, dist+":"+snapshotAt)
	code, out := b.try(b.user, "bash", "-c", `
		mkdir ~/copy && cp /dist/*.tar.gz ~/copy && sed 's/^./0/;t' /dist/checksums.txt | sed 's/^0./11/' >~/copy/checksums.txt
		CARRYOVER_BASE_URL=$HOME/copy sh /dist/channels/install.sh`)
	if code == 0 || !strings.Contains(out, "nothing was installed") {
		t.Errorf("it ended with %d: %s", code, out)
	}
	if code, _ := b.try(b.user, "bash", "-c", "ls ~/.local/bin/carryover"); code == 0 {
		t.Error("the program was installed")
	}
}

// snapshot is the folder that `make snapshot` made; its absence skips, or fails
// where there must be one.
func snapshot(t *testing.T) string {
	t.Helper()
	dist := filepath.Join(runner.Root(), "dist")
	if _, err := os.Stat(filepath.Join(dist, "channels", "install.sh")); err != nil {
		if os.Getenv("CARRYOVER_REQUIRE_CHANNELS") != "" {
			t.Fatalf("%v; run `make snapshot`", err)
		}
		t.Skip("SKIPPED: there is no snapshot to install; run `make snapshot`")
	}
	needEngine(t)
	return dist
}
