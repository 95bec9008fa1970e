package main

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/distiller/render"
)

func (a *app) seamCommand() *cobra.Command {
	var directory string
	cmd := &cobra.Command{
		Use:   "seam [SESSION]",
		Short: "Compare a session before and after its last compaction",
		Example: "  carryover seam\n" +
			"  carryover seam 5a7c1d00",
		Args: takes(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.reading(func(pipeline *daemon.Pipeline) error {
				view, err := pipeline.SeamOf(cmd.Context(), directory, strings.Join(args, ""))
				switch {
				case errors.Is(err, daemon.ErrNothing):
					return coded(exitNothing, "not_found", err, "run `carryover handoff --for compaction` to see what a compaction would restore")
				case err != nil:
					return unnamed(err)
				}
				if a.json {
					return a.object(view)
				}
				a.printSeam(view)
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&directory, "project", ".", "the project in `DIR`")
	return cmd
}

// seamWidth is the width of one of the two columns, in runes.
const seamWidth = 58

func (a *app) printSeam(view daemon.SeamView) {
	by := view.Trigger
	if by == "" {
		by = "unknown trigger"
	}
	a.print("%s session %s, compaction %s (%s)", view.Tool, render.ShortID(view.Session), minute(view.Time), by)
	if !view.Readable {
		a.print("the summary cannot be read: everything counts as lost")
	}
	a.print("")
	a.print("%s  %s", padded("kept by the summary"), "lost, then restored")
	for i := range max(len(view.Kept), len(view.Lost)) {
		a.print("%s", strings.TrimRight(padded(seamLine(view.Kept, i))+"  "+seamLine(view.Lost, i), " "))
	}
}

func seamLine(items []daemon.SeamItem, i int) string {
	if i >= len(items) {
		return ""
	}
	text := []rune(items[i].Kind + ": " + strings.Join(strings.Fields(items[i].Text), " "))
	if len(text) > seamWidth {
		text = append(text[:seamWidth-1], '…')
	}
	return string(text)
}

// padded is a text as wide as its column.
func padded(text string) string {
	return text + strings.Repeat(" ", max(0, seamWidth-utf8.RuneCountInString(text)))
}
