package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// documents are the texts that people follow: what is written once about one release
// (changes, decisions) is none of them, nor is the template of one that is there, nor the handoff of a made-up project.
func documents(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command("git", "-C", repository, "ls-files", "*.md").Output()
	if err != nil {
		t.Skip("this is no git checkout: ", err)
	}
	return slices.DeleteFunc(strings.Fields(string(out)), func(path string) bool {
		return strings.HasPrefix(path, "changes/") || strings.HasPrefix(path, "docs/adr/") || strings.Contains(path, "testdata/") ||
			strings.Contains(path, "/fixtures/") || strings.HasSuffix(path, "evidence.md") || strings.HasPrefix(path, "packaging/templates/") || path == "demo/handoff.md"
	})
}

const repository = "../.."

// typed is one command that a document tells to type.
type typed struct {
	path, line string
	whole      bool // it stands in a block, to be typed as it is
}

var (
	codeSpans  = regexp.MustCompile("`([^`\n]+)`")
	codeBlocks = regexp.MustCompile("(?ms)^\\s*```([a-z]*)\\n(.*?)^\\s*```")
	indented   = regexp.MustCompile(`(?m)^    (?:\$ )?(\S.*)$`)
	// shells are the kinds of blocks whose lines are commands; the last two are recipes of RELEASING.md.
	shells = []string{"sh", "specs", "full"}
)

// commandsIn are the commands of a document. In a block of a shell every line is one;
// elsewhere a text is one that begins with a known program.
func commandsIn(t *testing.T, path, text string) []typed {
	t.Helper()
	var all []typed
	add := func(text string, whole bool) {
		for _, line := range commandsOf(text) {
			if whole || programOf(line) != "" {
				all = append(all, typed{path, line, whole})
			}
		}
	}
	for _, block := range codeBlocks.FindAllStringSubmatch(text, -1) {
		shell := slices.Contains(shells, block[1])
		for line := range strings.Lines(block[2]) {
			if shell {
				add(line, true)
			} else if programOf(line) != "" && block[1] == "" {
				t.Errorf("%s: a block with the command %q is no block of a shell: write ```sh", path, strings.TrimSpace(line))
			}
		}
	}
	text = codeBlocks.ReplaceAllString(text, "")
	for _, line := range indented.FindAllStringSubmatch(text, -1) {
		if programOf(line[1]) != "" {
			add(line[1], true)
		}
	}
	for _, span := range codeSpans.FindAllStringSubmatch(text, -1) {
		add(span[1], false)
	}
	return all
}

var (
	between = regexp.MustCompile(` (?:\|\||&&|\\?\||;|>) `)
	comment = regexp.MustCompile(`(^|\s)#.*$`)
)

// commandsOf are the simple commands of a line. `\|` is a pipe in a table, but the
// choices of a usage: "move OLD NEW \| merge FROM INTO".
func commandsOf(line string) []string {
	line = strings.TrimSpace(comment.ReplaceAllString(strings.TrimSpace(line), ""))
	if programOf(line) == "carryover" && strings.Contains(line, `\|`) {
		return []string{line}
	}
	parts := between.Split(line, -1)
	return slices.DeleteFunc(parts, func(part string) bool { return strings.TrimSpace(part) == "" })
}

// everyCommand runs a function on every command of every document.
func everyCommand(t *testing.T, f func(typed)) {
	t.Helper()
	n := 0
	for _, path := range documents(t) {
		text, err := os.ReadFile(filepath.Join(repository, path))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range commandsIn(t, path, string(text)) {
			n++
			f(c)
		}
	}
	if n < 200 {
		t.Errorf("there are only %d commands: the documents are not read", n)
	}
}

// What a document tells to type is there: the program, its command, its flags and arguments.
func TestDocuments_NameWhatIsThere(t *testing.T) {
	everyCommand(t, func(c typed) {
		if why := wrong(t, c); why != "" {
			t.Errorf("%s: `%s`: %s", c.path, c.line, why)
		}
	})
}

func TestDocuments_WhatIsNotThereIsFound(t *testing.T) {
	for line, isWrong := range map[string]bool{
		"carryover sevrch words":                            true,
		"carryover search --colour words":                   true,
		"carryover search --limit many words":               true,
		"carryover toolspecs instal FILE":                   true,
		"carryover toolspecs install":                       true,
		"carryover show -x":                                 true,
		"carryover version 1":                               true,
		`carryover projects [move OLD NEW \| melt FROM]`:    true,
		"bin/carryover instal":                              true,
		"make biuld":                                        true,
		"make build DIST=x":                                 true,
		"scripts/nothing":                                   true,
		"scripts/release --push":                            true,
		"go test ./nothing":                                 true,
		"go test ./cmd/carryover -run NoSuchTest":           true,
		"go test ./cmd/carryover -rewrite":                  true,
		"go generate ./cmd/carryover":                       true,
		"go run ./packaging":                                true,
		"go run ./packaging/cmd/packaging -bundles x":       true,
		"go install example.org/cmd/...@latest":             true,
		"curl http://carryover/api/v1/sarch":                true,
		"curl http://carryover/hook/claude-code/Start":      true,
		"npm install -g carryon":                            true,
		"apt-get install carryover":                         true,
		"NO_SUCH_VARIABLE=1 make test":                      true,
		"carryover search words":                            false,
		"carryover run -- agent --its-own":                  false,
		"carryover toolspecs install FILE":                  false,
		"carryover stats [--effect]":                        false,
		`carryover projects [move OLD NEW \| merge A B]`:    false,
		"make test lint":                                    false,
		"make fuzz FUZZTIME=1m":                             false,
		"go test ./cmd/carryover -run Help -update":         false,
		"curl 'http://carryover/api/v1/search?q=parser'":    false,
		"curl http://carryover/hook/claude-code/PreCompact": false,
	} {
		if why := wrong(t, typed{"a document", line, true}); (why != "") != isWrong {
			t.Errorf("%s: %q", line, why)
		}
	}
}
