package keep

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// NewForgetCommand makes `carryover forget`.
func NewForgetCommand(a *cli.App) *cobra.Command {
	var request view.ForgetRequest
	var yes bool
	cmd := &cobra.Command{
		Use:   "forget [TEXT]",
		Short: "Permanently delete a text, session or project",
		Long: "Without --yes it only counts. Every occurrence of a text is replaced by \"[forgotten]\", regardless of case. Sessions are deleted as a whole.\n" +
			"Deleted content does not return when its transcript is read again: Carryover keeps keyed hashes of it.\n" +
			"The transcripts of the agents are not changed.",
		Example: "  carryover forget 'Project Nightingale' --yes\n" +
			"  carryover forget --session 5a7c1d00 --yes\n" +
			"  carryover forget --project ~/work/client --yes",
		Args: cli.Takes(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				request.Text = args[0]
			}
			if request.Text == "" && len(request.Sessions) == 0 && request.Project == "" {
				return cli.Usage(cmd, "TEXT, --session or --project is missing")
			}
			request.Preview = !yes
			if request.Project != "" {
				abs, err := filepath.Abs(request.Project)
				if err != nil {
					return err
				}
				request.Project = abs
			}
			if err := a.Captured(); err != nil {
				return err
			}
			service, done, err := a.Writer(cmd.Context())
			if err != nil {
				return err
			}
			defer done()
			result, err := service.Forget(cmd.Context(), request, a.Progress("forgetting", "events"))
			if err != nil {
				return unforgotten(err)
			}
			if a.JSON && yes {
				return a.Object(result)
			}
			if !a.JSON {
				printForgotten(a, request, result)
			}
			if !yes {
				return cli.Usage(cmd, "this cannot be undone: --yes is missing")
			}
			return nil
		},
	}
	cmd.Flags().StringSliceVar(&request.Sessions, "session", nil, "delete the session with this `ID` or prefix")
	cmd.Flags().StringVar(&request.Project, "project", "", "delete every session and named agent of the project in `DIR`")
	cmd.Flags().BoolVar(&yes, "yes", false, "confirm")
	return cmd
}

func unforgotten(err error) error {
	switch {
	case errors.Is(err, view.ErrNotFound):
		return cli.Coded(cli.ExitNothing, "not_found", err, "run `carryover search WORDS` to find a session")
	case errors.Is(err, view.ErrInvalid):
		return cli.Coded(cli.ExitUsage, "invalid", err, "type more of the text")
	}
	return err
}

func printForgotten(a *cli.App, request view.ForgetRequest, done view.ForgetResult) {
	verb := "forgotten"
	if done.Preview {
		verb = "would be forgotten"
	}
	if request.Text != "" {
		a.Print("%s: %s and %s changed", verb, cli.Count(done.Events, "event"), cli.Count(done.Files, "file"))
	} else {
		a.Print("%s: %s with %s", verb, cli.Count(done.Sessions, "session"), cli.Count(done.Events, "event"))
		if done.Files > 0 {
			a.Print("%s of them, and of sessions that continue them", cli.Count(done.Files, "file"))
		}
	}
	if done.Agents > 0 {
		a.Print("%s of named agents", cli.Count(done.Agents, "record"))
	}
	for _, file := range done.Refused {
		a.Note("carryover: warning: %s in %s %s and was not looked through", file.Path, file.Project, file.Reason)
	}
	if len(done.Left) > 0 {
		what, hint := "the text is part of a path of a project or transcript, or of settings,", "run `carryover forget --project DIR --yes` to delete such a project"
		if request.Text == "" {
			what, hint = "the id of a session, and the path of its transcript,", "they keep the transcript from being read again"
		}
		a.Note("carryover: warning: %s stays in %s", what, strings.Join(done.Left, ", "))
		a.Note("carryover: hint: %s", hint)
	}
}
