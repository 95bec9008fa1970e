package publish_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/publish"
	"github.com/carryover-go/carryover/toolspecs"
)

// repository is a git worktree with some files.
func repository(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	for name, text := range files {
		write(t, filepath.Join(dir, name), text)
	}
	return dir
}

func open(t *testing.T, dir string) *publish.Project {
	t.Helper()
	project, err := publish.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = project.Close() })
	return project
}

// Git must never see a byte of the handoff, not even at the first write, and no
// file of the project changes for it.
func TestHandoff_IsHiddenFromGit(t *testing.T) {
	dir := repository(t, nil)
	changed, err := open(t, dir).Handoff("text\n")
	if err != nil || !changed {
		t.Fatalf("changed %v, %v", changed, err)
	}
	if status := git(t, dir, "status", "--porcelain", "--untracked-files=all"); status != "" {
		t.Errorf("git sees\n%s", status)
	}
	if got := read(t, filepath.Join(dir, ".carryover", "handoff.md")); got != "text\n" {
		t.Errorf("the handoff holds %q", got)
	}
	again, err := open(t, dir).Handoff("text\n")
	if err != nil || again {
		t.Errorf("the same text was written again (%v)", err)
	}
}

func TestGitignoreGetsTwoLinesOnce(t *testing.T) {
	for name, test := range map[string]struct{ before, after string }{
		"none":            {"", "# added by Carryover\n.carryover/\n"},
		"no last newline": {"bin/", "bin/\n# added by Carryover\n.carryover/\n"},
		"CRLF":            {"bin/\r\n", "bin/\r\n# added by Carryover\r\n.carryover/\r\n"},
		"already there":   {"/.carryover\n", "/.carryover\n"},
		"covered":         {".*\n", ".*\n"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := repository(t, nil)
			if test.before != "" {
				write(t, filepath.Join(dir, ".gitignore"), test.before)
			}
			for range 2 {
				if err := open(t, dir).Ignore(); err != nil {
					t.Fatal(err)
				}
			}
			if got := read(t, filepath.Join(dir, ".gitignore")); got != test.after {
				t.Errorf(".gitignore holds %q, want %q", got, test.after)
			}
		})
	}
}

func TestOutsideGitNoIgnoreFileIsMade(t *testing.T) {
	dir := t.TempDir()
	if err := open(t, dir).Ignore(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, ".gitignore")); err == nil {
		t.Error("a .gitignore was made outside git")
	}
}

// A folder that others control is neither used nor written.
func TestUnsafeFoldersAreRefused(t *testing.T) {
	t.Run("tracked by git", func(t *testing.T) {
		for _, version := range []string{"2", "4"} {
			dir := repository(t, map[string]string{".carryover/handoff.md": "theirs\n", ".carrx": "", "a/b": "c"})
			git(t, dir, "-c", "index.version="+version, "add", "-f", ".")
			git(t, dir, "update-index", "--index-version", version)
			if _, err := publish.Open(dir); !errors.Is(err, publish.ErrUnsafe) {
				t.Errorf("index version %s: error is %v", version, err)
			}
		}
	})
	t.Run("a link", func(t *testing.T) {
		dir, elsewhere := repository(t, nil), t.TempDir()
		if err := os.Symlink(elsewhere, filepath.Join(dir, ".carryover")); err != nil {
			t.Fatal(err)
		}
		if _, err := publish.Open(dir); !errors.Is(err, publish.ErrUnsafe) {
			t.Errorf("error is %v", err)
		}
	})
}

// The rules of the two tools, as their facts have them.
var (
	codex     = toolspecs.ContextFiles{Reads: []string{"AGENTS.override.md", "AGENTS.md"}}
	claude    = toolspecs.ContextFiles{Reads: []string{"CLAUDE.md", "AGENTS.md"}, Shadows: map[string][]string{"CLAUDE.md": {"AGENTS.md"}}}
	oldClaude = toolspecs.ContextFiles{Reads: []string{"CLAUDE.md"}, Create: "CLAUDE.md", CreateAs: "@AGENTS.md\n"}
)

