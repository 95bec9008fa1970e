package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// call is a line of this program as it parses.
type call struct {
	cmd   *cobra.Command
	flags []string // with their dashes
}

// wrongCall says why a line is no call of this program. A mention in a sentence may
// leave out the arguments, and the value of the last flag.
func wrongCall(words []string, whole bool) string {
	for _, usage := range choices(words) {
		if _, why := parse(usage, whole); why != "" {
			return why
		}
	}
	return ""
}

// choices writes a usage out: "a [b c \| d]" is "a", "a b c" and "a d"; "a b \| c" is "a b" and "a c".
func choices(words []string) [][]string {
	text := attached.ReplaceAllString(strings.Join(words, " "), "$1")
	if open := strings.IndexByte(text, '['); open >= 0 && strings.Contains(text, `\|`) {
		inside, rest, _ := strings.Cut(text[open+1:], "]")
		all := [][]string{strings.Fields(text[:open] + rest)}
		for choice := range strings.SplitSeq(inside, `\|`) {
			all = append(all, strings.Fields(text[:open]+choice+rest))
		}
		return all
	}
	parts := strings.Split(text, `\|`)
	all := [][]string{strings.Fields(strings.NewReplacer("[", " ", "]", " ").Replace(parts[0]))}
	for _, choice := range parts[1:] {
		all = append(all, append(slices.Clone(all[0][:len(all[0])-1]), strings.Fields(choice)...))
	}
	return all
}

// attached is what a placeholder may end with: SESSION[:LINE].
var attached = regexp.MustCompile(`(\w)\[[^\]]*\]`)

var placeholder = regexp.MustCompile(`^[A-Z][A-Z_]*$`)

// parse has the program's own tree read a line. What follows "--" or "…" is not looked at.
func parse(words []string, whole bool) (call, string) {
	root := commandTree()
	if end := slices.IndexFunc(words, func(word string) bool { return word == "…" || word == "..." }); end >= 0 {
		words, whole = words[:end], false
	}
	cmd, rest, err := root.Traverse(words)
	if err != nil {
		return call{}, err.Error()
	}
	made := call{cmd: cmd}
	if !whole && len(rest) > 0 {
		last := rest[len(rest)-1]
		if flag := lookup(cmd, last); flag != nil && flag.NoOptDefVal == "" {
			made.flags, rest = append(made.flags, last), rest[:len(rest)-1]
		}
	}
	for i, word := range rest {
		if word == "--" {
			break
		}
		if flag := lookup(cmd, word); flag != nil {
			made.flags = append(made.flags, "--"+flag.Name)
			if i+1 < len(rest) && placeholder.MatchString(rest[i+1]) {
				rest[i+1] = example(flag)
			}
		}
	}
	if err := cmd.ParseFlags(rest); err != nil {
		return made, err.Error()
	}
	arguments := cmd.Flags().Args()
	if cmd.HasSubCommands() && len(arguments) > 0 && (cmd.Args == nil || cmd.Args(cmd, arguments[:1]) != nil) {
		return made, "there is no command " + arguments[0]
	}
	if len(arguments) == 0 && !whole {
		return made, ""
	}
	if err := cmd.ValidateArgs(arguments); err != nil {
		return made, err.Error()
	}
	return made, ""
}

// lookup is the flag of that spelling, nil for none.
func lookup(cmd *cobra.Command, word string) *pflag.Flag {
	name, _, _ := strings.Cut(word, "=")
	switch {
	case strings.HasPrefix(name, "--") && len(name) > 2:
		if flag := cmd.Flags().Lookup(name[2:]); flag != nil {
			return flag
		}
		return cmd.InheritedFlags().Lookup(name[2:])
	case len(name) == 2 && name[0] == '-' && name[1] != '-':
		return cmd.Flags().ShorthandLookup(name[1:])
	}
	return nil
}

// example is a value that a flag takes, in place of the word that stands for one.
func example(flag *pflag.Flag) string {
	switch flag.Value.Type() {
	case "int", "int64", "uint", "float64":
		return "1"
	case "duration":
		return "1h"
	}
	return "VALUE"
}

// Every command and flag of this program that a document names is run by a test, or by
// the demonstration.
func TestDocuments_CallsAreRunByATest(t *testing.T) {
	lines := linesOfTests(t)
	checked := map[string]bool{}
	everyCommand(t, func(c typed) {
		words := strings.Fields(c.line)
		if programOf(c.line) != "carryover" {
			return
		}
		for _, usage := range choices(words[1:]) {
			made, why := parse(usage, c.whole)
			if why != "" || !made.cmd.HasParent() {
				continue
			}
			for _, flag := range append(made.flags, "") {
				name := strings.TrimSpace(made.cmd.CommandPath() + " " + flag)
				if checked[name] {
					continue
				}
				checked[name] = true
				if !runInATest(lines, made.cmd, flag) {
					t.Errorf("%s: no test runs `%s`", c.path, name)
				}
			}
		}
	})
	if len(checked) < 60 {
		t.Errorf("only %d calls were looked for", len(checked))
	}
}

// linesOfTests are the lines of the scripts and tests that run the programs.
func linesOfTests(t *testing.T) []string {
	t.Helper()
	var lines []string
	for _, pattern := range []string{
		"cmd/carryover/testdata/script/*.txtar", "cmd/carryover/*_test.go", "integration/*/*.go", "integration/*/*/*.go",
		"modules/daemon/*_test.go", "cmd/carryover/internal/*/*_test.go", "scripts/demo", "scripts/image", "packaging/testdata/*",
	} {
		files, err := filepath.Glob(filepath.Join(repository, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.Contains(file, "documents") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, strings.Split(string(text), "\n")...)
		}
	}
	return lines
}

// runInATest looks for a line with the names of the command, one after the other as the
// shell or Go writes them, and the flag.
func runInATest(lines []string, cmd *cobra.Command, flag string) bool {
	var names []string
	for at := cmd; at.HasParent(); at = at.Parent() {
		names = slices.Insert(names, 0, regexp.QuoteMeta(at.Name()))
	}
	inShell := `carryover"? ` + strings.Join(names, " ")
	inGo := `"` + strings.Join(names, `", "`) + `"`
	inList := `"` + strings.Join(names, " ")
	called := regexp.MustCompile(`(` + inShell + `|` + inGo + `|` + inList + `)($|[^\w-])`)
	return slices.ContainsFunc(lines, func(line string) bool {
		return called.MatchString(line) && (flag == "" || regexp.MustCompile(regexp.QuoteMeta(flag)+`($|[^\w-])`).MatchString(line))
	})
}
