package verdict

import (
	"slices"
	"strings"
	"unicode"

	"github.com/carryover-go/carryover/modules/distiller/shell"
)

// A formatter writes files unless it is asked to look at them only. That it ended well
// says nothing of how they were, so a run that writes is no check.

// Proves says what a simple command that ends well has examined: what CheckOf says, but ""
// for a formatter that writes.
func Proves(argv []string) Check {
	if check, writes := kindOf(argv); !writes {
		return check
	}
	return ""
}

// Formats reports whether a simple command is a formatter that writes.
func Formats(argv []string) bool {
	check, writes := kindOf(argv)
	return check == Format && writes
}

// checkWords are what names of flags and of tasks say of a formatter that only checks:
// --check-formatted, --list-different, --set-exit-if-changed, --fail-on-change, format:diff.
var checkWords = setOf("check diff different dry dryrun lint verify exit fail ci test")

// checkFlags are the short flags that do the same, by formatter.
var checkFlags = map[string]map[string]bool{
	"prettier": setOf("-c -l"), "oxfmt": setOf("-c -l"), "alejandra": setOf("-c"), "nixfmt": setOf("-c"), "isort": setOf("-c -d"),
	"gofmt": setOf("-l -d"), "gofumpt": setOf("-l -d"), "goimports": setOf("-l -d"), "shfmt": setOf("-l -d"),
	"yapf": setOf("-d"), "autopep8": setOf("-d"), "buf": setOf("-d"), "cue": setOf("-d"),
}

// onlyFlag is the one flag that makes a formatter tell by its status: other flags of these
// that sound like it print a difference and pass, or write all the same.
var onlyFlag = map[string]string{
	"clang-format": "--Werror", "google-java-format": "--set-exit-if-changed", "terraform": "-check", "tofu": "-check",
}

// checkVerbs are subcommands of formatters that only check.
var checkVerbs = map[string]map[string]bool{"dprint": setOf("check"), "gci": setOf("diff list"), "taplo": setOf("check lint")}

// rewrites says that a formatter writes files.
func rewrites(prog string, argv, words []string) bool {
	if slices.ContainsFunc(argv, func(w string) bool { return w == "-w" || w == "--write" || w == "--fix" }) {
		return true
	}
	if flag := onlyFlag[prog]; flag != "" {
		return !slices.Contains(argv, flag)
	}
	if prog == "biome" || len(words) > 0 && checkVerbs[prog][words[0]] {
		return false
	}
	if runners[prog] != "" && slices.ContainsFunc(words, func(task string) bool {
		return slices.ContainsFunc(parts(task), func(word string) bool { return checkWords[word] })
	}) {
		return false
	}
	return !slices.ContainsFunc(argv[1:], func(w string) bool {
		return checkFlags[prog][w] || w == "--mode=check" || w == "--output=none" || asksToCheck(w)
	}) && !follows(argv, "check", "--mode", "-m") && !follows(argv, "none", "--output", "-o")
}

// asksToCheck says that a flag is named after a check.
func asksToCheck(flag string) bool {
	name, _, _ := strings.Cut(flag, "=")
	return strings.HasPrefix(flag, "-") && len(flag) > 2 &&
		slices.ContainsFunc(strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) }), func(word string) bool { return checkWords[word] })
}

// follows says that a value stands behind one of these flags.
func follows(argv []string, value string, flags ...string) bool {
	for i, w := range argv[:len(argv)-1] {
		if slices.Contains(flags, w) && argv[i+1] == value {
			return true
		}
	}
	return false
}

func setOf(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

// showsDiff says that a formatter printed what it would change, which some do with status 0.
func showsDiff(commands []shell.Command, lines []string) bool {
	if slices.ContainsFunc(commands, func(c shell.Command) bool {
		family := shell.Family(c.Argv)
		return family == "git diff" || family == "git show" || family == "diff"
	}) {
		return false
	}
	for i, line := range lines[:max(0, len(lines)-1)] {
		if strings.HasPrefix(line, "--- ") && strings.HasPrefix(lines[i+1], "+++ ") {
			return true
		}
	}
	return false
}
