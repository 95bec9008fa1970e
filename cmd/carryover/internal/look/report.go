package look

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller/render"
)

// printReport prints the threads worked on since a moment, as Markdown.
func printReport(a *cli.App, cmd *cobra.Command, since string) error {
	work, err := readThreads(cmd.Context(), a, view.OpenWorkRequest{Since: since, All: true})
	switch {
	case err != nil:
		return err
	case a.JSON:
		return a.Object(work)
	}
	a.Print("%s", strings.TrimRight(reportOf(work), "\n"))
	return nil
}

// reportOf is a report in Markdown: by project, the newest work first.
func reportOf(work view.OpenWork) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Work since %s\n", cli.Minute(work.Since))
	if len(work.Items) == 0 {
		b.WriteString("\nNo session was captured since.\n")
	}
	var projects []string
	by := map[string][]view.Thread{}
	for _, t := range work.Items {
		project := cmp.Or(t.Project, t.Directory, "no project")
		if by[project] == nil {
			projects = append(projects, project)
		}
		by[project] = append(by[project], t)
	}
	for _, project := range projects {
		fmt.Fprintf(&b, "\n## %s\n\n", cli.HomePath(project))
		for _, t := range by[project] {
			writeThread(&b, t)
		}
	}
	return b.String()
}

// writeThread is one thread as an entry of a list.
func writeThread(b *strings.Builder, t view.Thread) {
	fmt.Fprintf(b, "- **%s**: %s\n", t.State, cli.OneLine(t.Task, 160))
	var tools []string
	commits := map[string]bool{}
	for _, session := range t.Sessions {
		if !strings.Contains(" "+strings.Join(tools, " ")+" ", " "+session.Tool+" ") {
			tools = append(tools, session.Tool)
		}
		for _, commit := range session.Commits {
			commits[commit] = true
		}
	}
	parts := []string{cli.Count(len(t.Sessions), "session") + " of " + strings.Join(tools, ", "), "last " + cli.Minute(t.Last) + " (" + render.ShortID(t.Session) + ")"}
	if t.Outcome != "" {
		parts = append(parts, cli.OneLine(t.Outcome, 120))
	}
	if len(commits) > 0 {
		parts = append(parts, cli.Count(len(commits), "commit"))
	}
	if len(t.Files) > 0 {
		parts = append(parts, cli.Count(len(t.Files), "file"))
	}
	if t.Uncommitted != nil && *t.Uncommitted > 0 {
		parts = append(parts, fmt.Sprintf("%d not committed", *t.Uncommitted))
	}
	fmt.Fprintf(b, "  - %s\n", strings.Join(parts, " · "))
	if t.Next != "" && (t.State == "open" || t.State == "waiting") {
		fmt.Fprintf(b, "  - next: %s\n", cli.OneLine(t.Next, 200))
	}
}
