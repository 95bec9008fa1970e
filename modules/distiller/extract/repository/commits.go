package repository

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/output"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/shell"
)

// Commit is one the session made.
type Commit struct {
	id      string
	subject string
	branch  string // that git printed beside it, "" for none
	unseen  bool   // the source keeps no results
	byUser  bool   // the person made it
	bySelf  bool   // the tool made it, as it does with all that it changes
	seq     int
	src     distiller.Source
}

// keep takes a commit that git printed.
func (g *Git) keep(e *timeline.Event, c Commit) {
	if slices.ContainsFunc(g.Commits, func(known Commit) bool { return output.SameCommit(known.id, c.id) }) {
		return
	}
	c.subject, c.seq, c.src = prose.Clip(prose.OneLine(c.subject), 100), e.Seq, e.Source
	c.byUser, c.bySelf = e.ToolCall.ByUser, e.ToolCall.Info.Command == bareCommit
	g.Commits = bounded.Limit(append(g.Commits, c), maxCommits)
	g.head, g.stat, g.statAt = c.id, "", 0
}

// subjectOf finds the message of a git commit: after -m, or the first line of
// the here document that stands for it.
var subjectOf = lazyregexp.New(`(?:-[a-z]*m|--message)[ =]?\s*(?:"\$\(cat <<-?\s*['"]?\w+['"]?\s*\n\s*([^\n]+)|"((?:[^"\\\n]|\\.)+)|'([^'\n]+))`)

// unseen is a commit whose result the source does not keep: it is known by its
// message, without an id.
func (g *Git) unseen(e *timeline.Event) {
	for _, at := range commitCall.FindAllStringIndex(e.ToolCall.Info.Command, maxUnseen) {
		m := subjectOf.FindStringSubmatch(e.ToolCall.Info.Command[at[0]:])
		if m == nil {
			continue
		}
		subject := prose.Clip(prose.OneLine(m[1]+m[2]+m[3]), 100)
		// The same message again: the attempt before did not come to a commit.
		g.Commits = slices.DeleteFunc(g.Commits, func(c Commit) bool { return c.id == "" && c.subject == subject })
		g.Commits, g.head = bounded.Limit(append(g.Commits, Commit{subject: subject, unseen: true, seq: e.Seq, src: e.Source}), maxCommits), unknownID
	}
	if slices.ContainsFunc(e.ToolCall.Commands, func(c shell.Command) bool { return shell.Family(c.Argv) == "git push" }) {
		g.levelAt = e.Seq // as far as anybody knows
	}
}

// named takes the id of an unseen commit from the reply that follows it.
func (g *Git) named(e *timeline.Event) {
	n := len(g.Commits)
	if n == 0 || g.Commits[n-1].id != "" || e.Subagent {
		return
	}
	if ids := quotedID.FindAllStringSubmatch(e.Text, 2); len(ids) == 1 {
		g.Commits[n-1].id, g.head = ids[0][1], ids[0][1]
	}
}

var quotedID = lazyregexp.New("`([0-9a-f]{7,40})`")

// commitCall is where a command commits; maxUnseen bounds how often it does.
var commitCall = lazyregexp.New(`\bgit (?:-C \S+ )?commit\b`)

const maxUnseen = 4

// silent is a commit made with git commit -q, or by a hook that hid what git
// printed: it has no id until somebody looks.
func (g *Git) silent(e *timeline.Event, argv []string) {
	if strings.Contains(e.Result.Text, "nothing to commit") || slices.Contains(argv, "--dry-run") {
		return
	}
	g.quiet, g.head = e.Calls, unknownID
	g.Commits = bounded.Limit(append(g.Commits, Commit{id: unknownID, subject: prose.Clip(prose.OneLine(message(argv)), 100), seq: e.Seq, src: e.Source}), maxCommits)
}

// isQuiet says that git was asked to print nothing.
func isQuiet(argv []string) bool {
	return slices.ContainsFunc(argv, func(w string) bool {
		return w == "-q" || w == "--quiet" || len(w) > 2 && w[0] == '-' && w[1] != '-' && strings.Contains(w, "q")
	})
}

// Done is a commit as a step.
func (c Commit) Done() distiller.Progress {
	text := "commit "
	if c.byUser {
		text = "the user's commit "
	}
	if c.id != unknownID {
		text += c.id + " "
	}
	if c.subject != "" {
		text += "`" + strings.ReplaceAll(c.subject, "`", "'") + "`"
	}
	if c.unseen {
		return distiller.Progress{Text: text + " (result not seen)", State: "done", Evidence: distiller.Said, Source: c.src}
	}
	return distiller.Progress{Text: strings.TrimSpace(text), State: "done", Evidence: distiller.Proved, Source: c.src}
}

// unknownID stands for the id of a commit that nobody printed.
const unknownID = ""

// message is the subject that a git commit was given.
func message(argv []string) string {
	for i, w := range argv {
		switch {
		case (w == "-m" || w == "--message" || strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.HasSuffix(w, "m")) && i+1 < len(argv):
			subject, _, _ := strings.Cut(argv[i+1], "\n")
			if strings.HasPrefix(subject, "$(") {
				return "" // what another program prints
			}
			return subject
		case strings.HasPrefix(w, "--message="):
			return strings.TrimPrefix(w, "--message=")
		}
	}
	return ""
}
