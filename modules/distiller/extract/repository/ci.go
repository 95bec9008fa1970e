package repository

import (
	"slices"

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