func TestThePointerGoesIntoTheFewestFiles(t *testing.T) {
	for name, test := range map[string]struct {
		files   map[string]string
		rules   []toolspecs.ContextFiles
		shared  bool
		changed string
	}{
		"nothing there":                     {nil, []toolspecs.ContextFiles{claude, codex}, false, "AGENTS.md"},
		"AGENTS.md there":                   {map[string]string{"AGENTS.md": "# Rules\n"}, []toolspecs.ContextFiles{claude, codex}, false, "AGENTS.md"},
		"a CLAUDE.md silences AGENTS.md":    {map[string]string{"CLAUDE.md": "# Rules\n"}, []toolspecs.ContextFiles{claude}, false, "AGENTS.md CLAUDE.md"},
		"a CLAUDE.md that imports it":       {map[string]string{"CLAUDE.md": "@AGENTS.md\n"}, []toolspecs.ContextFiles{claude}, false, "AGENTS.md"},
		"an old Claude Code reads no other": {nil, []toolspecs.ContextFiles{oldClaude}, true, "AGENTS.md CLAUDE.md"},
		"one that no hook reaches":          {map[string]string{"CLAUDE.md": "# Rules\n"}, []toolspecs.ContextFiles{codex}, false, "AGENTS.md"},
		"no tool needs it":                  {map[string]string{"AGENTS.md": "# Rules\n"}, nil, false, ""},
		"always":                            {nil, nil, true, "AGENTS.md"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := repository(t, test.files)
			changed, err := open(t, dir).Point(test.rules, test.shared)
			if err != nil || strings.Join(changed, " ") != test.changed {
				t.Fatalf("changed %v (%v), want %s", changed, err, test.changed)
			}
			again, err := open(t, dir).Point(test.rules, test.shared)
			if err != nil || len(again) > 0 {
				t.Errorf("a second time changed %v (%v)", again, err)
			}
		})
	}
}

// The block stands near the top, below the title, and nothing else changes.
func TestTheBlockStandsNearTheTop(t *testing.T) {
	for name, before := range map[string]string{
		"title":    "# Rules\n\nBe kind.\n",
		"no title": "Be kind.\n",
		"CRLF":     "# Rules\r\n\r\nBe kind.\r\n",
		"mark":     "\xef\xbb\xbf# Rules\n\nBe kind.\n",
		"one line": "# Rules",
		"no blank": "# Rules\nBe kind.\n",
	} {
		t.Run(name, func(t *testing.T) {
			dir := repository(t, map[string]string{"AGENTS.md": before})
			if _, err := open(t, dir).Point(nil, true); err != nil {
				t.Fatal(err)
			}
			after := read(t, filepath.Join(dir, "AGENTS.md"))
			start, end := strings.Index(after, "<!--CARRYOVER:START-->"), strings.Index(after, "<!--CARRYOVER:END-->")
			if start < 0 || end < start || start > 40 {
				t.Fatalf("the block is at %d to %d of\n%s", start, end, after)
			}
			rest := after[:start] + after[end+len("<!--CARRYOVER:END-->"):]
			if strings.Join(strings.Fields(rest), " ") != strings.Join(strings.Fields(before), " ") {
				t.Errorf("the rest is %q, was %q", rest, before)
			}
			if strings.Contains(before, "\r\n") && strings.Count(after, "\n") != strings.Count(after, "\r\n") {
				t.Errorf("line ends are mixed: %q", after)
			}
		})
	}
}

// CLAUDE.md is often a link to AGENTS.md. It stays one; a link that leaves the
// project is not followed.
func TestLinkedContextFiles(t *testing.T) {
	dir := repository(t, map[string]string{"AGENTS.md": "# Rules\n"})
	if err := os.Symlink("AGENTS.md", filepath.Join(dir, "CLAUDE.md")); err != nil {
		t.Fatal(err)
	}
	changed, err := open(t, dir).Point([]toolspecs.ContextFiles{claude}, true)
	if err != nil || len(changed) != 1 {
		t.Errorf("changed %v (%v)", changed, err)
	}
	if target, err := os.Readlink(filepath.Join(dir, "CLAUDE.md")); err != nil || target != "AGENTS.md" {
		t.Errorf("the link is %q (%v)", target, err)
	}

	elsewhere := filepath.Join(t.TempDir(), "shared.md")
	write(t, elsewhere, "# Shared\n")
	outside := repository(t, nil)
	if err := os.Symlink(elsewhere, filepath.Join(outside, "AGENTS.md")); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, outside).Point(nil, true); err == nil {
		t.Error("a link out of the project was followed")
	}
	if got := read(t, elsewhere); got != "# Shared\n" {
		t.Errorf("the file outside holds %q", got)
	}
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A .gitignore that leads into git's own folder, or elsewhere, is left alone;
// the folder's own one hides the handoff all the same.
func TestHandoff_LeavesAStrangeGitignoreAlone(t *testing.T) {
	for _, target := range []string{".git/config", "../../elsewhere", "/etc/hosts", "loop", ".carryover/.gitignore"} {
		dir := repository(t, nil)
		if err := errors.Join(os.Symlink("loop", filepath.Join(dir, "loop")), os.Symlink(target, filepath.Join(dir, ".gitignore"))); err != nil {
			t.Fatal(err)
		}
		before := read(t, filepath.Join(dir, ".git", "config"))
		_, err := open(t, dir).Handoff("text\n")
		if err = errors.Join(err, open(t, dir).Ignore()); err != nil {
			t.Errorf("%s: %v", target, err)
		}
		if got := read(t, filepath.Join(dir, ".git", "config")); got != before {
			t.Errorf("%s: git's configuration is %q", target, got)
		}
		if status := git(t, dir, "status", "--porcelain", "--untracked-files=all"); strings.Contains(status, ".carryover/") {
			t.Errorf("%s: git sees\n%s", target, status)
		}
	}
}
