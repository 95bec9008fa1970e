//go:build unix

package projectfs_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/projectfs"
)

// project is a git worktree beside a folder of the user's own documents.
type project struct {
	t       *testing.T
	dir     string
	outside string
}

func newProject(t *testing.T) project {
	t.Helper()
	home := t.TempDir()
	p := project{t, filepath.Join(home, "work", "proj"), filepath.Join(home, "Documents")}
	p.write(filepath.Join(p.outside, "thesis.md"), "mine\n")
	p.write(filepath.Join(p.dir, "docs", "guide.md"), "guide\n")
	p.git(p.dir, "init", "-q")
	return p
}

func (p project) write(path, text string) {
	p.t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		p.t.Fatal(err)
	}
}

func (p project) git(dir string, args ...string) {
	p.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=dev", "-c", "user.email=dev@example.org", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null")
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (p project) link(target, name string) {
	p.t.Helper()
	name = filepath.Join(p.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.Symlink(target, name)); err != nil {
		p.t.Fatal(err)
	}
}

func (p project) fifo(path string) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Join(p.dir, ".carryover"), 0o700); err != nil {
		p.t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(p.dir, path), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

func (p project) submodule() {
	p.t.Helper()
	other := filepath.Join(filepath.Dir(p.outside), "other")
	p.write(filepath.Join(other, "handoff.md"), "theirs\n")
	p.git(other, "init", "-q")
	p.git(other, "add", "-A")
	p.git(other, "commit", "-q", "-m", "first")
	p.git(p.dir, "submodule", "add", "-q", "-f", other, ".carryover")
}

// Every way in which a repository, or another user, can make Carryover's files
// lead elsewhere is refused with its reason, before a byte is read or written.
func TestOpen_RefusesAFolderThatComesFromElsewhere(t *testing.T) {
	for name, test := range map[string]struct {
		prepare func(project)
		reason  projectfs.Reason
	}{
		"a link out of the project": {func(p project) { p.link("../../Documents", ".carryover") }, projectfs.Link},
		"a link to the project":     {func(p project) { p.link("docs", ".carryover") }, projectfs.Link},
		"a committed link": {func(p project) {
			p.link("../../Documents", ".carryover")
			p.git(p.dir, "add", "-A")
		}, projectfs.Tracked},
		"a submodule": {project.submodule, projectfs.Tracked},
		"a submodule taken out of the index": {func(p project) {
			p.submodule()
			p.git(p.dir, "rm", "-q", "--cached", ".carryover")
		}, projectfs.Submodule},
		"a repository of its own": {func(p project) { p.write(filepath.Join(p.dir, ".carryover", ".git"), "gitdir: x\n") }, projectfs.Submodule},
		"a tracked file": {func(p project) {
			p.write(filepath.Join(p.dir, ".carryover", "notes.md"), "x")
			p.git(p.dir, "add", "-A")
		}, projectfs.Tracked},
		"a tracked file in other letters": {func(p project) {
			p.write(filepath.Join(p.dir, ".Carryover", "notes.md"), "x")
			p.git(p.dir, "add", "-A")
		}, projectfs.Tracked},
		"a file":           {func(p project) { p.write(filepath.Join(p.dir, ".carryover"), "x") }, projectfs.NotFolder},
		"of somebody else": {func(p project) { p.foreign(".carryover") }, projectfs.Foreign},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			test.prepare(p)
			_, err := projectfs.Open(p.dir)
			wantReason(t, err, test.reason)
		})
	}
}

func TestFiles_RefuseWhatIsNotTheirOwn(t *testing.T) {
	const file = ".carryover/handoff.md"
	for name, test := range map[string]struct {
		prepare func(project)
		file    string
		reason  projectfs.Reason
	}{
		"a link":               {func(p project) { p.link("../docs/guide.md", file) }, file, projectfs.Link},
		"a folder that links":  {func(p project) { p.link("../../../Documents", ".carryover/outbox") }, ".carryover/outbox/thesis.md", projectfs.Link},
		"a FIFO":               {func(p project) { p.fifo(file) }, file, projectfs.NotRegular},
		"a folder":             {func(p project) { p.write(filepath.Join(p.dir, file, "x"), "") }, file, projectfs.NotRegular},
		"a hard link":          {func(p project) { p.hardLink(file) }, file, projectfs.HardLink},
		"a repository below":   {func(p project) { p.write(filepath.Join(p.dir, ".carryover/handoffs/.git/HEAD"), "x") }, ".carryover/handoffs/x.md", projectfs.Submodule},
		"of somebody else":     {func(p project) { p.foreign(file) }, file, projectfs.Foreign},
		"git's configuration":  {func(project) {}, ".git/config", projectfs.Git},
		"git in other letters": {func(p project) { p.write(filepath.Join(p.dir, "docs/.GIT"), "") }, "docs/.GIT", projectfs.Git},
		"out of the project":   {func(project) {}, "../../Documents/thesis.md", projectfs.Outside},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			test.prepare(p)
			files, err := projectfs.Open(p.dir)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = files.Close() }()
			_, _, err = files.Read(test.file)
			wantReason(t, err, test.reason)
			_, err = files.Replace(test.file, []byte("ours\n"), 0o600)
			wantReason(t, err, test.reason)
			wantReason(t, files.Remove(test.file), test.reason)
			for path, want := range map[string]string{filepath.Join(p.outside, "thesis.md"): "mine\n", filepath.Join(p.dir, "docs/guide.md"): "guide\n"} {
				if got, err := os.ReadFile(path); string(got) != want {
					t.Errorf("%s holds %q (%v)", path, got, err)
				}
			}
		})
	}
}

// A context file may be a link inside the project, and nowhere else.
func TestResolve_StaysInTheProject(t *testing.T) {
	for target, want := range map[string]projectfs.Reason{
		"../../Documents/thesis.md": projectfs.Outside, "/etc/hosts": projectfs.Outside,
		".git/config": projectfs.Git, "linked/config": projectfs.Link, "AGENTS.md": projectfs.Link, "docs/guide.md": "",
	} {
		p := newProject(t)
		p.link(".git", "linked")
		p.link(target, "AGENTS.md")
		files, err := projectfs.Open(p.dir)
		if err != nil {
			t.Fatal(err)
		}
		name, err := files.Resolve("AGENTS.md")
		if err == nil {
			_, err = files.Replace(name, []byte("x"), 0o644)
		}
		_ = files.Close()
		if want == "" && err != nil {
			t.Errorf("%s: %v", target, err)
		} else if want != "" {
			wantReason(t, err, want)
		}
	}
}

func (p project) hardLink(name string) {
	p.t.Helper()
	name = filepath.Join(p.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.Link(filepath.Join(p.dir, "docs", "guide.md"), name)); err != nil {
		p.t.Fatal(err)
	}
}

// foreign makes a file or the folder .carryover of another user.
func (p project) foreign(name string) {
	p.t.Helper()
	if os.Geteuid() != 0 {
		p.t.Skip("only root can give a file away")
	}
	if name != ".carryover" {
		p.write(filepath.Join(p.dir, name), "theirs\n")
	} else if err := os.Mkdir(filepath.Join(p.dir, name), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.Chown(filepath.Join(p.dir, name), 65534, 65534); err != nil {
		p.t.Fatal(err)
	}
}

func wantReason(t *testing.T, err error, reason projectfs.Reason) {
	t.Helper()
	var refusal *projectfs.Refusal
	if !errors.As(err, &refusal) || refusal.Reason != reason || !errors.Is(err, projectfs.ErrRefused) {
		t.Errorf("error is %v, want %q", err, reason)
	}
}
