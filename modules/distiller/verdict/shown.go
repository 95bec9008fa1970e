package verdict

import (
	"slices"

	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/shell"
)

// shownBy is what an output shows by itself of commands of which nothing says how they ended, as of
// those that a person ran: what a check closes with, what git and the client of a forge print of what
// they did; "" where it shows nothing.
func shownBy(commands []shell.Command, lines []string, check Check) Kind {
	if check != "" {
		switch found := read(lines, check); {
		case found.broken != "":
			return Failed
		case check == Test && noneRan(lines):
			return ""
		case found.sound != "", found.part != "" && seenWhole(commands, checksIn(commands), len(lines)):
			return Passed
		}
		return ""
	}
	if slices.ContainsFunc(lines, func(line string) bool { return gaveUp.in(lineOf(line)) || refusedBy.MatchString(line) }) {
		return Failed
	}
	if slices.ContainsFunc(commands, func(c shell.Command) bool {
		done := doneBy[shell.Family(c.Argv)]
		return done != nil && slices.ContainsFunc(lines, done.MatchString)
	}) {
		return Passed
	}
	return ""
}

// refusedBy is how git says that what was pushed was not taken.
var refusedBy = lazyregexp.New(`^\s*! \[(?:remote )?rejected\]|^error: failed to push`)

// doneBy is what commands print of what they did.
var doneBy = map[string]*lazyregexp.Regexp{
	"git commit":   lazyregexp.New(`^\[\S+(?: \(root-commit\))? [0-9a-f]{7,40}\] `),
	"git push":     lazyregexp.New(`^(?: [ *+-]|   )\S.* -> \S|^ - \[deleted\]|^Everything up-to-date`),
	"git pull":     lazyregexp.New(`^Already up to date|^Updating [0-9a-f]{7,}\.\.|^Successfully rebased|Successfully rebased and updated`),
	"git rebase":   lazyregexp.New(`Successfully rebased and updated|is up to date`),
	"git checkout": lazyregexp.New(`^(?:Switched to|Already on) `),
	"git switch":   lazyregexp.New(`^(?:Switched to|Already on) `),
	"git reset":    lazyregexp.New(`^HEAD is now at `),
	"gh pr":        lazyregexp.New(`^https://\S+/pull/\d+$`),
	"gh issue":     lazyregexp.New(`^https://\S+/issues/\d+$`),
}
