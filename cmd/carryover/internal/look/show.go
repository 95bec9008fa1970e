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

// showFilter says which of a session's events are printed.
type showFilter struct {
	turn int    // only this turn, counted from 1; 0 for all
	kind string // only events of this kind
	last bool   // only the last turn
}

// NewShowCommand makes `carryover show`.
func NewShowCommand(a *cli.App) *cobra.Command {
	var filter showFilter
	cmd := &cobra.Command{
		Use:   "show SESSION[:LINE]",
		Short: "Print a session or one line of its transcript",
		Long: "SESSION is the id of a session or its prefix. With LINE, as printed by `carryover search` and\n`carryover handoff --explain`, print the events of that line in full.\n" +
			"A turn begins with a prompt of yours.",
		Example: "  carryover show 5a7c1d00\n" +
			"  carryover show 5a7c1d00:142\n" +
			"  carryover show --last --kind call 5a7c1d00",
		Args: cli.Takes(1, 1, "SESSION"),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, line, err := reference(args[0])
			if err != nil {
				return err
			}
			if err := filter.check(cmd, line); err != nil {
				return err
			}
			ask := func(service view.Service) (view.SessionDetail, error) {
				shown, err := service.ShowSession(cmd.Context(), view.SessionRequest{Session: id, Line: line})
				shown.Events = filter.of(shown.Events)
				return shown, err
			}
			err = cli.Query(a, ask, func(shown view.SessionDetail) {
				printSession(a, shown, line > 0)
			})
			return unnamed(err)
		},
	}
	cmd.Flags().IntVar(&filter.turn, "turn", 0, "print only turn `N`, from 1")
	cmd.Flags().StringVar(&filter.kind, "kind", "", "print only events of `KIND` ("+strings.Join(shownKinds[1:], ", ")+")")
	cmd.Flags().BoolVar(&filter.last, "last", false, "print only the last turn")
	return cmd
}

// shownKinds are what --kind takes.
var shownKinds = []string{
	"", "prompt", "reply", "call", "result", "question", "decision", "plan", "todo", "goal", "title", "git", "compaction", "usage",
}

func (f showFilter) check(cmd *cobra.Command, line int64) error {
	switch {
	case f.turn < 0 || cmd.Flags().Changed("turn") && f.turn == 0:
		return cli.Usage(cmd, "invalid --turn %d", f.turn)
	case f.turn > 0 && f.last:
		return cli.Usage(cmd, "--turn and --last exclude each other")
	case line > 0 && (f.turn > 0 || f.last):
		return cli.Usage(cmd, "a line and a turn exclude each other")
	}
	return cli.OneOf("kind", f.kind, shownKinds...)
}

// of are the events that pass. What precedes the first prompt is in turn 0.
func (f showFilter) of(events []view.Event) []view.Event {
	turns, want := 0, f.turn
	if f.last {
		for _, event := range events {
			if beginsTurn(event) {
				want++
			}
		}
	}
	passed := []view.Event{}
	for _, event := range events {
		if beginsTurn(event) {
			turns++
		}
		if (want == 0 || turns == want) && (f.kind == "" || string(event.Kind) == f.kind) {
			passed = append(passed, event)
		}
	}
	return passed
}

// beginsTurn says whether an event is a prompt of the user.
func beginsTurn(event view.Event) bool {
	return event.Kind == transcript.Prompt && !event.Subagent && (event.Origin == transcript.Typed || event.Origin == "")
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
		{"title", s.Title}, {"project", cli.HomePath(s.Project)}, {"branch", s.Branch}, {"version", s.Version}, {"transcript", cli.HomePath(s.Path)},
	} {
		if field[1] != "" {
			a.Print("  %-10s %s", field[0], field[1])
		}
	}
	if s.First != "" {
		a.Print("  %-10s %s to %s", "time", cli.Minute(s.First), cli.Minute(s.Last))
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
		call := strings.Join(strings.Fields(strings.Join([]string{event.Call.Name, event.Call.Command, strings.Join(event.Call.Paths, " ")}, " ")), " ")
		if event.Call.Detail == "" {
			return call
		}
		return call + " · " + strings.Join(strings.Fields(event.Call.Detail), " ")
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
