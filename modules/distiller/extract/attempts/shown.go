package attempts

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/modules/distiller/verdict"
)

// What the person shows of failures: a command at its prompt with what it printed, a test or a
// file by its name.

// spokenOf notes which failing checks the person speaks of, by a test or a file that they name:
// those are not given up.
func (f *Failures) spokenOf(e *timeline.Event) {
	if !timeline.OwnWords(e.Located) {
		return
	}
	for _, fl := range f.list {
		if !fl.Check || fl.over {
			continue
		}
		for _, name := range slices.Concat(fl.tests, fl.named, fl.targets, fl.also) {
			if name = path.Base(name); len(name) >= shortName && strings.Contains(e.Text, name) {
				fl.turn = e.Turn
			}
		}
	}
}

// shownAs is a call as a failure shows it: of a long text that runs several things how it begins, and
// the only check among them, unless another program is what was missing.
func shownAs(c *timeline.OpenCall, missing string) string {
	whole := shell.Shown(c.Info.Command)
	checks := verdict.ChecksIn(c.Commands)
	if utf8.RuneCountInString(whole) <= shownWhat || len(checks) != 1 {
		return whole
	}
	check := c.Commands[checks[0]]
	if check.Text == "" || missing != "" && !slices.Contains(check.Argv, missing) {
		return whole
	}
	text := strings.TrimPrefix(prose.OneLine(check.Text), "do ")
	if strings.HasPrefix(whole, text) {
		return whole
	}
	return prose.Clip(whole, shownWhat/2) + " " + text
}

// shortName is how long a name is at least that is no common word, in bytes.
const shortName = 6

// pasted takes a failure that the person shows: the command at its prompt and
// the line that went wrong.
func (f *Failures) pasted(e *timeline.Event) {
	what, why, ok := strings.Cut(e.Wording.Pasted, " → ")
	if !ok || !prose.HasAny(strings.ToLower(why), "error", "fail", "fatal", "denied", "invalid", "not found", "cannot", "panic") {
		return
	}
	fl := f.take(what)
	fl.What, fl.Why, fl.count = what, prose.Clip(why, 120), fl.count+1
	fl.Seq, fl.calls, fl.turn, fl.Source, fl.solved, fl.over = e.Seq, e.Calls, e.Turn, e.Source, "", false
	fl.describe(shell.Commands(what))
	f.list = bounded.Limit(append(f.list, fl), maxFailures)
}
