package paths

import (
	"path"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/shell"
)

// What a command does to a file. A file that has another name now was written; what
// becomes of the old name is a change of its own, a Delete.
const (
	Read   = "read"
	Write  = "write"
	Edit   = "edit"
	Delete = "delete"
	Move   = "move"
)

// Change is what a command does to one file.
type Change struct {
	Kind string // Read, Write, Edit, Delete or Move
	Path string // as the command names it
	Dir  string // where the command went to before, "" for nowhere
	From string // the old name of a moved file
	Git  bool   // git itself does it, and has what was there
}

// OfCommand says which files a shell text of these commands touches, by the
// well-known programs.
func OfCommand(text string, commands []shell.Command) []Change {
	var vars variables
	if strings.Contains(text, "$") {
		vars = variablesOf(text, commands)
	}
	var out []Change
	for _, c := range commands {
		vars.each(c, 2, func(c shell.Command) {
			for _, w := range c.Writes {
				out = append(out, Change{Kind: Write, Path: w, Dir: c.Dir})
			}
			if argv := shell.Unwrap(c.Argv); len(argv) > 0 {
				out = append(out, commandFiles(argv, c.Dir)...)
			}
		})
	}
	return out
}

// touches is what programs do to all of their operands.
var touches = map[string]string{
	"cat": Read, "head": Read, "tail": Read, "less": Read, "bat": Read, "nl": Read, "wc": Read,
	"tee": Write, "touch": Write, "rm": Delete, "unlink": Delete,
}

func commandFiles(argv []string, dir string) []Change {
	prog := path.Base(argv[0])
	if prog == "git" && len(argv) > 2 && (argv[1] == "mv" || argv[1] == "rm") {
		list := commandFiles(argv[1:], dir)
		for i := range list {
			list[i].Git = true
		}
		return list
	}
	args := Operands(argv[1:])
	switch kind := touches[prog]; {
	case kind != "":
		return changes(kind, args, dir)
	case scripted[prog] != nil:
		return changes(Read, searched(argv, scripted[prog]), dir)
	case prog == "git":
		return changes(Read, gitShown(argv), dir)
	case prog == "sed":
		return sedFiles(argv, dir)
	case prog == "perl", prog == "ruby":
		return inPlace(argv, dir)
	case prog == "mv", prog == "cp":
		return moveFiles(prog, args, dir)
	}
	return nil
}

func changes(kind string, files []string, dir string) []Change {
	var out []Change
	for _, f := range files {
		out = append(out, Change{Kind: kind, Path: f, Dir: dir})
	}
	return out
}

// sedFiles are the operands of sed behind its script, or all of them where a
// flag gives the script.
func sedFiles(argv []string, dir string) []Change {
	kind, script := Read, false
	var files []string
	for i := 1; i < len(argv); i++ {
		switch w := argv[i]; {
		case w == "-e", w == "-f", w == "--expression", w == "--file":
			script = true
			i++
		case prose.HasPrefixAny(w, "-e", "-f", "--expression=", "--file="):
			script = true
		case strings.HasPrefix(w, "-i"), strings.HasPrefix(w, "--in-place"):
			kind = Edit
		case w != "" && !strings.HasPrefix(w, "-"):
			files = append(files, w)
		}
	}
	if !script {
		files = files[min(len(files), 1):]
	}
	return changes(kind, files, dir)
}

// inPlace are the operands of perl or ruby behind a script on the command line, where a flag
// says that the files are edited in place ("perl -0pi -e 's/a/b/' a.go").
func inPlace(argv []string, dir string) []Change {
	edits, script := false, false
	var files []string
	for i := 1; i < len(argv); i++ {
		switch w := argv[i]; {
		case !strings.HasPrefix(w, "-"):
			if edits && script {
				files = append(files, w)
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
	return changes(Edit, files, dir)
}

func moveFiles(prog string, args []string, dir string) []Change {
	if len(args) < 2 {
		return nil
	}
	to := args[len(args)-1]
	folder := strings.HasSuffix(to, "/") || path.Base(to) == "." || path.Base(to) == ".." || len(args) > 2
	var out []Change
	for _, from := range args[:len(args)-1] {
		target := to
		if folder || path.Ext(to) == "" && path.Ext(from) != "" {
			target = path.Join(to, path.Base(from))
		}
		if prog == "mv" {
			out = append(out, Change{Kind: Delete, Path: from, Dir: dir}, Change{Kind: Move, Path: target, Dir: dir, From: from})
			continue
		}
		out = append(out, Change{Kind: Write, Path: target, Dir: dir})
	}
	return out
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
