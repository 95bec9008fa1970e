package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/packaging"
	"github.com/carryover-go/carryover/toolspecs"
)

// others are the programs that are not of this repository, with what holds the line. What
// a document tells to type by another program fails until somebody says here what does.
var others = map[string]struct{ file, text string }{
	"npm":      {"integration/containers/channel_test.go", "npm install --global"},
	"brew":     {"integration/release/release_test.go", "reachesHomebrew"}, // by a stand-in
	"scoop":    {"packaging/shops_test.go", "func scoop("},                 // the manifest alone
	"winget":   {"packaging/winget_test.go", "func winget("},               // the manifest alone
	"docker":   {"scripts/image", "docker run --detach"},
	"minisign": {"integration/release/release_test.go", "minisign.Sign("}, // its library
	"claude":   {"integration/scenario/mcp_test.go", "`claude (mcp add"},
	"/plugin":  {"integration/scenario/plugin_test.go", `"marketplace", "add"`},
	"git":      {"integration/release/release_test.go", `c.recipe("specs")`}, // run there with the others
	"export":   {"Makefile", "$$CARRYOVER_CORPUS"},
}

// exceptions are commands that no test looks at, with the reason.
var exceptions = map[string]string{
	"go mod tidy":                 "it is named as what not to do",
	"go install …@version":        "a form, not a command",
	"claude --version":            "what the program runs itself; see privacy_test.go",
	"git log":                     "what the program runs itself; see privacy_test.go",
	"git rev-list":                "the same",
	"git init --separate-git-dir": "how a user may have made a repository",
	"git diff --stat":             "what an agent may have run",
	"git status":                  "git itself",
	"docker ps":                   "docker itself",
}

// Exceptions and programs that no document names any more are to be removed.
func TestDocuments_ExceptionsAreNeeded(t *testing.T) {
	seen := map[string]bool{}
	everyCommand(t, func(c typed) { seen[c.line], seen[programOf(c.line)] = true, true })
	for line := range exceptions {
		if !seen[line] {
			t.Errorf("no document has `%s`", line)
		}
	}
	for program := range others {
		if !seen[program] {
			t.Errorf("no document has a command of %s", program)
		}
	}
}

// programOf is the kind of program that a line begins with, "" for no program.
func programOf(line string) string {
	words := strings.Fields(line)
	for len(words) > 0 && assignment.MatchString(words[0]) {
		words = words[1:]
	}
	if len(words) == 0 {
		return ""
	}
	switch first := words[0]; {
	case first == "carryover" || first == "bin/carryover":
		return "carryover"
	case first == "make" && len(words) > 1, first == "go" && len(words) > 1:
		return first
	case strings.HasPrefix(first, "scripts/"):
		return "scripts"
	case first == "curl" && strings.Contains(line, "://"):
		return "curl"
	default:
		if _, known := others[first]; known && len(words) > 1 {
			return first
		}
	}
	return ""
}

var assignment = regexp.MustCompile(`^([A-Z][A-Z0-9_]*)=\S*$`)

