package look

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller/render"
)

// shapeFlags are common to the commands that print a handoff.
type shapeFlags struct {
	mode, shape string
	explain     bool
}

func (f *shapeFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.mode, "mode", "", "`MODE` of the header ("+strings.Join(config.OneOf("resume"), ", ")+"; default: as configured)")
	cmd.Flags().StringVar(&f.shape, "for", "agent", "write the handoff for `WHO` (self, compaction, agent, human)")
	cmd.Flags().BoolVar(&f.explain, "explain", false, "add tool, session and line to every line")
}

func (f *shapeFlags) check() error {
	if err := cli.OneOf("mode", f.mode, "", "ask", "brief", "silent"); err != nil {
		return err
	}
	return cli.OneOf("for", f.shape, "self", "compaction", "agent", "human")
}

func (f *shapeFlags) options() render.Options {
	return render.Options{Mode: render.Mode(f.mode), Shape: render.Shape(f.shape), Explain: f.explain}
}

// NewDistillCommand makes `carryover distill`.
func NewDistillCommand(a *cli.App) *cobra.Command {
	var flags shapeFlags
	var tool string
	var untilLine int64
	var last bool
	cmd := &cobra.Command{
		Use:   "distill [FILE]",
		Short: "Print the handoff of a transcript file",
		Long:  "Needs neither an install nor the daemon. --last reads the transcript of any agent that was\nwritten last on this machine.",
		Example: "  carryover distill ~/.claude/projects/-home-me-shop/5a7c….jsonl\n" +
			"  carryover distill --last\n" +
			"  carryover distill --for human --explain rollout-….jsonl",
		Args: cli.Takes(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := flags.check(); err != nil {
				return err
			}
			if err := a.KnownTool("tool", tool); err != nil {
				return err
			}
			if untilLine < 0 {
				return cli.Usage(cmd, "invalid --until-line %d", untilLine)
			}
			if last == (len(args) == 1) {
				return cli.Usage(cmd, "name a FILE, or use --last")
			}
			services, path := daemon.WithoutLedger(a.Home, a.Warn), strings.Join(args, "")
			if last {
				var err error
				if tool, path, err = services.LatestTranscript(cmd.Context()); err != nil {
					return unread(err, path, tool)
				}
			}
			file, err := services.DistilFile(path, tool, untilLine)
			if err != nil {
				return unread(err, path, tool)
			}
			if file.NoPrompt {
				a.Note("carryover: warning: no prompt found in %s, read as a transcript of %s; if another agent wrote it, name it with --tool", path, file.Tool)
			}
			if a.JSON {
				return a.Object(daemon.DocumentOf(file, flags.options()))
			}
			_, err = a.Out.Write([]byte(render.Handoff(file.Facts, flags.options())))
			return err
		},
	}
	flags.add(cmd)
	cmd.Flags().StringVar(&tool, "tool", "", "the `TOOL` of the transcript (default: detect it)")
	cmd.Flags().BoolVar(&last, "last", false, "read the transcript that was written last on this machine")
	cmd.MarkFlagsMutuallyExclusive("last", "tool")
	cmd.Flags().Int64Var(&untilLine, "until-line", 0, "read only the first `N` lines")
	return cmd
}

// unread says what to do about a file that gave no handoff.
func unread(err error, path, tool string) error {
	switch {
	case errors.Is(err, view.ErrInvalid):
		return cli.Coded(cli.ExitUsage, "usage", err, "run `carryover import --root %s` to read all transcripts in a folder", path)
	case errors.Is(err, view.ErrNotFound):
		return cli.Coded(cli.ExitNothing, "not_found", err, "send the agent a prompt first: it writes its transcript then")
	case errors.Is(err, fs.ErrNotExist):
		return cli.Coded(cli.ExitFailed, "not_found", err, "run `carryover import` to find the transcripts of your agents")
	case errors.Is(err, daemon.ErrForeign) && tool != "":
		return cli.Hinted(err, "omit --tool to detect it")
	case errors.Is(err, daemon.ErrForeign):
		return cli.Hinted(err, "if it is a transcript, name its tool with --tool")
	}
	return err
}
