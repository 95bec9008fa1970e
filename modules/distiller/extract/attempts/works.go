package attempts

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/paths"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/modules/distiller/verdict"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Works are the commands that work here: per kind of check the last form that
// passed, as it was run, with its variables and wrappers.
//
//   - Of a kind four forms are kept where they differ: the last two on something, and the
//     last two on everything (without targets or a filter).
//   - A form that failed after it had passed is still a form that works: it is
//     the code that broke. A form whose program is missing is none.
//   - What the person runs themselves, again and again, is told.
//   - Scripts of the project, and what brings its dependencies in, count as
//     kinds of their own.
//   - What did what another command could not is listed too.
type Works struct {
	list   []workForm     // the newest last
	byUser map[string]int // how often the person ran a command
}

type workForm struct {
	kind    string
	command string
	broad   bool
	src     distiller.Source
}

const (
	maxWorks   = 24
	shownWorks = 8
	shownMends = 2
	workWidth  = 150 // characters of a command
	maxForms   = 2   // of a kind
)

// Add takes one more event.
func (w *Works) Add(e *timeline.Event) {
	if e.Kind != transcript.Result || e.ToolCall == nil || e.ToolCall.Subagent || len(e.ToolCall.Commands) == 0 {
		return
	}
	if e.ToolCall.ByUser && !timeline.Failed(e) {
		w.ranByUser(e)
	}
	if !timeline.Passed(e) {
		return
	}
	for i, c := range e.ToolCall.Commands {
		kind := workKind(c.Argv)
		if kind == "" || !proves(e, i) || verdict.Proves(c.Argv) != "" && e.Verdict.Check == "" || removed(e.ToolCall.Commands[i+1:], c) {
			continue
		}
		form := workForm{kind: kind, command: commandForm(e, c), broad: Broad(c.Argv), src: e.ToolCall.Source}
		w.list = slices.DeleteFunc(slices.Clone(w.list), func(old workForm) bool { return old.kind == form.kind && old.command == form.command })
		w.list = keepForms(w.list, form)
		w.list = bounded.Limit(append(w.list, form), maxWorks)
	}
}

// ranByUser counts what the person runs themselves: what they come back to is how they check the
// work, whatever came of it.
func (w *Works) ranByUser(e *timeline.Event) {
	c := e.ToolCall
	if c.Family == "" || shell.Probes[c.Family] || strings.HasPrefix(c.Family, "git ") || len(w.byUser) >= maxByUser && w.byUser[c.What()] == 0 {
		return
	}
	if w.byUser == nil {
		w.byUser = map[string]int{}
	}
	w.byUser[c.What()]++
	if w.byUser[c.What()] < oftenRun {
		return
	}
	form := workForm{kind: byUser, command: prose.Clip(strings.ReplaceAll(c.What(), "`", "'"), workWidth), src: c.Source}
	w.list = slices.DeleteFunc(slices.Clone(w.list), func(old workForm) bool { return old.kind == form.kind })
	w.list = bounded.Limit(append(w.list, form), maxWorks)
}

// byUser is the kind of what the person runs themselves, so often at least.
const (
	byUser    = "run by the user"
	oftenRun  = 3
	maxByUser = 100 // commands that are counted
)

// keepForms leaves room for one more form of a kind, on everything or not.
func keepForms(list []workForm, form workForm) []workForm {
	n := 0
	for i, f := range slices.Backward(list) {
		if f.kind != form.kind || f.broad != form.broad {
			continue
		}
		if n++; n >= maxForms {
			return slices.Delete(list, i, i+1)
		}
	}
	return list
}

// proves says whether the result speaks for that command of the call: its
// status showed, or the output says it for the only check.
func proves(e *timeline.Event, at int) bool {
	c := e.ToolCall.Commands[at]
	if !c.Hidden {
		return true
	}
	return e.Verdict.Check != "" && verdict.CheckOf(c.Argv) == e.Verdict.Check
}

