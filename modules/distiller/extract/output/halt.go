package output

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// halts are git's words for something that waits for its end.
var halts = []struct {
	form *lazyregexp.Regexp
	what string
}{
	{lazyregexp.New(`(?m)^(?:interactive )?rebase in progress|^CONFLICT .*\n(?s:.*)git rebase --continue|git rebase --continue`), "rebase"},
	{lazyregexp.New(`(?m)^You have unmerged paths|^Automatic merge failed|stopped before committing as requested|^All conflicts fixed but you are still merging|MERGE_HEAD exists`), "merge"},
	{lazyregexp.New(`(?m)currently cherry-picking|git cherry-pick --continue`), "cherry-pick"},
	{lazyregexp.New(`(?m)currently reverting|git revert --continue`), "revert"},
	{lazyregexp.New(`(?m)currently bisecting`), "bisect"},
}

// Halt is what waits for its end by the words of git, "" for nothing.
func Halt(text string) string {
	for _, h := range halts {
		if h.form.MatchString(text) {
			return h.what
		}
	}
	return ""
}

// ConflictsIn are the files that git names as in conflict, by what a merge or a status prints.
func ConflictsIn(text string) []string {
	var out []string
	for _, m := range inConflict.FindAllStringSubmatch(text, maxConflicts) {
		if name := strings.TrimSpace(m[1] + m[2]); name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

const maxConflicts = 40

var inConflict = lazyregexp.New(`(?m)^CONFLICT \([^)\n]*\): .*conflict in (.+)$|^\s*(?:both (?:modified|added)|deleted by (?:us|them)|added by (?:us|them)):\s+(.+)$`)
