package main

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/api"
	"github.com/carryover-go/carryover/modules/daemon/api/client"
)

func (a *app) dismissCommand() *cobra.Command {
	var request api.DismissRequest
	cmd := &cobra.Command{
		Use:     "dismiss [SESSION]",
		Short:   "Stop offering the latest handoff",
		Example: "  carryover dismiss",
		Long: "New sessions start without the handoff until its session continues. Nothing is deleted:\n" +
			"`carryover handoff SESSION` still prints it.",
		Args: takes(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				request.Session = args[0]
			}
			directory, err := filepath.Abs(request.Directory)
			if err != nil {
				return err
			}
			request.Directory = directory
			result, err := a.dismiss(cmd, request)
			if err != nil {
				return undismissed(err, request)
			}
			if a.json {
				return a.object(result)
			}
			a.print("dismissed the handoff of %s session %s", result.Session.Tool, result.Session.Session)
			return nil
		},
	}
	cmd.Flags().StringVar(&request.Directory, "project", ".", "the project in `DIR`")
	return cmd
}

// dismiss writes itself, or asks the daemon that holds the ledger.
func (a *app) dismiss(cmd *cobra.Command, request api.DismissRequest) (daemon.Dismissal, error) {
	if err := a.captured(); err != nil {
		return daemon.Dismissal{}, err
	}
	return write(a, func(p *daemon.Pipeline) (daemon.Dismissal, error) {
		return p.Dismiss(cmd.Context(), request.Directory, request.Session)
	}, func(c *client.Client, into *daemon.Dismissal) error { return c.Dismiss(cmd.Context(), request, into) })
}

// undismissed says what to do about a session that was not found, by this
// command or by the daemon.
func undismissed(err error, request api.DismissRequest) error {
	missing, ambiguous := absent(err)
	switch {
	case ambiguous:
		return coded(exitUsage, "ambiguous", err, "type more characters of the id")
	case missing && request.Session != "":
		return coded(exitNothing, "not_found", err, "run `carryover search WORDS` to find a session")
	case missing:
		return coded(exitNothing, "not_found", err, "change to the project folder, or name it with --project")
	}
	return err
}
