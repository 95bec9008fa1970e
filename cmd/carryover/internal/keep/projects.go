package keep

import (
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// NewProjectsCommand makes `carryover projects`.
func NewProjectsCommand(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "projects",
		Short:   "List the projects and their paths",
		Example: "  carryover projects",
		Args:    cli.TakesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			service, done, err := a.Reader()
			if err != nil {
				return err
			}
			defer done()
			list, err := view.All(func(page view.Page) (view.List[view.Project], error) {
				return service.ListProjects(cmd.Context(), page)
			})
			if err != nil {
				return err
			}
			if a.JSON {
				return a.Object(map[string]any{"schema": cli.Schema, "items": list})
			}
			printProjects(a, list)
			return nil
		},
	}
	cmd.AddCommand(
		newChangeProjectCommand(a, "move", "Record the new path of a project", "OLD", "NEW", false),
		newChangeProjectCommand(a, "merge", "Merge the sessions of one project into another", "FROM", "INTO", true),
	)
	return cmd
}

// printProjects lists the projects, and below each its other worktrees and what it
// holds of Carryover's.
func printProjects(a *cli.App, list []view.Project) {
	var rows [][]string
	for _, project := range list {
		rows = append(rows, []string{project.ID, cli.HomePath(project.Path)})
		for _, path := range project.Worktrees {
			if path != project.Path {
				rows = append(rows, []string{"", cli.HomePath(path)})
			}
		}
		for _, file := range project.Files {
			rows = append(rows, []string{"", "holds " + cli.HomePath(file)})
		}
	}
	a.PrintTable([]cli.Column{{Title: "PROJECT"}, {Title: "PATH", Fill: true, Tail: true}}, rows)
}

func newChangeProjectCommand(a *cli.App, name, short, from, to string, merge bool) *cobra.Command {
	return &cobra.Command{
		Use: name + " " + from + " " + to, Short: short,
		Example: "  carryover projects " + name + " ~/work/old ~/work/new", Args: cli.Takes(2, 2, from, to),
		RunE: func(cmd *cobra.Command, args []string) error {
			request := view.ProjectChangeRequest{Merge: merge}
			var err error
			if request.From, err = filepath.Abs(args[0]); err != nil {
				return err
			}
			if request.To, err = filepath.Abs(args[1]); err != nil {
				return err
			}
			if err := a.Captured(); err != nil {
				return err
			}
			service, done, err := a.Writer(cmd.Context())
			if err != nil {
				return err
			}
			defer done()
			project, err := service.ChangeProject(cmd.Context(), request)
			if errors.Is(err, view.ErrNotFound) {
				return cli.Coded(cli.ExitNothing, "not_found", err, "run `carryover projects` to list them")
			}
			if err != nil {
				return err
			}
			if a.JSON {
				return a.Object(map[string]any{"schema": cli.Schema, "project": project})
			}
			a.Print("%s is at %s", project.ID, project.Path)
			return nil
		},
	}
}
