package look

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller/render"
)

// NewSeamCommand makes `carryover seam`.
func NewSeamCommand(a *cli.App) *cobra.Command {
	var directory string
	cmd := &cobra.Command{
		Use:   "seam [SESSION]",
		Short: "Compare a session before and after its last compaction",
		Example: "  carryover seam\n" +
			"  carryover seam 5a7c1d00",
		Args: cli.Takes(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			service, done, err := a.Reader()
			if err != nil {
				return err
			}
			defer done()
			diff, err := service.CompactionDiff(cmd.Context(), view.SessionSelector{Directory: directory, Session: strings.Join(args, "")})
			switch {
			case errors.Is(err, view.ErrNotFound):
				return cli.Coded(cli.ExitNothing, "not_found", err, "run `carryover handoff --for compaction` to see what a compaction would restore")
			case err != nil:
				return unnamed(err)
			}
			if a.JSON {
				return a.Object(diff)
			}
			printSeam(a, diff)
			return nil
		},
	}
	cmd.Flags().StringVar(&directory, "project", ".", "the project in `DIR`")
	return cmd
}

// besideWidth is from which width on of a terminal what was kept stands beside what
// was lost.
const besideWidth = 100

func printSeam(a *cli.App, diff view.CompactionDiff) {
	by := diff.Trigger
	if by == "" {
		by = "unknown trigger"
	}
	a.Print("%s session %s, compaction %s (%s)", diff.Tool, render.ShortID(diff.Session), cli.Minute(diff.Time), by)
	if !diff.Readable {
		a.Print("the summary cannot be read: everything counts as lost")
	}
	a.Print("")
	if width := cli.ScreenOf().Width; width > 0 && width < besideWidth {
		a.PrintTable([]cli.Column{{Title: "KEPT BY THE SUMMARY", Fill: true}}, oneColumn(diff.Kept))
		a.Print("")
		a.PrintTable([]cli.Column{{Title: "LOST, THEN RESTORED", Fill: true}}, oneColumn(diff.Lost))
		return
	}
	rows := [][]string{}
	if cli.ScreenOf().Width == 0 {
		rows = append(rows, []string{"kept by the summary", "lost, then restored"})
	}
	for i := range max(len(diff.Kept), len(diff.Lost)) {
		rows = append(rows, []string{seamLine(diff.Kept, i), seamLine(diff.Lost, i)})
	}
	a.PrintTable([]cli.Column{{Title: "KEPT BY THE SUMMARY", Fill: true}, {Title: "LOST, THEN RESTORED", Fill: true}}, rows)
}

func oneColumn(items []view.CompactionItem) [][]string {
	var rows [][]string
	for i := range items {
		rows = append(rows, []string{seamLine(items, i)})
	}
	return rows
}

// seamWidth bounds the text of one item where nothing else does, in runes.
const seamWidth = 120

func seamLine(items []view.CompactionItem, i int) string {
	if i >= len(items) {
		return ""
	}
	return cli.OneLine(items[i].Kind+": "+items[i].Text, seamWidth)
}
