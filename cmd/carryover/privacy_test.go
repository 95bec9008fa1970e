package main

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// own stands for files below ~/.carryover, temporary ones included.
const own = "All of it below `~/.carryover`"

// started lists the files that start a process, each with the words of
// docs/privacy.md that tell about it.
var started = map[string]string{
	"cmd/carryover/internal/cli/pager.go":      "Your pager",
	"cmd/carryover/internal/look/dashboard.go": "The browser of the desktop",
	"cmd/carryover/internal/agents/switch.go":  "The program you name",

	"modules/daemon/doctor/trust.go":      "`codex app-server`",
	"modules/daemon/gitrepo/run.go":       "`git log`, hardened",
	"modules/daemon/service/register.go":  "`systemctl --user`, `launchctl` or `schtasks`",
	"modules/daemon/setup/detect.go":      "An agent's program with its version option",
	"modules/daemon/setup/process.go":     "| `carryoverd` |",
	"modules/daemon/acpproxy/proxy.go":    "The agent you name",
	"modules/daemon/terminal/restorer.go": "`sh` and `stty`",
	"modules/daemon/terminal/session.go":  "The program you name",
}

// written lists the files that create, change or remove files.
var written = map[string]string{
	"cmd/carryover/internal/installation/doctor.go": "`doctor --bundle`",
	"cmd/carryover/internal/keep/replace.go":        "The file you name",
	"cmd/carryover/internal/keep/export.go":         "The file you name | `export --output`",
	"cmd/carryover/manual.go":                       "Manual pages and completion scripts, in the folder you name",

	"modules/daemon/acpproxy/record.go":           "what passed between an editor and an agent",
	"modules/daemon/api/auth.go":                  own,
	"modules/daemon/api/server.go":                own,
	"modules/daemon/capture/spool.go":             own,
	"modules/daemon/capture/sqlitesource/open.go": "A copy of a locked database in the temporary folder",
	"modules/daemon/config/save.go":               own,
	"modules/daemon/continuity/spool.go":          own,
	"modules/daemon/hookstats/book.go":            own,
	"modules/daemon/maintain/forget_sessions.go":  "The files that Carryover wrote into projects",
	"modules/daemon/maintain/forget_files.go":     "The files that Carryover wrote into projects",
	"modules/daemon/contextusage/windows.go":      own,
	"modules/daemon/home/home.go":                 own,
	"modules/daemon/hookclient/fallback.go":       own,
	"modules/daemon/log.go":                       own,
	"modules/daemon/rescue/rescue.go":             "The transcript of a session that its agent deleted",
	"modules/daemon/restore/past.go":              own,
	"modules/daemon/publish/own.go":               own,
	"modules/daemon/projectfs/file.go":            "Carryover writes `.carryover/handoff.md`",
	"modules/daemon/damage/damage.go":             own,
	"modules/daemon/run.go":                       own,
	"modules/daemon/setup/bundle.go":              own,
	"modules/daemon/specs.go":                     own,
	"modules/daemon/service/register.go":          "A unit of systemd",
	"modules/daemon/setup/install.go":             own,
	"modules/daemon/setup/uninstall.go":           own,
	"modules/daemon/wiring/apply.go":              "The agents' settings files: our hooks",
	"modules/daemon/wiring/commands.go":           "adds a plugin folder for Claude Code",
	"modules/daemon/wiring/record.go":             own,
	"modules/daemon/wiring/replace.go":            "The agents' settings files: our hooks",
	"modules/daemon/wiring/write.go":              "The agents' settings files: our hooks",
	"modules/ledger/tombstone/tombstone.go":       own,
	"modules/ledger/sqlite/internal/db/file.go":   own,
}

