package extract

import (
	"fmt"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/attempts"
	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/files"
	"github.com/carryover-go/carryover/modules/distiller/extract/output"
	"github.com/carryover-go/carryover/modules/distiller/extract/paths"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/repository"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/modules/distiller/verdict"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Verify first is what a careful person checks before trusting the rest:
//
//   - the error that ended the last turn;
//   - a failing check, by the command that shows it;
//   - a check that was started and whose result was never printed;
//   - what the person ran last, where nothing tells how it ended;
//   - the last check, when files were edited after it, or the last test of everything;
//   - that no check, or no test, was run on changed code at all;
//   - a branch that is another one than at the start;
//   - edits that no commit of this session holds;
//   - files that were there before, and that the session removed without being asked to;
//   - a push whose CI nobody looked at, or had not ended when somebody did;
//   - calls that a guard blocked: what they should have done is not done;
//   - files that no longer parse, and comments of what is to do that an edit left in code;
//   - work that still ran in the background.
type verifyRules struct {
	lastCheck   *timeline.OpenCall
	tested      bool               // a test was run, whatever its result
	whole       *timeline.OpenCall // the newest test of everything
	part        *timeline.OpenCall // the newest test of a part
	ran         int                // calls when something of the project was run last, which may be a check of its own
	unseen      *timeline.OpenCall // its result never showed
	mute        bool               // but it printed something
	byUser      *timeline.OpenCall // what the person ran last, and nothing tells how it ended
	userTurn    int
	blocked     []distiller.Statement
	lastBlocked []string // what the newest of them was to be done to
	running     []background
}

// background is work that was started and left running.
type background struct {
	distiller.Statement
	id   string
	turn int
	ends bool // see endsByItself
}

// endsByItself says that a call is another agent, a check, a look at the forge or a wait: of
// other commands nobody knows whether they ever end.
func endsByItself(c *timeline.OpenCall) bool {
	first := ""
	if len(c.Commands) > 0 {
		first = shell.Program(c.Commands[0].Argv)
	}
	return c.Info.Meaning != transcript.Shell || timeline.IsCheck(c.Family) || strings.HasPrefix(c.Family, "gh ") || strings.HasPrefix(c.Family, "glab ") || first == "sleep" || first == "timeout"
}

const (
	maxBlocked = 3
	maxLeft    = 3 // notes in code
)

// looks are the calls that change nothing.
var looks = map[transcript.Meaning]bool{transcript.Read: true, transcript.Search: true, transcript.Fetch: true}

// guardSaid is what the guard said, as far as a line holds it.
func guardSaid(text string) string {
	said := prose.OneLine(output.StripANSI(prose.Clip(text, 400)))
	if said == "" {
		return ""
	}
	return ": `" + strings.ReplaceAll(prose.Clip(said, 100), "`", "'") + "`"
}

func (v *verifyRules) Add(e *timeline.Event) {
	if len(e.Ended) > 0 {
		v.running = slices.DeleteFunc(slices.Clone(v.running), func(b background) bool { return slices.Contains(e.Ended, b.id) })
	}
	if e.Kind != transcript.Result || e.ToolCall == nil || e.ToolCall.Subagent {
		return
	}
	c := e.ToolCall
	if slices.ContainsFunc(c.Commands, runsCode) {
		v.ran = c.Calls
	}
	if c.ByUser && len(c.Commands) > 0 && !c.OnlyLooks() {
		if v.byUser = nil; e.Verdict.Kind == verdict.Unseen {
			v.byUser, v.userTurn = c, e.Turn
		}
	}
	switch {
	case e.Result.Outcome == transcript.Blocked && (c.OnlyLooks() || looks[c.Info.Meaning]): // nothing is left undone
	case e.Result.Outcome == transcript.Blocked:
		if slices.Equal(shell.Targets(c.Primary.Argv), v.lastBlocked) && len(v.lastBlocked) > 0 {
			v.blocked = v.blocked[:len(v.blocked)-1] // the same thing in other words
		}
		v.lastBlocked = shell.Targets(c.Primary.Argv)
		v.blocked = bounded.Keep(slices.Clone(v.blocked), distiller.Statement{Text: "blocked by a guard, not done: " + prose.Code(c.What(), 110) + guardSaid(e.Result.Text), Source: c.Source}, maxBlocked)
	case e.Verdict.Check != "" && e.Verdict.Aside == "":
		v.lastCheck = c
		v.tested = v.tested || e.Verdict.Check == verdict.Test
		switch {
		case e.Verdict.Check != verdict.Test:
		case attempts.Broad(c.Primary.Argv):
			v.whole = c
		default:
			v.part = c
		}
		v.sawNot(e)
	}
	if e.Verdict.Background && e.Started != "" {
		for i := range v.running {
			if v.running[i].id == e.Started { // asked how far it is
				v.running[i].turn = e.Turn
				return
			}
		}
	}
	if e.Verdict.Background && (c.Info.Meaning == transcript.Subagent || c.Info.Meaning == transcript.Other || c.Info.Meaning == transcript.Shell) {
		what := strings.TrimSpace(e.Started + " " + c.What())
		text := "started in the background, result not seen: " + shown(what)
		v.running = bounded.Limit(append(v.running, background{distiller.Statement{Text: text, Source: c.Source}, e.Started, e.Turn, endsByItself(c)}), maxBlocked)
	}
}

// sawNot notes a check whose result does not show, be it that it printed something.
func (v *verifyRules) sawNot(e *timeline.Event) {
	if v.unseen = nil; e.Verdict.Kind == verdict.Unseen && !e.Verdict.Background {
		v.unseen, v.mute = e.ToolCall, !e.Result.Unseen && len(verdict.Lines(output.StripANSI(e.Result.Text))) > 0
	}
}

// shown is a call as a line names it.
func shown(what string) string {
	return prose.Code(what, 140)
}

// failing are the failures that nothing made good.
func (s *State) failing() []*attempts.Failure {
	return s.failures.Open(s.calls, s.turn, s.git.LastCommit())
}

// changed says that a file was changed in this session.
func (s *State) changed(p string) bool {
	file := s.files.Known(p)
	return file != nil && file.EditSeq > 0
}

func (v *verifyRules) facts(s *State) []distiller.Statement {
	var out []distiller.Statement
	for _, fl := range s.failing() {
		if fl.ToMend() {
			text := "re-run " + shown(fl.What) + ": it failed last"
			if s.files.Edited > 0 && fl.Elsewhere(s.changed) {
				text += ", over files that were not changed here"
			}
			out = append(out, distiller.Statement{Text: text, Source: fl.Source})
			break
		}
	}
	if v.unseen != nil {
		text := ": started, its result was never seen"
		switch {
		case s.files.Edited > v.unseen.Calls:
			text = ": last run before the newest edits"
		case v.mute:
			text = ": what it printed does not show how it ended"
		}
		out = append(out, distiller.Statement{Text: shown(v.unseen.What()) + text, Source: v.unseen.Source})
	}
	if c := v.byUser; c != nil && c.Calls >= s.files.Edited && s.turn-v.userTurn <= 1 {
		out = append(out, distiller.Statement{Text: "the user ran " + shown(c.What()) + "; how it ended is not recorded", Source: c.Source})
	}
	if c := s.open.Undone(s.requests.RepliedAt()); c != nil && c.Info.Meaning != transcript.Ask {
		out = append(out, distiller.Statement{Text: "the last call has no result yet: " + shown(c.What()), Source: c.Source})
	}
	if c := v.lastCheck; c != nil && v.unseen == nil && s.files.Edited > c.Calls && len(out) == 0 {
		out = append(out, distiller.Statement{Text: shown(c.What()) + ": last run before the newest edits", Source: c.Source})
	}
	if c := v.whole; c != nil && c != v.lastCheck && s.files.Edited > c.Calls && len(out) == 0 {
		out = append(out, distiller.Statement{Text: shown(c.What()) + ": all tests were last run before the newest edits", Source: c.Source})
	}
	out = append(out, s.code.Unparsed()...)
	out = append(out, v.blocked...)
	if text := v.unchecked(s); text != "" {
		out = append(out, distiller.Statement{Text: text})
	}
	out = append(out, v.repository(s)...)
	if left := s.code.Left(); len(left) > 0 {
		out = append(out, left[:min(len(left), maxLeft)]...)
	}
	if n := s.git.Kept(); n > 0 {
		out = append(out, distiller.Statement{Text: fmt.Sprintf("no push was seen: %s made here", commits(n))})
	}
	if now := s.requests.Now(); now != nil && now.Ended == transcript.TurnFailed && !now.Spoke && now.Failure() != "" {
		out = slices.Insert(out, 0, distiller.Statement{Text: "the last turn was " + now.StoppedBy() + ": see that it is gone", Source: now.Source})
	}
	for _, b := range v.running {
		if b.turn == s.turn { // an earlier turn's has been heard of since
			out = append(out, b.Statement)
		}
	}
	return out
}

// unchecked says that no check was run on what was changed, or none that tests it, "" where
// one was or where no code was changed.
func (v *verifyRules) unchecked(s *State) string {
	if v.ran > 0 || !slices.ContainsFunc(s.files.Uncommitted(s.git.LastCommit()), files.IsCode) {
		return ""
	}
	switch {
	case v.lastCheck == nil:
		return "no test, build or lint was run in this session"
	case !v.tested:
		return "no test was run in this session"
	case v.whole == nil && v.part != nil:
		return "only a part of the tests was run, as by " + shown(v.part.What())
	}
	return ""
}

// before says that nothing was run since the newest edit that might have shown whether it
// works, whatever its result.
func (v *verifyRules) before(edited int) bool {
	return (v.lastCheck == nil || edited > v.lastCheck.Calls) && edited > v.ran
}

// interpreters run a script of the project, and runners a task of it.
var interpreters = prose.SetOf("python python3 py node ruby php perl deno bun tsx ts-node Rscript lua julia java dotnet bash sh zsh npm pnpm yarn make just task mise rake npx uv poetry")

// runsCode says that a command runs a script, a task or a program of the project: none that
// is known for a check, and it may be one all the same ("python3 test_parser.py").
func runsCode(c shell.Command) bool {
	argv := shell.Unwrap(c.Argv)
	if len(argv) == 0 {
		return false
	}
	family := shell.Family(argv)
	return interpreters[shell.Program(argv)] && len(argv) > 1 || prose.HasPrefixAny(argv[0], "./", "bin/", "scripts/") || strings.HasSuffix(family, " run")
}

// waiting says that work of this turn still ran in the background; once the agent has answered,
// only what ends by itself: a server does not.
func (v *verifyRules) waiting(turn int, answered bool) bool {
	n := len(v.running)
	return n > 0 && v.running[n-1].turn == turn && (!answered || v.running[n-1].ends)
}

// repository is what the next agent must know of branch and commits.
func (v *verifyRules) repository(s *State) []distiller.Statement {
	var out []distiller.Statement
	g := &s.git
	if g.First != "" && g.Branch != g.First {
		out = append(out, distiller.Statement{Text: fmt.Sprintf("branch is %s; the session began on %s", g.Branch, g.First)})
	}
	if halted := g.Halt(s.turn); halted != "" {
		text := "git " + halted + " in progress, by its last output"
		if named := g.Conflicts(); len(named) > 0 && !slices.ContainsFunc(named, func(p string) bool {
			file := s.files.Known(p)
			return file == nil || file.EditSeq < g.HaltSeq
		}) {
			text += "; the files in conflict (" + prose.Listed(named, 120) + ") were edited since: see that no mark is left, then commit the result"
		} else if len(named) > 0 {
			text += "; it failed on conflicts in " + prose.Listed(named, 120) + ": fix them, then commit the result"
		}
		out = append(out, distiller.Statement{Text: text, Source: g.HaltSource})
	}
	if changed := s.files.Uncommitted(g.LastCommit()); len(changed) > 0 {
		where := ""
		if g.Branch != "" && len(out) == 0 {
			where = " on branch " + g.Branch
		}
		text := fmt.Sprintf("uncommitted: %s changed here%s (%s); see git status", paths.Count(len(changed)), where, paths.Newest(changed))
		if !g.Known() {
			text = fmt.Sprintf("%s changed here (%s); no repository was seen", paths.Count(len(changed)), paths.Newest(changed))
		}
		out = append(out, distiller.Statement{Text: text})
	}
	if removed := s.files.Removed(g.LastCommit(), &s.requests, &s.named); len(removed) > 0 {
		var names []string
		for _, file := range removed {
			names = append(names, prose.Code(file.Path, 100))
		}
		out = append(out, distiller.Statement{Text: "removed, not made in this session: " + prose.Listed(names, 120), Source: removed[0].Source})
	}
	if text := swept(s); text != "" {
		out = append(out, distiller.Statement{Text: text, Source: g.Added().Source})
	}
	if who := g.Committer(); who != "" {
		out = append(out, distiller.Statement{Text: "git made up who commits: " + who})
	}
	if others := s.files.Others; len(others.Paths) > 0 {
		out = append(out, distiller.Statement{Text: "git status also listed what was not changed here: " + prose.Listed(others.Paths, 100), Source: others.Source})
	}
	if number := timeline.ToMerge(s.requests.Requests); number != "" {
		out = append(out, distiller.Statement{Text: "PR #" + number + " was set to merge by itself; nobody has seen it merged"})
	}
	if pushed := pushState(s); pushed.Text != "" {
		out = append(out, pushed)
	}
	return out
}

// pushState is what is known of the push of what was committed, and of its CI run.
func pushState(s *State) distiller.Statement {
	g := &s.git
	switch {
	case g.StillRuns():
		return distiller.Statement{Text: "the CI run of " + prose.Fallback(s.pushedTo(), "what was pushed") + " had not ended when it was looked at last" + pending(g.Pending()), Source: g.RunSource}
	case g.Ahead() != "":
		return distiller.Statement{Text: "not pushed: " + g.Ahead()}
	case g.Unpushed() > 0:
		return distiller.Statement{Text: "not pushed: what was committed since the newest push"}
	case g.Pushed > 0 && g.Checked < g.Pushed && g.HasCI:
		return distiller.Statement{Text: "pushed; nobody has looked at the CI run of " + prose.Fallback(s.pushedTo(), "it") + " since", Source: g.Source}
	}
	return distiller.Statement{}
}

// swept says which files a commit of all that was there added, though nothing here had made them;
// "" for none.
func swept(s *State) string {
	added := s.git.Added()
	if strange := s.files.Strange(added.Paths); len(strange) > 0 && s.turn-added.Turn <= 1 {
		return "commit " + added.Commit + " also added what no edit here had made: " + prose.Listed(strange, 90)
	}
	return ""
}

// unsaved is what changes are called that no commit holds.
func unsaved(g *repository.Git) string {
	if !g.Known() {
		return "changes"
	}
	return "uncommitted changes"
}

func commits(n int) string {
	if n == 1 {
		return "one commit"
	}
	return fmt.Sprintf("%d commits", n)
}

// pending names the checks that had not ended, "" for none.
func pending(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return " (pending: " + prose.Listed(names, 80) + ")"
}
