package paths

import (
	"path"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/shell"
)

// Files that a command looks into without printing the whole of them.

// scripted are the programs whose first operand says what to do with the files behind it, with
// the flags that take a value.
var scripted = map[string]map[string]bool{
	"grep": searchFlags, "egrep": searchFlags, "fgrep": searchFlags, "rg": searchFlags, "ag": searchFlags, "ack": searchFlags,
	"awk": prose.SetOf("-F -v -f"), "gawk": prose.SetOf("-F -v -f"), "jq": prose.SetOf("-f --from-file --indent"), "yq": prose.SetOf("-o -p"),
}

var searchFlags = prose.SetOf("-A -B -C -m -e -f -g -t -T --regexp --file --glob --type --type-not --include --exclude --max-count --context --after-context --before-context --color --exclude-dir -E -M")

// givesScript are the flags that give a search what would be its first operand.
var givesScript = prose.SetOf("-e -f --regexp --file --from-file")

// namesOnly are flags with which no line of a file is printed, noLines the short ones of a search.
var namesOnly = prose.SetOf("--files --files-with-matches --files-without-match --count --quiet --silent --stat --shortstat --numstat --name-only --name-status --check --exit-code")

const noLines = "lLcq"

// searched are the files that a program looks through by what it is given to find.
func searched(argv []string, valued map[string]bool) []string {
	script, search := false, valued["--regexp"]
	var rest []string
	for i := 1; i < len(argv); i++ {
		switch w := argv[i]; {
		case valued[w]:
			script = script || givesScript[w]
			i++
		case namesOnly[w], search && len(w) < 5 && strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.ContainsAny(w, noLines):
			return nil
		case !strings.HasPrefix(w, "-") && w != "":
			rest = append(rest, w)
		}
	}
	if !script {
		rest = rest[min(1, len(rest)):]
	}
	if len(rest) != 1 || !hasEnding(rest[0]) {
		return nil // a few lines out of many files
	}
	return rest
}

// hasEnding says that a path is a file's, by the ending of its name.
func hasEnding(p string) bool {
	return sourceExt[strings.TrimPrefix(path.Ext(p), ".")] && !Unclear(p) && !strings.Contains(p, "://")
}

// gitShown are the files of which git prints what they hold or held.
func gitShown(argv []string) []string {
	words := shell.Words(argv)
	if len(words) == 0 || slices.ContainsFunc(argv, func(w string) bool { return namesOnly[w] }) {
		return nil
	}
	patch := slices.Contains(argv, "-p") || slices.Contains(argv, "-L")
	var out []string
	for _, w := range words[1:] {
		_, file, of := strings.Cut(w, ":")
		switch words[0] {
		case "show", "cat-file":
			if of {
				w = file
			}
		case "diff", "blame", "annotate", "grep":
		case "log":
			if !patch {
				continue
			}
		default:
			return nil
		}
		if hasEnding(w) {
			out = append(out, strings.TrimPrefix(w, "./"))
		}
	}
	if len(out) != 1 {
		return nil // a part of a change, or of many files
	}
	return out
}

// Fetched are the files of a repository that a command asks a forge for.
func Fetched(argv []string) []string {
	argv = shell.Unwrap(argv)
	if len(argv) == 0 || path.Base(argv[0]) != "gh" && path.Base(argv[0]) != "glab" {
		return nil
	}
	var out []string
	for _, w := range argv[1:] {
		w, _, _ = strings.Cut(w, "?")
		if _, file, ok := strings.Cut(w, "/contents/"); ok {
			out = append(out, file, strings.TrimPrefix(w, "/"))
		}
	}
	return out
}