// opened lists the files that read files or list folders.
var opened = map[string]string{
	"cmd/carryover/internal/agents/continuity.go":            "A file or folder you name",
	"cmd/carryover/internal/keep/restorefile.go":             "A file or folder you name",
	"modules/daemon/maintain/bundle.go":                      "A file or folder you name",
	"cmd/carryover/internal/installation/daemon.go":          own,
	"cmd/carryover/internal/installation/toolspecs.go":       own,
	"cmd/carryover/internal/installation/toolspecs_check.go": own,

	"modules/daemon/ingest/annotate.go":               "Source files that an agent edited",
	"modules/daemon/api/auth.go":                      own,
	"modules/daemon/capture/filesource/content.go":    "Transcripts of the tools in the tool table",
	"modules/daemon/capture/roots.go":                 "Transcripts of the tools in the tool table",
	"modules/daemon/capture/spool.go":                 own,
	"modules/daemon/capture/sqlitesource/file.go":     "The databases of tools that keep their sessions in one",
	"modules/daemon/capture/sqlitesource/open.go":     "The databases of tools that keep their sessions in one",
	"modules/daemon/capture/zstdsource/zstdsource.go": "Transcripts of the tools in the tool table",
	"modules/daemon/publish/report.go":                "Plan documents that a session wrote or read",
	"modules/daemon/config/project.go":                "`.carryover.toml`",
	"modules/daemon/config/config.go":                 own,
	"modules/daemon/config/save.go":                   own,
	"modules/daemon/continuity/spool.go":              own,
	"modules/daemon/continuity/trajectories.go":       "The trajectory files of a project",
	"modules/daemon/damage/damage.go":                 own,
	"modules/daemon/doctor/daemon.go":                 own,
	"modules/daemon/doctor/home.go":                   own,
	"modules/daemon/doctor/trust.go":                  "The agents' settings files",
	"modules/daemon/hookstats/book.go":                own,
	"modules/daemon/maintain/forget_sessions.go":      "The files that Carryover wrote into projects",
	"modules/daemon/contextusage/windows.go":          own,
	"modules/daemon/home/state.go":                    own,
	"modules/daemon/hookclient/caller.go":             "the agent's command line",
	"modules/daemon/hookclient/fallback.go":           "The first line of a Codex transcript",
	"modules/daemon/ingest/import.go":                 "A file or folder you name",
	"modules/daemon/open.go":                          own,
	"modules/daemon/publish/own.go":                   own,
	"modules/daemon/publish/project.go":               "`.gitignore`, `AGENTS.md`, `CLAUDE.md` and `.carryover.toml` of a project",
	"modules/daemon/gitrepo/index.go":                 "`HEAD`, refs, `commondir`, the index",
	"modules/daemon/gitrepo/repo.go":                  "`HEAD`, refs, `commondir`, the index",
	"modules/daemon/gitrepo/same.go":                  "The folders beside a worktree",
	"modules/daemon/gitrepo/state.go":                 "The end of git's reflog (64 KiB)",
	"modules/daemon/projectfs/file.go":                "`.gitignore`, `AGENTS.md`, `CLAUDE.md` and `.carryover.toml` of a project",
	"modules/daemon/projectfs/project.go":             "`.gitignore`, `AGENTS.md`, `CLAUDE.md` and `.carryover.toml` of a project",
	"modules/daemon/maintain/forget_files.go":         "The files that Carryover wrote into projects",
	"modules/daemon/regularfile/regularfile.go":       "`HEAD`, refs, `commondir`, the index",
	"modules/daemon/gitrepo/own.go":                   "`HEAD`, refs, `commondir`, the index",
	"modules/daemon/restore/process_linux.go":         "Of the commands that a session left running",
	"modules/daemon/setup/packaged.go":                "the `package.json` of its npm package",
	"modules/daemon/hookclient/statusline.go":         own,
	"modules/daemon/setup/bundle.go":                  "A bundle of specs, its signature, and a key",
	"modules/daemon/specs.go":                         own,
	"modules/daemon/service/register.go":              "A unit of systemd",
	"modules/daemon/setup/install.go":                 own,
	"modules/daemon/setup/program.go":                 "The programs of the agents",
	"modules/daemon/terminal/front_linux.go":          "On Linux, of the processes of the machine",
	"modules/daemon/wiring/apply.go":                  "The agents' settings files",
	"modules/daemon/wiring/commands.go":               "adds a plugin folder for Claude Code",
	"modules/daemon/wiring/record.go":                 own,
	"modules/daemon/wiring/replace.go":                "The agents' settings files",
	"modules/daemon/wiring/switches.go":               "those of the administrator too",
	"modules/daemon/wiring/write.go":                  "The agents' settings files",
	"modules/ledger/tombstone/tombstone.go":           own,
	"modules/ledger/sqlite/internal/db/file.go":       own,
	"modules/ledger/sqlite/internal/db/own.go":        own,
	"modules/ledger/sqlite/internal/pages/file.go":    own,
	"modules/ledger/sqlite/internal/pages/log.go":     own,
}

