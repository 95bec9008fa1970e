package look

import (
	"cmp"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller/render"
)

// sessionList is the JSON of `carryover sessions`.
type sessionList struct {
	Schema int             `json:"schema"`
	Items  []listedSession `json:"items"`
}

// listedSession is a session with what was asked in it and what came of it.
type listedSession struct {
	view.Session
	Task    string `json:"task,omitempty"`
	Outcome string `json:"outcome,omitempty"`
}

// NewSessionsCommand makes `carryover sessions`.
func NewSessionsCommand(a *cli.App) *cobra.Command {
	var directory string
	var all bool
	var limit int
	cmd := &cobra.Command{
		Use:   "sessions",
		Short: "List the sessions of this project, newest first",
		Example: "  carryover sessions\n" +
			"  carryover sessions --all --limit 50",
		Args: cli.TakesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 1 {
				return cli.Usage(cmd, "invalid --limit %d", limit)
			}
			where := ""
			if !all {
				abs, err := filepath.Abs(directory)
				if err != nil {
					return err
				}
				where = abs
			}
			list, err := listSessions(cmd, a, where, limit)
			switch {
			case err != nil:
				return err
			case a.JSON:
				return a.Object(list)
			case len(list.Items) == 0:
				a.Note("no session was captured here: `carryover sessions --all` lists those of all projects")
				return cli.Ended(cli.ExitNothing)
			}
			printSessions(a, list.Items, all)
			return nil
		},
	}
	cmd.Flags().StringVar(&directory, "project", ".", "the project in `DIR`")
	cmd.Flags().BoolVar(&all, "all", false, "list the sessions of all projects")
	cmd.Flags().IntVar(&limit, "limit", 20, "list at most `N` sessions")
	cmd.MarkFlagsMutuallyExclusive("all", "project")
	return cmd
}

// listSessions adds to the sessions what the threads of work know of them.
func listSessions(cmd *cobra.Command, a *cli.App, directory string, limit int) (sessionList, error) {
	list := sessionList{Schema: cli.Schema, Items: []listedSession{}}
	service, _, done, err := a.Asked(cmd.Context())
	if err != nil {
		return list, err
	}
	defer done()
	part, err := service.ListSessions(cmd.Context(), view.SessionListRequest{Directory: directory, Page: view.Page{Limit: limit}})
	if err != nil {
		return list, err
	}
	work, err := service.OpenWork(cmd.Context(), view.OpenWorkRequest{Directory: directory, All: true, Newest: limit})
	if err != nil {
		return list, err
	}
	known := map[view.SessionName]view.ThreadSession{}
	for _, thread := range work.Items {
		for _, session := range thread.Sessions {
			known[view.SessionName{Tool: session.Tool, Session: session.Session}] = session
		}
	}
	for _, session := range part.Items {
		in := known[view.SessionName{Tool: session.Tool, Session: session.Session}]
		list.Items = append(list.Items, listedSession{session, in.Task, in.Outcome})
	}
	return list, nil
}

func printSessions(a *cli.App, list []listedSession, all bool) {
	columns := []cli.Column{{Title: "SESSION"}, {Title: "AGO", Right: true}, {Title: "AGENT"}, {Title: "EVENTS", Right: true, Extra: true}, {Title: "TASK", Fill: true}, {Title: "OUTCOME", Fill: true, Extra: true}}
	if all {
		columns = append(columns, cli.Column{Title: "PROJECT", Fill: true, Tail: true})
	}
	var rows [][]string
	for _, s := range list {
		row := []string{
			render.ShortID(s.Session.Session), cli.Since(s.Last), s.Tool, cli.Number(s.Events),
			cli.OneLine(cmp.Or(s.Title, s.Task, "-"), 200), cmp.Or(s.Outcome, "-"),
		}
		if all {
			row = append(row, cli.HomePath(cmp.Or(s.Worktree, s.Project, s.Cwd)))
		}
		rows = append(rows, row)
	}
	a.PrintTable(columns, rows)
}
