package files

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/output"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/modules/distiller/verdict"
)

// status takes from git status which files are not committed, where it was asked for the
// whole work tree: what it does not list somebody has committed or put back. A hard reset
// puts back everything.
func (f *Touched) status(e *timeline.Event) {
	asked, alone := false, true
	for _, c := range e.ToolCall.Commands {
		switch family := shell.Family(c.Argv); {
		case family == "git reset" && slices.Contains(c.Argv, "--hard") && !timeline.Elsewhere(e, c):
			f.cleaned(e.Seq, nil)
			return
		case family == "git status" && len(shell.Targets(c.Argv)) == 0 && !c.Hidden && !timeline.Elsewhere(e, c):
			asked = true
		case family == "git status":
			return // of a part of it, cut down by a pipe, or of another work tree
		case family != "" && family != "cd":
			alone = false
		}
	}
	if !asked {
		return
	}
	lines := verdict.Lines(output.StripANSI(e.Result.Text))
	if !alone {
		lines = statusIn(lines)
	}
	listed := listedByGit(lines)
	if len(listed) == 0 && (!alone || len(lines) > 0) && !slices.ContainsFunc(lines, cleanTree.MatchString) {
		return
	}
	f.cleaned(e.Seq, listed)
	f.Others = Others{Source: e.ToolCall.Source}
	for _, p := range listed {
		if !strings.ContainsAny(p, " `=") && !f.changedIn(p) { // a line of what else the call printed
			f.Others.Paths = append(f.Others.Paths, p)
		}
	}
}

// statusIn are the lines of git status among what other commands of the same call printed: those that
// have its whole form, up to the first that has not.
func statusIn(lines []string) []string {
	from := slices.IndexFunc(lines, wholeStatus.MatchString)
	if from < 0 {
		return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return !cleanTree.MatchString(line) })
	}
	to := from
	for to < len(lines) && wholeStatus.MatchString(lines[to]) {
		to++
	}
	return lines[from:to]
}

// wholeStatus is a line of git status by its two columns, or one of the long form.
var wholeStatus = lazyregexp.New(`^(?:[MADRCUT][ MADRCUT]| [MADRCUT]|\?\?) "?[\w.@~+-][^\s]*(?: -> \S+)?"?$|^\t(?:(?:modified|new file|deleted|renamed|both \w+|typechange): +)?[\w.@~+-]\S*$|^Untracked files:|^  \(use |^Changes |^On branch |^Your branch |^$`)

// changedIn says that this session changed a path which git lists, or a file below it.
func (f *Touched) changedIn(listed string) bool {
	for _, entry := range f.ByPath {
		if entry.EditSeq > 0 && lists(listed, entry.Path) {
			return true
		}
	}
	return false
}

// lists says that a path which git lists is a file's, or a folder with it.
func lists(listed, file string) bool {
	return file == listed || strings.HasPrefix(file, listed) && strings.HasSuffix(listed, "/") || endsIn(listed, file) || endsIn(file, listed)
}

// cleaned notes that at an event no file is changed but those listed; a folder ends in a slash.
func (f *Touched) cleaned(seq int, listed []string) {
	for _, entry := range f.ByPath {
		if entry.EditSeq > 0 && !slices.ContainsFunc(listed, func(p string) bool { return lists(p, entry.Path) }) {
			entry.clean = seq
		}
	}
}

// cleanTree is git's word for a work tree without changes.
var cleanTree = lazyregexp.New(`^nothing to commit, working tree clean|^nichts zu committen|^rien à valider`)

// changedByGit is a line of git status, short or long, that lists a file; a folder ends in
// a slash.
var changedByGit = lazyregexp.New(`^(?:[ MADRCUT?]{1,2} +|\t(?:modified|new file|deleted|renamed|both \w+|typechange): +)(?:.* -> )?"?([^"]+?)"?$`)

// listedByGit are the paths that git status lists.
func listedByGit(lines []string) []string {
	var out []string
	untracked := false
	for _, line := range lines {
		untracked = strings.HasPrefix(line, "Untracked files:") || untracked && (strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "  ("))
		if m := changedByGit.FindStringSubmatch(line); m != nil {
			out = append(out, m[1])
		} else if untracked && strings.HasPrefix(line, "\t") {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return out
}