var (
	starting = []string{"exec.Command", "exec.CommandContext", "os.StartProcess", "syscall.Exec", "browser.OpenURL", "browser.OpenFile"}
	writing  = []string{
		"os.WriteFile", "os.Rename", "os.Remove", "os.RemoveAll", "os.Create", "os.CreateTemp", "os.OpenFile", "os.Mkdir", "os.MkdirAll",
		"os.MkdirTemp", "os.Symlink", "os.Link", "os.Chmod", "os.Truncate", "os.Chtimes", "maybe.WriteFile", "renameio.WriteFile",
	}
	writingMethods = []string{"WriteFile", "Rename", "Remove", "RemoveAll", "OpenFile", "Mkdir", "MkdirAll", "Symlink", "Chmod"}
	reading        = []string{"os.Open", "os.ReadFile", "os.ReadDir", "os.OpenRoot", "os.DirFS", "filepath.WalkDir", "sql.Open", "regularfile.Open", "regularfile.Read", "regularfile.ReadOwn", "projectfs.Open"}
)

// TestPrivacy_ListsEveryProcessAndFile holds the program to docs/privacy.md:
// code that starts a process, opens a file or writes one stands in a list with
// the words of the document, or below Carryover's own folder.
func TestPrivacy_ListsEveryProcessAndFile(t *testing.T) {
	page, err := os.ReadFile("../../docs/privacy.md")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("NO DOCUMENT: this module stands without the repository around it; nothing was compared")
	}
	if err != nil {
		t.Fatal(err)
	}
	document := strings.Join(strings.Fields(string(page)), " ")
	found := map[string]map[string]bool{}
	eachSource(t, func(path string, file *ast.File) {
		for _, kind := range uses(file) {
			if found[kind] == nil {
				found[kind] = map[string]bool{}
			}
			found[kind][path] = true
		}
	})
	for kind, list := range map[string]map[string]string{"starts a process": started, "writes a file": written, "opens a file": opened} {
		for path := range found[kind] {
			if list[path] == "" {
				t.Errorf("%s %s and is in no list: name the sentence of docs/privacy.md", path, kind)
			}
		}
		for path, words := range list {
			if !found[kind][path] {
				t.Errorf("%s is listed and no longer %s", path, kind)
			}
			if !strings.Contains(document, words) {
				t.Errorf("docs/privacy.md lacks %q, of %s, which %s", words, path, kind)
			}
		}
	}
}

// eachSource parses every file of the product.
func eachSource(t *testing.T, visit func(path string, file *ast.File)) {
	t.Helper()
	for _, root := range []string{"cmd", "modules", "toolspecs"} {
		err := filepath.WalkDir("../../"+root, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && (entry.Name() == "testdata" || strings.HasSuffix(entry.Name(), "test")):
				return fs.SkipDir
			case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err == nil {
				visit(filepath.ToSlash(strings.TrimPrefix(path, "../../")), file)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// uses says what the calls of a file do: start, write, open.
func uses(file *ast.File) []string {
	var kinds []string
	readOnly := map[ast.Expr]bool{}
	ast.Inspect(file, func(node ast.Node) bool {
		if call, ok := node.(*ast.CallExpr); ok && opensToRead(call) {
			readOnly[call.Fun] = true
			kinds = append(kinds, "opens a file")
		}
		selector, ok := node.(*ast.SelectorExpr)
		if !ok || readOnly[selector] {
			return true
		}
		name := selector.Sel.Name
		if x, ok := selector.X.(*ast.Ident); ok {
			name = x.Name + "." + name
		}
		switch {
		case slices.Contains(starting, name):
			kinds = append(kinds, "starts a process")
		case slices.Contains(writing, name), ofRoot(selector) && slices.Contains(writingMethods, selector.Sel.Name):
			kinds = append(kinds, "writes a file")
		case slices.Contains(reading, name):
			kinds = append(kinds, "opens a file")
		}
		return true
	})
	return kinds
}

// opensToRead says that a call is an OpenFile that names O_RDONLY.
func opensToRead(call *ast.CallExpr) bool {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || selector.Sel.Name != "OpenFile" {
		return false
	}
	found := false
	for _, arg := range call.Args {
		ast.Inspect(arg, func(node ast.Node) bool {
			name, ok := node.(*ast.SelectorExpr)
			found = found || ok && name.Sel.Name == "O_RDONLY"
			return true
		})
	}
	return found
}

// ofRoot says that a method is called on an os.Root, which is called root in
// all of the code.
func ofRoot(selector *ast.SelectorExpr) bool {
	switch x := selector.X.(type) {
	case *ast.Ident:
		return x.Name == "root"
	case *ast.SelectorExpr:
		return x.Sel.Name == "root"
	}
	return false
}
