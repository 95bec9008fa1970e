package agents

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// NewContinuityCommand makes `carryover continuity`.
func NewContinuityCommand(a *cli.App) *cobra.Command {
	cmd := a.Group(&cobra.Command{
		Use: "continuity", Short: "Manage the notes of named agents",
		Long:    "`carryover run` keeps notes for each agent, under its name.",
		Example: "  carryover continuity ledger reviewer",
	})
	cmd.AddCommand(
		newAgentLedgerCommand(a), newAgentHandoffsCommand(a), newAgentSearchCommand(a), newAgentSaveCommand(a),
		newAgentInjectCommand(a), newAgentClearCommand(a), newAgentInstructionsCommand(a),
	)
	return cmd
}

// projectFlag adds --project. Without it the agent's name says which.
func projectFlag(cmd *cobra.Command, project *string) {
	cmd.Flags().StringVar(project, "project", "", "the project in `DIR` (default: the project of the agent)")
}

// agentError gives what was refused its exit code.
func agentError(err error) error {
	var refused *view.Error
	if !errors.As(err, &refused) {
		return err
	}
	exit := map[view.Code]int{view.CodeNotFound: cli.ExitNothing, view.CodeAmbiguous: cli.ExitUsage, view.CodeInvalid: cli.ExitUsage}[refused.Code]
	if exit == 0 {
		exit = cli.ExitFailed
	}
	return cli.Coded(exit, string(refused.Code), err, "%s", cmp.Or(refused.Hint, "run `carryover continuity handoffs NAME` to list them"))
}

func newAgentLedgerCommand(a *cli.App) *cobra.Command {
	var project string
	cmd := &cobra.Command{
		Use: "ledger NAME", Short: "Print the notes of an agent",
		Example: "  carryover continuity ledger reviewer",
		Args:    cli.Takes(1, 1, "NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return cli.Query(a, func(service view.Service) (ledger.AgentLedger, error) {
				notes, err := service.AgentNotes(cmd.Context(), view.AgentRequest{Agent: args[0], Project: project})
				return notes, agentError(err)
			}, func(notes ledger.AgentLedger) { cli.PrintAgentNotes(a, notes) })
		},
	}
	projectFlag(cmd, &project)
	return cmd
}

// handoffsReport is the JSON of continuity handoffs.
type handoffsReport struct {
	Schema int                   `json:"schema"`
	Items  []ledger.AgentHandoff `json:"items"`
}

func newAgentHandoffsCommand(a *cli.App) *cobra.Command {
	var project string
	var limit int
	var archived bool
	cmd := &cobra.Command{
		Use: "handoffs NAME", Short: "List the handoffs of an agent, newest first",
		Example: "  carryover continuity handoffs reviewer",
		Args:    cli.Takes(1, 1, "NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return cli.Query(a, func(service view.Service) (handoffsReport, error) {
				list, err := service.AgentHandoffs(cmd.Context(), view.AgentHandoffListRequest{
					AgentRequest: view.AgentRequest{Agent: args[0], Project: project}, Archived: archived, Page: view.Page{Limit: limit},
				})
				return handoffsReport{Schema: cli.Schema, Items: list.Items}, agentError(err)
			}, func(report handoffsReport) {
				for _, h := range report.Items {
					a.Print("%s  %s  %-19s  %s", h.ID, h.CreatedAt.UTC().Format("2006-01-02 15:04"), h.TriggerReason, h.Summary)
				}
			})
		},
	}
	projectFlag(cmd, &project)
	cmd.Flags().IntVar(&limit, "limit", 20, "print at most `N` handoffs")
	cmd.Flags().BoolVar(&archived, "archived", false, "include archived handoffs")
	return cmd
}

func newAgentSearchCommand(a *cli.App) *cobra.Command {
	var project, agent string
	var limit int
	cmd := &cobra.Command{
		Use: "search QUERY…", Short: "Search the notes, handoffs and learnings of agents",
		Example: "  carryover continuity search rate limiter",
		Args:    cli.Takes(1, cli.Many, "QUERY"),
		RunE: func(cmd *cobra.Command, args []string) error {
			service, done, err := a.Reader()
			if err != nil {
				return err
			}
			defer done()
			found, err := service.SearchAgents(cmd.Context(), view.AgentSearchRequest{
				Query: strings.Join(args, " "), Agent: agent, Project: project, Limit: limit,
			})
			if err != nil {
				return agentError(err)
			}
			if a.JSON {
				err = a.Object(found)
			}
			for _, hit := range found.Hits {
				if !a.JSON {
					a.Print("%-16s  %-8s  %s  %s\n    %s", cli.Minute(hit.Time), hit.Kind, hit.Agent, hit.Handoff, hit.Snippet)
				}
			}
			if err == nil && len(found.Hits) == 0 {
				a.Note("nothing found")
				return cli.Ended(cli.ExitNothing)
			}
			return err
		},
	}
	projectFlag(cmd, &project)
	cmd.Flags().StringVar(&agent, "agent", "", "search only the notes of agent `NAME`")
	cmd.Flags().IntVar(&limit, "limit", 10, "print at most `N` hits")
	return cmd
}

