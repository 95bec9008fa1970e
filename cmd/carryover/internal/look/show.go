package look

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// NewShowCommand makes `carryover show`.
func NewShowCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "show SESSION[:LINE]",
		Short: "Print a session or one line of its transcript",
		Long:  "SESSION is the id of a session or its prefix. With LINE, as printed by `carryover search` and\n`carryover handoff --explain`, print the events of that line in full.",
		Example: "  carryover show 5a7c1d00\n" +
			"  carryover show 5a7c1d00:142",
		Args: cli.Takes(1, 1, "SESSION"),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, line, err := reference(args[0])
			if err != nil {
				return err
			}
			service, done, err := a.Reader()
			if err != nil {
				return err
			}
			defer done()
			shown, err := service.ShowSession(cmd.Context(), view.SessionRequest{Session: id, Line: line})
			if err != nil {
				return unnamed(err)
			}
			if a.JSON {
				return a.Object(shown)
			}
			printSession(a, shown, line > 0)
			return nil
		},
	}
}

func reference(text string) (id string, line int64, err error) {
	id, number, found := strings.Cut(text, ":")
	if found {
		line, err = strconv.ParseInt(number, 10, 64)
		if err != nil || line < 1 {
			return "", 0, cli.Coded(cli.ExitUsage, "usage", fmt.Errorf("invalid line number %q", number), "use SESSION:LINE, for example %s:12", id)
		}
	}
	return id, line, nil
}

func printSession(a *cli.App, shown view.SessionDetail, full bool) {
	s := shown.Session
	a.Print("%s session %s", s.Tool, s.Session)
	for _, field := range [][2]string{
		{"title", s.Title}, {"project", s.Project}, {"branch", s.Branch}, {"version", s.Version}, {"transcript", s.Path},
	} {
		if field[1] != "" {
			a.Print("  %-10s %s", field[0], field[1])
		}
	}
	if s.First != "" {
		a.Print("  %-10s %s to %s UTC", "time", cli.Minute(s.First), cli.Minute(s.Last))
	}
	for _, restore := range shown.Restores {
		a.Print("  %-10s %s at %s: %s", "restore", restore.Decision, restore.Source, restore.Reason)
	}
	a.Print("")
	for _, event := range shown.Events {
		printEvent(a, event, full)
	}
}

func printEvent(a *cli.App, event view.Event, full bool) {
	text := describe(event.Event)
	if text == "" {
		return
	}
	if !full {
		text = cli.OneLine(text, 160)
	}
	a.Print("%6d  %-10s %s", event.Source.Line, event.Kind, text)
}

// describe is what a person wants to see of an event.
func describe(event transcript.Event) string {
	switch {
	case event.Call != nil:
		parts := []string{event.Call.Name, event.Call.Command, strings.Join(event.Call.Paths, " "), event.Call.Detail}
		return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
	case event.Result != nil:
		state := "ok"
		if event.Result.Failed {
			state = "failed"
		}
		if event.Result.Outcome != "" {
			state = string(event.Result.Outcome)
		}
		return state + ": " + event.Result.Text
	case event.Decision != nil:
		return decided(*event.Decision)
	case len(event.Items) > 0:
		var items []string
		for _, item := range event.Items {
			items = append(items, item.State+": "+item.Text)
		}
		return strings.Join(items, "; ")
	case event.Kind == transcript.UsageRead || event.Kind == transcript.Session:
		return ""
	}
	return event.Text
}

// decided is a question, or what it was about, and the choice.
func decided(d transcript.Decision) string {
	what := d.Question
	if what == "" {
		what = d.Topic
	}
	if len(d.Chosen) == 0 {
		return what
	}
	return what + " → " + strings.Join(d.Chosen, ", ")
}

// unnamed says what to do about a session that was not found.
func unnamed(err error) error {
	switch {
	case errors.Is(err, view.ErrInvalid):
		return cli.Coded(cli.ExitUsage, "ambiguous", err, "type more characters of the id")
	case errors.Is(err, view.ErrNotFound):
		return cli.Coded(cli.ExitNothing, "not_found", err, "run `carryover search WORDS` to find a session")
	}
	return err
}
