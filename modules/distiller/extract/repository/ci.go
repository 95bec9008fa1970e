package repository

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// ciNamed are the files, addresses and commands of continuous integration, and its name.
var ciNamed = lazyregexp.New(`\.github/workflows|\.gitlab-ci|azure-pipelines|\.circleci|Jenkinsfile|\.woodpecker|\.forgejo|buildkite|\bgh (?:run|pr)\b|\bglab (?:ci|mr)\b|/actions/runs/|/pull/\d|\bCI\b|\bGitHub Actions\b`)

// saysCI says that an event speaks of continuous integration, or of a pull request, which few
// projects take without.
func saysCI(e *timeline.Event) bool {
	if ciNamed.MatchString(prose.Excerpt(e.Text)) {
		return true
	}
	if e.ToolCall != nil && e.Result == nil {
		return ciNamed.MatchString(prose.Clip(e.ToolCall.Info.Command, 2000)) || slices.ContainsFunc(e.ToolCall.Info.Paths, ciNamed.MatchString)
	}
	return e.Result != nil && ciNamed.MatchString(prose.Excerpt(e.Result.Text))
}

// lookedAtCI notes whether a run of CI had ended when it was looked at.
func (g *Git) lookedAtCI(e *timeline.Event, text string) {
	if stillRuns.MatchString(noneOf.ReplaceAllString(text, "")) {
		g.Running, g.RunSource, g.pending = e.Calls, e.Source, pendingIn(text)
	} else {
		g.Checked = e.Calls
	}
}

// StillRuns says that the run of CI of what was pushed last had not ended when it was looked at.
func (g *Git) StillRuns() bool { return g.Running > g.Checked && g.Running >= g.Pushed }

// waiting are the words of gh for checks and runs that have not ended.
const waiting = `(?:pending|in_progress|queued)`

var (
	stillRuns = lazyregexp.New(`(?i)(?:[^\d ] ?|\b[1-9]\d* )` + waiting + `\b`)
	isWaiting = lazyregexp.New(`(?i)^` + waiting + `$`)
)

// noneOf is a field of JSON that says there are none of a kind: "pending": [].
var noneOf = lazyregexp.New(`"\w+"\s*:\s*(?:\[\s*\]|0|null|false)`)

// pendingIn are the names of the checks that gh lists as not ended, one in each line.
func pendingIn(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) > 1 && fields[0] != "" && len(out) < maxPending && isWaiting.MatchString(fields[1]) {
			out = append(out, fields[0])
		}
	}
	return out
}

const maxPending = 5

// Pending are the checks of the run of CI that had not ended, as far as they were named.
func (g *Git) Pending() []string { return g.pending }
