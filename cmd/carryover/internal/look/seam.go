package look

import (
	"errors"
	"strings"
	"unicode/utf8"

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

// seamWidth is the width of one of the two columns, in runes.
const seamWidth = 58

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
	a.Print("%s  %s", padded("kept by the summary"), "lost, then restored")
	for i := range max(len(diff.Kept), len(diff.Lost)) {
		a.Print("%s", strings.TrimRight(padded(seamLine(diff.Kept, i))+"  "+seamLine(diff.Lost, i), " "))
	}
}

func seamLine(items []view.CompactionItem, i int) string {
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