// removed says that a file which a command was given is removed behind it: nobody can run it again.
func removed(after []shell.Command, c shell.Command) bool {
	return slices.ContainsFunc(after, func(rm shell.Command) bool {
		return shell.Program(rm.Argv) == "rm" && slices.ContainsFunc(rm.Argv[1:], func(file string) bool { return !strings.HasPrefix(file, "-") && slices.Contains(c.Argv, file) })
	})
}

// Broad says that a check looks at everything.
func Broad(argv []string) bool {
	return !slices.ContainsFunc(shell.Targets(argv), func(t string) bool { return t != "." && t != "./..." && t != "./" })
}

// workKind is the kind of a command that is worth knowing.
func workKind(argv []string) string {
	if check := verdict.CheckOf(argv); check != "" {
		return string(check)
	}
	argv = shell.Unwrap(argv)
	if len(argv) == 0 {
		return ""
	}
	fam := shell.Family(argv)
	if installs(fam) != "" {
		return "install"
	}
	prog, words := shell.Program(argv), shell.Words(argv)
	switch prog {
	case "node", "python", "python3", "ruby", "php", "perl", "deno", "bun", "tsx", "ts-node", "bash", "sh":
		if len(argv) > 1 && len(words) > 0 && argv[1] == words[0] && strings.Contains(words[0], "/") && !paths.IsAbs(words[0]) && !strings.HasPrefix(words[0], "../") {
			return "run"
		}
	case "go", "cargo", "dotnet":
		if len(words) > 0 && words[0] == "run" {
			return "run"
		}
	case "npm", "pnpm", "yarn", "make", "just", "task", "mise", "rake":
		if len(words) > 1 && words[0] == "run" || len(words) > 0 && (prog == "make" || prog == "just" || prog == "task" || prog == "rake") {
			return "run"
		}
	}
	if strings.HasPrefix(argv[0], "./") || strings.HasPrefix(argv[0], "bin/") || strings.HasPrefix(argv[0], "scripts/") {
		return "run"
	}
	return ""
}

// commandForm is a command as the next agent can run it: with the variables
// that were exported before it and the folder it ran in.
func commandForm(e *timeline.Event, c shell.Command) string {
	text := prose.OneLine(c.Text)
	for _, before := range e.ToolCall.Commands {
		if len(before.Argv) > 1 && (before.Argv[0] == "export" || before.Argv[0] == "source" || before.Argv[0] == ".") && before.Text != "" && len(text) < workWidth {
			text = prose.OneLine(before.Text) + " && " + text
		}
	}
	if text == "" {
		text = strings.Join(c.Argv, " ")
	}
	dir := e.ToolCall.Folder
	if c.Dir != "" {
		dir = e.Paths.Rel(c.Dir, e.ToolCall.Info.Cwd)
	}
	if dir != "" && dir != "." && paths.Inside(dir) {
		text = "cd " + dir + " && " + text
	}
	return prose.Clip(strings.ReplaceAll(text, "`", "'"), workWidth)
}

// works orders the kinds: what proves most stands first.
var workOrder = []string{"test", "build", "lint", "types", "format", "run", byUser, "install"}

// Facts are the commands by kind, what proves most first, without those of
// missing programs, and the newest mends.
func (w *Works) Facts(missing []string, mends []Mend) []distiller.Work {
	var out []distiller.Work
	for _, kind := range workOrder {
		for _, form := range slices.Backward(w.list) {
			if form.kind == kind && !slices.ContainsFunc(missing, func(m string) bool { return slices.Contains(strings.Fields(form.command), m) }) {
				out = append(out, distiller.Work{Kind: form.kind, Command: form.command, Source: form.src})
			}
		}
	}
	out = out[:min(len(out), shownWorks)]
	listed := 0
	for _, m := range slices.Backward(mends) {
		command := prose.Clip(strings.ReplaceAll(prose.OneLine(m.Command.Text), "`", "'"), workWidth)
		if listed < shownMends && !slices.ContainsFunc(out, func(k distiller.Work) bool { return k.Command == command }) && workKind(m.Command.Argv) == "" {
			out = append(out, distiller.Work{Kind: "instead", Command: command, Source: m.Source})
			listed++
		}
	}
	return out
}
