package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func (a *app) showCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "show SESSION[:LINE]",
		Short: "Print a session, or what stands at one line of its transcript",
		Long:  "SESSION is a session's id or its beginning. With a line, as `carryover handoff --explain` and\n`carryover search` name it, only the events of that line are shown, in full.",
		Args:  usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, line, err := reference(args[0])
			if err != nil {
				return err
			}
			pipeline, err := daemon.Reading(a.home, a.warn)
			if err != nil {
				return err
			}
			defer func() { _ = pipeline.Log.Close() }()
			shown, err := pipeline.Show(cmd.Context(), id, line)
			if err != nil {
				return err
			}
			if a.json {
				return a.object(shown)
			}
			a.printSession(shown, line > 0)
			return nil
		},
	}
}

func reference(text string) (id string, line int64, err error) {
	id, number, found := strings.Cut(text, ":")
	if found {
		line, err = strconv.ParseInt(number, 10, 64)
		if err != nil || line < 1 {
			return "", 0, coded(exitUsage, "usage", fmt.Errorf("%q is no line number", number), "use SESSION:LINE, for example %s:12", id)
		}
	}
	return id, line, nil
}

func (a *app) printSession(shown daemon.Shown, full bool) {
	s := shown.Session
	a.print("%s session %s", s.Tool, s.ID)
	for _, field := range [][2]string{
		{"title", s.Title}, {"project", s.Project.Path}, {"branch", s.Branch}, {"version", s.Version}, {"transcript", s.Path},
	} {
		if field[1] != "" {
			a.print("  %-10s %s", field[0], field[1])
		}
	}
	if !s.First.IsZero() {
		a.print("  %-10s %s to %s", "time", s.First.UTC().Format("2006-01-02 15:04"), s.Last.UTC().Format("2006-01-02 15:04"))
	}
	for _, restore := range shown.Restores {
		a.print("  %-10s %s at %s: %s", "restore", restore.Decision, restore.Source, restore.Reason)
	}
	a.print("")
	for _, event := range shown.Events {
		a.printEvent(event, full)
	}
}

func (a *app) printEvent(event transcript.Located, full bool) {
	text := describe(event.Event)
	if text == "" {
		return
	}
	if !full {
		text = oneLine(text, 160)
	}
	a.print("%6d  %-10s %s", event.Ref.Line, event.Kind, text)
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
		return strings.TrimSpace(event.Decision.Question+event.Decision.Topic) + " → " + strings.Join(event.Decision.Chosen, ", ")
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

func oneLine(text string, width int) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > width {
		return string(runes[:width]) + "…"
	}
	return text
}
