// Package attempts keeps what failed and was not made good, what this
// environment does not allow, and the commands that work here.
package attempts

import (
	"cmp"
	"slices"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/output"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/modules/distiller/verdict"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Failures are the failed approaches: calls that failed and were not made good
// since.
//
//   - Rejected, blocked and cancelled calls are none; a probe (grep, test,
//     diff, ls …) that exits with 1 gave its answer. Where more was run than
//     probes, that is listed as a search without a hit.
//   - A test run fails by what its runner prints, whatever the exit status
//     says: pipes hide it.
//   - A failing command that the person pasted counts like one of the agent's.
//   - The same thing failing again counts up.
//   - A pipe into another program hides the exit status: there a line of the
//     output that begins with error:, fatal: or panic: says it.
//   - It is solved when the same command, or an edit of the same file, works
//     later; worked around when another command of the same kind does: a check
//     on the same or wider targets, a program that was not found, the same
//     program with other flags, or on something of the same. What ended is listed for a while,
//     and said to have ended: knowing how is worth more than meeting it again. Where the same
//     program has done another thing since, all that is known is that it was abandoned.
//   - A failing check that was followed by a commit and a new request is over.
//   - A failure that nothing came back to for a long time is dropped too; a
//     failing check only after much longer.
type Failures struct {
	list  []*Failure // in order of the last failing
	Mends []Mend
	given givenUp

	edited int // calls when a file was changed last
}

// Mend is a command that did what another one could not.
type Mend struct {
	Command shell.Command
	Source  distiller.Source
}

const maxMends = 6

// Failure is one failed approach, with what could make it good.
type Failure struct {
	key     string
	core    string // the command without what its output goes through
	What    string
	shown   string // the command as it was given, where What is one
	Why     string
	family  string
	verb    string // see verbOf
	targets []string
	missing string   // program that was not found
	args    []string // what it was given
	paths   []string // files a failed edit wanted to change
	named   []string // files that a linter complained of
	inputs  []string // files that it was given
	mended  bool     // one of these was changed since
	Check   bool
	commits bool // it was to make a commit
	forced  bool // and was made in spite of the hook that refused it
	minor   bool // reading what is not there
	looks   bool // a command that only looks
	noHit   bool // something was run and searched for what is not there
	count   int
	differs bool // it failed in several ways
	exit    int
	Seq     int
	calls   int
	turn    int
	solved  string   // by what, when by something else
	vague   bool     // and that did another thing, or to something else: nobody knows whether it helped
	tests   []string // that failed, by name
	also    []string // see alsoNamed
	over    bool     // the same thing works now
	carried bool     // of a predecessor
	given   bool     // its edits were taken back
	aside   bool     // on other code: it fails without the changes too
	Source  distiller.Source
}

// Bounds, in calls of the agent.
const (
	maxFailures   = 48
	staleAfter    = 60  // an unsolved failure of a one-off
	staleTurn     = 15  // the same, once the person has asked for something else
	staleChecks   = 300 // an unsolved failure of a check
	endedShown    = 40  // how long a failure that ended is still listed
	shownFailures = 10  // of the session itself
	maxCarried    = 32  // of those before it
	shownEnded    = 6
	shownAlike    = 2 // of one kind of command: that a linter found something before says it once
)

// Carry takes over what failed in a predecessor and was not mended, the oldest
// first as it came.
func (f *Failures) Carry(prior []distiller.Failure) {
	for _, p := range slices.Backward(prior[:min(len(prior), maxCarried)]) {
		if p.Ended != "" {
			continue
		}
		fl := &Failure{key: timeline.CommandKey(p.What), What: p.What, Why: p.Why, also: p.Also, count: p.Count, exit: p.Exit, Source: p.Source, carried: true}
		fl.describe(shell.Commands(p.What))
		f.list = append(f.list, fl)
	}
}

// describe reads from a command what could make its failing good.
func (fl *Failure) describe(cmds []shell.Command) {
	for _, c := range cmds {
		fam := shell.Family(c.Argv)
		if fam == "" || shell.Quiet[fam] {
			continue
		}
		if fl.family == "" || timeline.IsTest(fam) || timeline.IsCheck(fam) && !timeline.IsTest(fl.family) {
			fl.family, fl.targets, fl.Check = fam, shell.Targets(c.Argv), timeline.IsCheck(fam)
		}
	}
}

// Add takes one more event.
func (f *Failures) Add(e *timeline.Event) {
	if e.Kind == transcript.Prompt && !e.Subagent {
		f.spokenOf(e)
		if e.Wording.Pasted != "" {
			f.pasted(e)
		}
	}
	if e.Subagent || e.ToolCall != nil && e.ToolCall.Subagent {
		return
	}
	f.takenBack(e, f.given.see(e))
	f.mended(e)
	if e.Kind != transcript.Result || e.ToolCall == nil || e.Result == nil {
		return
	}
	switch {
	case timeline.Failed(e) && timeline.Conflicted(e): // nothing was given up
	case timeline.Failed(e) && e.ToolCall.ByUser && e.ToolCall.Info.Meaning == transcript.Read: // nobody tried anything
	case timeline.Failed(e), e.Verdict.Aside == verdict.Failed, timeline.Passed(e) && refused(e), e.Verdict.Kind == verdict.NoHit && e.ToolCall.Info.Command != "" && !probing(e.ToolCall) && !e.ToolCall.Commits():
		f.fail(e)
	case timeline.Passed(e):
		f.pass(e)
	case e.Verdict.Kind == verdict.Unseen:
		f.runs(e)
	}
}

// webClients speak HTTP; their exit status says nothing of the answer.
var webClients = []string{"curl", "wget", "Invoke-WebRequest", "Invoke-RestMethod", "http ", "gh api"}

var httpRefusal = lazyregexp.New(`\bHTTP(?:/[\d.]+)?[ :]+[45]\d\d\b|\b[45]\d\d\)?[ :-]{1,3}(?i:unauthorized|forbidden|not found|bad request|internal server|bad gateway|too many)|"status": ?"?[45]\d\d\b`)

// refused says that a web request got an error for an answer.
func refused(e *timeline.Event) bool {
	return e.ToolCall.Info.Command != "" && webClient(e.ToolCall) && httpRefusal.MatchString(prose.Excerpt(e.Result.Text))
}

func webClient(c *timeline.OpenCall) bool { return prose.HasAny(c.Info.Command, webClients...) }

func (f *Failures) fail(e *timeline.Event) {
	c := e.ToolCall
	what := e.What()
	key := what
	if timeline.Edits(c.Info.Meaning) && len(c.Info.Paths) > 0 {
		key = "edit " + e.Paths.Rel(c.Info.Paths[0], c.Info.Cwd)
	}
	core, why := unpiped(c.Commands), FailureReason(e)
	fl := f.take(f.alike(&Failure{key: key, What: what, family: c.Family, core: core, Why: why, targets: shell.Targets(c.Primary.Argv)}))
	fl.key, fl.core = key, core
	fl.differs = fl.count > 0 && (fl.differs || fl.Why != why)
	fl.What, fl.Why, fl.aside = what, why, e.Verdict.Aside != ""
	fl.count++
	if fl.exit = 0; e.Result.ExitCode != nil {
		fl.exit = *e.Result.ExitCode
	}
	fl.Seq, fl.calls, fl.turn, fl.Source = e.Seq, e.Calls, e.Turn, c.Source
	fl.solved, fl.vague, fl.over, fl.carried, fl.forced = "", false, false, false, false
	fl.family, fl.verb, fl.targets, fl.Check = c.Family, verbOf(c.Primary.Argv), shell.Targets(c.Primary.Argv), timeline.IsCheck(c.Family) && (e.Verdict.Check != "" || e.Verdict.Kind != verdict.Failed)
	fl.tests, fl.commits, fl.named = e.Test.Tests, c.Commits(), complainsOf(e)
	fl.also = alsoNamed(e, fl)
	fl.inputs, fl.mended = filesGiven(e), false
	fl.minor, fl.noHit = probing(c), e.Verdict.Kind == verdict.NoHit
	fl.looks = fl.minor && c.Info.Command != "" || c.Info.Meaning == transcript.Search
	if fl.missing = ""; c.Info.Command != "" {
		fl.missing = output.MissingProgram(c.Info.Command, e.Result.Text)
		fl.args = argsOf(c, fl.missing)
	}
	fl.shown = shownAs(c, fl.missing)
	if timeline.Edits(c.Info.Meaning) {
		fl.paths = nil
		for _, p := range c.Info.Paths {
			fl.paths = append(fl.paths, e.Paths.Rel(p, c.Info.Cwd))
		}
	}
	f.list = bounded.Limit(append(f.list, fl), maxFailures)
}

// ToMend says that a check failed and that a change of the code may make it pass.
func (fl *Failure) ToMend() bool { return fl.Check && !fl.CannotRun() }

// CannotRun says that a command failed for a reason that no change of the code mends: a limit
// of the environment, or a program that is not there.
func (fl *Failure) CannotRun() bool {
	kind, _ := output.LimitIn(fl.Why)
	return kind != "" || fl.missing != ""
}

// probing says that a call only looked for something that was not there.
func probing(c *timeline.OpenCall) bool {
	return c.Info.Meaning == transcript.Read || c.OnlyLooks()
}

// take returns the failure of that key, taken out of the list, or a new one.
func (f *Failures) take(key string) *Failure {
	for i, fl := range f.list {
		if fl.key == key {
			f.list = slices.Delete(slices.Clone(f.list), i, i+1)
			return fl
		}
	}
	return &Failure{key: key}
}

// pass lets a success make failures good.
func (f *Failures) pass(e *timeline.Event) {
	c := e.ToolCall
	if len(f.list) == 0 {
		return
	}
	what := c.What()
	changed := f.changedPaths(e)
	if len(changed) > 0 {
		f.edited = e.Calls
	}
	f.resumed(changed)
	if unverified(c) {
		f.force()
		return
	}
	for _, fl := range f.list {
		fl.narrow(c)
		fl.mended = fl.mended || slices.ContainsFunc(changed, func(p string) bool { return slices.Contains(fl.inputs, p) })
		switch {
		case fl.over, fl.given:
		case fl.key == what, slices.ContainsFunc(fl.paths, func(p string) bool { return slices.Contains(changed, p) }):
			fl.makeGood(e.Calls)
		case fl.solved == "" || fl.vague:
			if by, vague := fl.solvedBy(c); by != "" && (fl.solved == "" || !vague) {
				fl.vague = vague
				switch fl.solved = by; {
				case c.ByUser:
					fl.solved = "the user's own " + by
				case fl.mended && !vague && !fl.forced, fl.Check && f.edited > fl.calls && !fl.CannotRun(): // the code was mended, whatever showed it
					fl.solved = ""
					fl.makeGood(e.Calls)
				}
				f.note(fl, c)
			}
		}
	}
	f.list = slices.DeleteFunc(f.list, func(fl *Failure) bool { return fl.over && e.Calls-fl.calls > endedShown })
}

// note keeps the command that did what another form of it could not, where the
// environment was the reason: what works here is worth knowing.
func (f *Failures) note(fl *Failure, c *timeline.OpenCall) {
	if fl.Check || !fl.CannotRun() {
		return
	}
	for _, cmd := range c.Commands {
		if shell.Family(cmd.Argv) == fl.family || sameForge(shell.Family(cmd.Argv), fl.family) || fl.missing != "" && slices.Contains(cmd.Argv, fl.missing) {
			f.Mends = bounded.Limit(append(f.Mends, Mend{cmd, c.Source}), maxMends)
			return
		}
	}
}

// changedPaths are the files a successful call changed.
func (f *Failures) changedPaths(e *timeline.Event) []string {
	var out []string
	timeline.EachChanged(e, func(p, _ string, _ bool) { out = append(out, p) })
	return out
}

// Open lists what still fails, newest first.
func (f *Failures) Open(calls, turn, committed int) []*Failure {
	var out []*Failure
	for _, fl := range slices.Backward(f.list) {
		if fl.ended(calls, turn, committed) == "" {
			out = append(out, fl)
		}
	}
	return out
}

// ended says how a failure ended, "" while it is open.
func (fl *Failure) ended(calls, turn, committed int) string {
	age := calls - fl.calls
	switch {
	case fl.given:
		return "given up"
	case fl.over, fl.commits && fl.Seq < committed && !fl.forced:
		return "solved"
	case fl.forced:
		return ""
	case fl.solved != "" && !fl.vague:
		return "worked around"
	case fl.noHit, fl.minor && age > 0:
		return "harmless"
	case fl.aside:
		return "without the changes too"
	case fl.vague:
		return "abandoned"
	case fl.Check && fl.turn < turn && fl.Seq < committed:
		return "abandoned at the last commit" // and something else was asked for
	case age > staleChecks, !fl.Check && (age > staleAfter || fl.turn < turn && age > staleTurn):
		return "abandoned"
	}
	return ""
}

// Facts are the last failures that the same call did not make good, however they
// ended: they are what the next agent would meet first. Then come the other open
// ones, newest first, those that ended lately, and those of the sessions before.
// Calls and turn say how far the session is, committed is the event of its
// newest commit.
func (f *Failures) Facts(calls, turn, committed int) []distiller.Failure {
	var out, before, ended []distiller.Failure
	last, alike := f.last(calls), map[string]int{}
	for _, fl := range last {
		alike[fl.family]++
		out = append(out, fl.fact(fl.ended(calls, turn, committed), turn))
	}
	slices.SortStableFunc(out, func(a, b distiller.Failure) int { return min(len(a.Ended), 1) - min(len(b.Ended), 1) })
	for _, fl := range slices.Backward(f.list) {
		switch how := fl.ended(calls, turn, committed); {
		case slices.Contains(last, fl), fl.slip(how):
		case how == "" && fl.carried:
			before = append(before, fl.fact("", turn))
		case how == "":
			out = append(out, fl.fact("", turn))
		case calls-fl.calls <= endedShown && len(ended) < shownEnded && (fl.family == "" || alike[fl.family] < shownAlike):
			alike[fl.family]++
			ended = append(ended, fl.fact(how, turn))
		}
	}
	out = append(out, ended...)
	return append(out[:min(len(out), shownFailures)], before...)
}

// slip says that a failure, which ended so, taught nothing: an edit that missed.
func (fl *Failure) slip(how string) bool {
	return (how == "solved" || how == "worked around" || how == "harmless") && len(fl.paths) > 0
}

// last are the newest failures that the same call did not make good since.
func (f *Failures) last(calls int) []*Failure {
	var out []*Failure
	for _, fl := range slices.Backward(f.list) {
		if !fl.over && !fl.carried && !fl.looks && calls-fl.calls < endedShown && len(out) < distiller.LastFailures {
			out = append(out, fl)
		}
	}
	return out
}

func (fl *Failure) fact(ended string, turn int) distiller.Failure {
	solved := fl.solved
	if fl.vague && !fl.over { // the same works now, and this was run in between
		solved = ""
	}
	return distiller.Failure{
		What: prose.Clip(cmp.Or(fl.shown, fl.What), 160), Why: fl.Why, Also: fl.also, Count: fl.count, Differs: fl.differs, Exit: fl.exit, Ended: ended, Solved: prose.Clip(solved, 100),
		Turn: max(0, turn-fl.turn), Evidence: distiller.Proved, Source: fl.Source,
	}
}
