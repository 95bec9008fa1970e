package main

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/modules/daemon/view"
)

func newProjectsCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "projects",
		Short:   "List the projects and their paths",
		Example: "  carryover projects",
		Args:    takesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			service, done, err := a.reader()
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
			if a.json {
				return a.object(map[string]any{"schema": schema, "items": list})
			}
			for _, project := range list {
				a.print("%s  %s", project.ID, project.Path)
				for _, path := range project.Paths {
					if path != project.Path && path != filepath.Join(project.Path, ".git") {
						a.print("%s  %s", strings.Repeat(" ", len(project.ID)), path)
					}
				}
			}
			return nil
		},
	}
	cmd.AddCommand(
		newChangeProjectCommand(a, "move", "Record the new path of a project", "OLD", "NEW", false),
		newChangeProjectCommand(a, "merge", "Merge the sessions of one project into another", "FROM", "INTO", true),
	)
	return cmd
}

func newChangeProjectCommand(a *app, name, short, from, to string, merge bool) *cobra.Command {
	return &cobra.Command{
		Use: name + " " + from + " " + to, Short: short,
		Example: "  carryover projects " + name + " ~/work/old ~/work/new", Args: takes(2, 2, from, to),
		RunE: func(cmd *cobra.Command, args []string) error {
			request := view.ProjectChangeRequest{Merge: merge}
			var err error
			if request.From, err = filepath.Abs(args[0]); err != nil {
				return err
			}
			if request.To, err = filepath.Abs(args[1]); err != nil {
				return err
			}
			if err := a.captured(); err != nil {
				return err
			}
			service, done, err := a.writer(cmd.Context())
			if err != nil {
				return err
			}
			defer done()
			project, err := service.ChangeProject(cmd.Context(), request)
			if errors.Is(err, view.ErrNotFound) {
				return coded(exitNothing, "not_found", err, "run `carryover projects` to list them")
			}
			if err != nil {
				return err
			}
			if a.json {
				return a.object(map[string]any{"schema": schema, "project": project})
			}
			a.print("%s is at %s", project.ID, project.Path)
			return nil
		},
	}
}