// savedReport is the JSON of continuity save.
type savedReport struct {
	Schema  int    `json:"schema"`
	Status  string `json:"status"` // saved
	Handoff string `json:"handoff,omitempty"`
}

func newAgentSaveCommand(a *cli.App) *cobra.Command {
	var project, reason, file string
	cmd := &cobra.Command{
		Use:   "save NAME",
		Short: "Save the notes of an agent and create a handoff",
		Long:  "With --file, read the fields in the form that an agent prints between <<< and >>>.\nWithout it, create a handoff from the notes that are saved.",
		Example: "  carryover continuity save reviewer --reason \"end of day\"\n" +
			"  echo \"Next steps: run the tests\" | carryover continuity save reviewer --file -",
		Args: cli.Takes(1, 1, "NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := readText(file)
			if err != nil {
				return cli.Hinted(err, "name a readable file, or - for stdin")
			}
			if project == "" {
				project = "."
			}
			message := view.AgentMessage{
				Type: view.MessageSave, AgentName: args[0], Directory: cli.Absolute(project), Content: text, CreateHandoff: true,
				Reason: ledger.TriggerManual, Summary: reason, Started: time.Now().Add(-24 * time.Hour).UnixMilli(),
			}
			answer, err := tell(cmd.Context(), a, message)
			if err != nil {
				return agentError(err)
			}
			if answer.Type == view.Nack {
				return cli.Hinted(fmt.Errorf("save notes: %s", answer.Reason), "see `carryover daemon logs`")
			}
			if a.JSON {
				return a.Object(savedReport{Schema: cli.Schema, Status: "saved", Handoff: answer.HandoffID})
			}
			a.Print("saved, handoff %s", answer.HandoffID)
			return nil
		},
	}
	projectFlag(cmd, &project)
	cmd.Flags().StringVar(&reason, "reason", "", "use `TEXT` as the summary of the handoff")
	cmd.Flags().StringVar(&file, "file", "", "read the fields from `FILE` (- for stdin)")
	return cmd
}

func readText(file string) (string, error) {
	switch file {
	case "":
		return "", nil
	case "-":
		data, err := io.ReadAll(os.Stdin)
		return string(data), err
	}
	data, err := os.ReadFile(file)
	return string(data), err
}

// tell gives a message to the daemon, or to the ledger itself without one.
func tell(ctx context.Context, a *cli.App, message view.AgentMessage) (view.AgentAnswer, error) {
	answer, err := client.New(a.Home).AnswerMessage(ctx, message)
	if errors.Is(err, client.ErrNotRunning) {
		return answerOffline(ctx, a, message)
	}
	return answer, err
}

func newAgentInjectCommand(a *cli.App) *cobra.Command {
	var request view.InjectRequest
	cmd := &cobra.Command{
		Use:     "inject NAME",
		Short:   "Type a handoff into a running agent",
		Long:    "The agent must run under `carryover run`.",
		Example: "  carryover continuity inject reviewer --handoff handoff-1",
		Args:    cli.Takes(1, 1, "NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if request.HandoffID == "" {
				return cli.Usage(cmd, "--handoff is missing")
			}
			request.Agent = args[0]
			if request.Project != "" {
				request.Project = cli.Absolute(request.Project)
			}
			if _, err := client.New(a.Home).Inject(cmd.Context(), request); err != nil {
				return agentError(err)
			}
			return reportDone(a, "handoff sent to "+args[0], "accepted")
		},
	}
	projectFlag(cmd, &request.Project)
	cmd.Flags().StringVar(&request.HandoffID, "handoff", "", "the handoff `ID`, of this agent or another (required)")
	return cmd
}

func newAgentClearCommand(a *cli.App) *cobra.Command {
	var project string
	var sure bool
	cmd := &cobra.Command{
		Use: "clear NAME", Short: "Delete the notes, handoffs and files of an agent",
		Example: "  carryover continuity clear reviewer --yes",
		Args:    cli.Takes(1, 1, "NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !sure {
				return cli.Usage(cmd, "this cannot be undone: --yes is missing")
			}
			if project != "" {
				project = cli.Absolute(project)
			}
			service, done, err := a.Writer(cmd.Context())
			if err != nil {
				return err
			}
			defer done()
			if _, err := service.ClearAgent(cmd.Context(), view.AgentRequest{Agent: args[0], Project: project}); err != nil {
				return agentError(err)
			}
			return reportDone(a, "cleared", "cleared")
		},
	}
	projectFlag(cmd, &project)
	cmd.Flags().BoolVar(&sure, "yes", false, "confirm")
	return cmd
}

// reportDone says that something was done.
func reportDone(a *cli.App, text, status string) error {
	if a.JSON {
		return a.Object(savedReport{Schema: cli.Schema, Status: status})
	}
	a.Print("%s", text)
	return nil
}