// wrong says what of a command is not there, "" for nothing.
func wrong(t *testing.T, c typed) string {
	t.Helper()
	if _, excepted := exceptions[c.line]; excepted {
		return ""
	}
	words := strings.Fields(c.line)
	for len(words) > 0 && assignment.MatchString(words[0]) {
		if name, _, _ := strings.Cut(words[0], "="); !strings.Contains(read(t, "Makefile")+read(t, "scripts/snapshot"), name) {
			return "nothing reads " + name
		}
		words = words[1:]
	}
	switch program := programOf(c.line); program {
	case "carryover":
		return wrongCall(words[1:], c.whole)
	case "make":
		return wrongMake(t, words[1:])
	case "scripts":
		return wrongScript(t, words)
	case "go":
		return wrongGo(t, words[1:])
	case "curl":
		return wrongURL(t, c.line)
	case "":
		if c.line == "true" || c.line == "sh" {
			return ""
		}
		return "it is not known what holds it: see others in documents_programs_test.go"
	default:
		return wrongOther(t, program, c.line)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// wrongMake looks for targets, and for variables that the Makefile reads.
func wrongMake(t *testing.T, words []string) string {
	t.Helper()
	makefile := read(t, "Makefile")
	for _, word := range words {
		word = strings.TrimRight(word, ".,;")
		if name, _, is := strings.Cut(word, "="); is {
			if !regexp.MustCompile(`(?m)^` + name + ` \??=|\$\$?[({]` + name + `\b`).MatchString(makefile) {
				return "the Makefile has no variable " + name
			}
		} else if !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(word) + `:`).MatchString(makefile) {
			return "the Makefile has no target " + word
		}
	}
	return ""
}

// wrongScript looks for the script, and for its flags in the usage at its top.
func wrongScript(t *testing.T, words []string) string {
	t.Helper()
	path := filepath.Join(repository, strings.TrimRight(words[0], ".,;"))
	info, err := os.Stat(path)
	if err != nil || info.Mode()&0o111 == 0 {
		return "there is no such program"
	}
	usage := regexp.MustCompile(`(?m)\A(#.*\n)*`).FindString(read(t, words[0]))
	for _, word := range words[1:] {
		if strings.HasPrefix(word, "--") && !strings.Contains(usage, word) {
			return "its usage has no " + word
		}
	}
	return ""
}

// goModules are the folders that a go command may be meant to be run in.
var goModules = []string{".", "toolspecs", "modules/ledger", "modules/distiller", "modules/daemon", "integration"}

// wrongGo looks for the packages of a go command, and for what is run of them.
func wrongGo(t *testing.T, words []string) string {
	t.Helper()
	verb, words := words[0], words[1:]
	var packages, flags []string
	run := ""
	for i := 0; i < len(words); i++ {
		switch word := words[i]; {
		case word == "-run" && i+1 < len(words):
			i++
			run = words[i]
		case strings.HasPrefix(word, "-"):
			flags = append(flags, word)
		case strings.HasPrefix(word, "./"), strings.Contains(word, "@"):
			packages = append(packages, word)
		}
	}
	for _, name := range packages {
		if why := wrongPackage(t, verb, name, run, flags); why != "" {
			return why
		}
	}
	return ""
}

func wrongPackage(t *testing.T, verb, name, run string, flags []string) string {
	t.Helper()
	if at, _, versioned := strings.Cut(name, "@"); versioned {
		at, ours := strings.CutPrefix(strings.TrimSuffix(at, "/..."), product(t).Prefix)
		if _, err := os.Stat(filepath.Join(repository, at)); err != nil || !ours {
			return "there is no " + name
		}
		return ""
	}
	if name == "./..." {
		return ""
	}
	why := "no module has " + name
	for _, module := range goModules {
		sources, _ := filepath.Glob(filepath.Join(repository, module, name, "*.go"))
		if len(sources) == 0 {
			continue
		}
		var text strings.Builder
		for _, source := range sources {
			data, err := os.ReadFile(source)
			if err != nil {
				t.Fatal(err)
			}
			text.Write(data)
		}
		if why = wrongIn(text.String(), verb, run, flags); why == "" {
			return ""
		}
	}
	return why
}

// wrongIn looks into the source of one package.
func wrongIn(source, verb, run string, flags []string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(run, "/"), "/")
	switch {
	case verb == "generate" && !regexp.MustCompile(`(?m)^//go:generate `).MatchString(source):
		return "it generates nothing"
	case verb == "run" && !strings.Contains(source, "package main\n"):
		return "it is no program"
	case verb == "test" && !strings.HasPrefix(run, "/") && !regexp.MustCompile(`func (Test|Fuzz|Benchmark|Example)\w*`+first).MatchString(source) &&
		!regexp.MustCompile(`func `+first+`\w*\(`).MatchString(source):
		return "it has no test " + first
	}
	for _, flag := range flags {
		own := regexp.MustCompile(`flag\.\w+\((&\w+, )?"` + regexp.QuoteMeta(strings.TrimLeft(flag, "-")) + `"`)
		if !slices.Contains([]string{"-v", "-count=1", "-race"}, flag) && !own.MatchString(source) {
			return "it has no flag " + flag
		}
	}
	return ""
}

// wrongURL looks for the route of a request to the daemon, and for the installer.
func wrongURL(t *testing.T, line string) string {
	t.Helper()
	url := strings.Trim(regexp.MustCompile(`https?://[^\s']+`).FindString(line), `'"`)
	route, local := strings.CutPrefix(url, "http://carryover")
	if !local {
		if url != product(t).Homepage()+"/releases/latest/download/install.sh" || !strings.Contains(read(t, ".goreleaser.yaml"), "glob: packaging/install.sh") {
			return "no release has " + url
		}
		return ""
	}
	route, _, _ = strings.Cut(route, "?")
	if hook, is := strings.CutPrefix(route, "/hook/"); is {
		tool, event, _ := strings.Cut(hook, "/")
		table, _ := toolspecs.Load(nil)
		if spec, err := table.Lookup(tool); err != nil || !slices.ContainsFunc(spec.Hooks, func(h toolspecs.Hook) bool { return h.Event == event }) {
			return "no tool has that hook"
		}
		return ""
	}
	var document struct{ Paths map[string]any }
	if err := json.Unmarshal([]byte(read(t, "modules/daemon/api/openapi.json")), &document); err != nil {
		t.Fatal(err)
	}
	if document.Paths[route] == nil {
		return "the API has no " + route
	}
	return ""
}

func product(t *testing.T) packaging.Product {
	t.Helper()
	p, err := packaging.Load(repository)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// wrongOther asks that what holds the program's lines is there, and that the names are those
// that are published.
func wrongOther(t *testing.T, program, line string) string {
	t.Helper()
	by := others[program]
	if !strings.Contains(read(t, by.file), by.text) {
		return by.file + " no longer has " + by.text
	}
	p := product(t)
	if want, published := map[string][]string{
		"npm":     {"npm install -g " + p.NPM, "npm uninstall -g " + p.NPM},
		"brew":    {"brew install " + p.Owner() + "/tap/" + p.Name},
		"scoop":   {"scoop install " + p.Name},
		"winget":  {"winget install " + p.WinGet},
		"/plugin": {"/plugin marketplace add " + p.Owner() + "/" + p.Repository(), "/plugin install carryover@carryover"},
	}[program]; published && !slices.Contains(want, line) {
		return "published is " + strings.Join(want, ", ")
	}
	return ""
}
