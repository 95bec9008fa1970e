package installation

import (
	"strings"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/publish"
	"github.com/carryover-go/carryover/modules/daemon/setup"
)

// projectFiles says in one line what will be written into projects, and how to
// choose otherwise.
func projectFiles(a *cli.App, outcomes []setup.Outcome) string {
	const own = "In projects: .carryover/, hidden from git"
	choices, _ := config.Load(a.Home) // what is wrong with it was said before
	switch choices.ProjectFiles {
	case config.ProjectFilesAlways:
		return own + "; lines in .gitignore and a block in AGENTS.md (`carryover config project_files needed` leaves them out)"
	case config.ProjectFilesNever:
		return own + "; no other file changes"
	}
	var names []string
	for _, o := range outcomes {
		if o.Version != "" && !o.Removed && (o.Err != nil || !publish.Delivers(a.Table(), o.Tool, o.Version)) {
			names = append(names, o.Name)
		}
	}
	if len(names) == 0 {
		return own + "; no other file changes"
	}
	return own + "; and a block in AGENTS.md or CLAUDE.md, the only way to reach " + strings.Join(names, ", ") +
		" (`carryover config project_files never` leaves it out)"
}
