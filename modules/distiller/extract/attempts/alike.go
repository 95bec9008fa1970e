package attempts

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/output"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/modules/distiller/verdict"
)

// alike is the key of a failure that a reader could not tell from this one: the
// same family of commands, and a text that differs only behind what is shown; the
// same check, whatever its output was cut down to; or no command at all, and the same
// limit of what works here.
func (f *Failures) alike(now *Failure) string {
	limit := ""
	if now.family == "" {
		limit, _ = output.LimitIn(now.Why)
	}
	for _, fl := range f.list {
		switch {
		case fl.key == now.key, fl.family != now.family:
		case now.family == "" && limit != "" && fl.Why == now.Why,
			now.family != "" && (prose.Clip(fl.What, shownWhat) == prose.Clip(now.What, shownWhat) || fl.Check && fl.core == now.core),
			lints(now.family) && len(now.targets) > 0 && slices.Equal(fl.targets, now.targets):
			return fl.key
		}
	}
	return now.key
}

// lints says that a family of commands looks at the files it is given, and whatever flags it has,
// such as --fix, finds in them what it found before.
func lints(family string) bool {
	return verdict.CheckOf(strings.Fields(family)) == verdict.Lint && !compiles[family]
}

// unpiped is a text without what its output goes through; of one check alone that and
// where it ran.
func unpiped(commands []shell.Command) string {
	var all []string
	if checks := verdict.ChecksIn(commands); len(checks) == 1 {
		check := commands[checks[0]]
		return prose.Clip(check.Dir+" "+strings.TrimSpace(strings.ReplaceAll(check.Text, "2>&1", "")), maxCore)
	}
	for i, c := range commands {
		if i == 0 || commands[i-1].Next != "|" {
			all = append(all, c.Text)
		}
	}
	return prose.Clip(strings.Join(all, "; "), maxCore)
}

// maxCore bounds a text that failures are compared by, in characters.
const maxCore = 300

// shownWhat is how much of a command stands in a handoff, in characters.
const shownWhat = 88
