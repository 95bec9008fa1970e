package paths

import (
	"path"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/shell"
)

// Move is what happened to a file that has another name now: as a change it was written.
const Move = "move"

// OfCommand says which files a shell text touches, by the well-known
// programs: what it reads, what it writes, what it moves and removes.
func OfCommand(text string, yield func(change, p, dir string)) {
	commands := shell.Commands(text)
	var vars variables
	if strings.Contains(text, "$") {
		vars = variablesOf(text, commands)
	}
	for _, c := range commands {
		vars.each(c, 2, func(c shell.Command) {
			for _, w := range c.Writes {
				yield("write", w, c.Dir)
			}
			if argv := shell.Unwrap(c.Argv); len(argv) > 0 {
				commandFiles(argv, c.Dir, yield)
			}
		})
	}
}

// Renamed yields the files that a shell text gives another name, by the old one: each is one
// change with the new one.
func Renamed(text string, yield func(from, dir string)) {
	gone, in := "", ""
	OfCommand(text, func(change, p, dir string) {
		if change == Move && gone != "" {
			yield(gone, in)
		}
		if gone, in = "", ""; change == "delete" {
			gone, in = p, dir
		}
	})
}

// touches is what programs do to all of their operands.
var touches = map[string]string{
	"cat": "read", "head": "read", "tail": "read", "less": "read", "bat": "read", "nl": "read", "wc": "read",
	"tee": "write", "touch": "write", "rm": "delete", "unlink": "delete",
}

func commandFiles(argv []string, dir string, yield func(change, p, dir string)) {
	prog := path.Base(argv[0])
	if prog == "git" && len(argv) > 2 && (argv[1] == "mv" || argv[1] == "rm") {
		argv, prog = argv[1:], argv[1]
	}
	args := Operands(argv[1:])
	switch change := touches[prog]; {
	case change != "":
		for _, a := range args {
			yield(change, a, dir)
		}
	case prog == "sed":
		sedFiles(argv, dir, yield)
	case prog == "perl", prog == "ruby":
		inPlace(argv, dir, yield)
	case prog == "mv", prog == "cp":
		moveFiles(prog, args, dir, yield)
	}
}

// sedFiles are the operands of sed behind its script, or all of them where a
// flag gives the script.
func sedFiles(argv []string, dir string, yield func(change, p, dir string)) {
	change, script := "read", false
	var files []string
	for i := 1; i < len(argv); i++ {
		switch w := argv[i]; {
		case w == "-e", w == "-f", w == "--expression", w == "--file":
			script = true
			i++
		case prose.HasPrefixAny(w, "-e", "-f", "--expression=", "--file="):
			script = true
		case strings.HasPrefix(w, "-i"), strings.HasPrefix(w, "--in-place"):
			change = "edit"
		case w != "" && !strings.HasPrefix(w, "-"):
			files = append(files, w)
		}
	}
	if !script {
		files = files[min(len(files), 1):]
	}
	for _, f := range files {
		yield(change, f, dir)
	}
}

// inPlace are the operands of perl or ruby behind a script on the command line, where a flag
// says that the files are edited in place ("perl -0pi -e 's/a/b/' a.go").
func inPlace(argv []string, dir string, yield func(change, p, dir string)) {
	edits, script := false, false
	for i := 1; i < len(argv); i++ {
		switch w := argv[i]; {
		case !strings.HasPrefix(w, "-"):
			if edits && script {
				yield("edit", w, dir)
			}
		case strings.HasPrefix(w, "--"):
		default:
			flags, _, _ := strings.Cut(w, ".") // the ending that a copy gets
			edits = edits || strings.Contains(flags, "i")
			if strings.HasSuffix(flags, "e") {
				script = true
				i++
			}
		}
	}
}

func moveFiles(prog string, args []string, dir string, yield func(change, p, dir string)) {
	if len(args) < 2 {
		return
	}
	to := args[len(args)-1]
	folder := strings.HasSuffix(to, "/") || path.Base(to) == "." || path.Base(to) == ".." || len(args) > 2
	for _, from := range args[:len(args)-1] {
		target := to
		if folder || path.Ext(to) == "" && path.Ext(from) != "" {
			target = path.Join(to, path.Base(from))
		}
		if prog == "mv" {
			yield("delete", from, dir)
			yield(Move, target, dir)
			continue
		}
		yield("write", target, dir)
	}
}

// Operands are the arguments that are no flags and look like files.
func Operands(args []string) []string {
	var out []string
	for _, a := range args {
		if !strings.HasPrefix(a, "-") && a != "" {
			out = append(out, a)
		}
	}
	return out
}
