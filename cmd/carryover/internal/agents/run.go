package agents

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/terminal"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/daemon/wrap"
	"github.com/carryover-go/carryover/modules/ledger"
)

// NewRunCommand makes `carryover run`.
func NewRunCommand(a *cli.App) *cobra.Command {
	var name, restart string
	cmd := &cobra.Command{
		Use:   "run [flags] -- CMD…",
		Short: "Run any agent with saved notes and handoffs",
		Long: "CMD runs as it does without Carryover: size, keys and signals pass through. Lines it prints as\n" +
			"`->continuity:…` are read as commands (see `carryover continuity instructions`). The state is saved\n" +
			"when CMD ends and is passed to the next run with that name.\n\n" +
			"The exit code is that of CMD, 125 if Carryover failed, and 126 or 127 if CMD cannot be run.",
		Example: "  carryover run -- claude\n" +
			"  carryover run --name reviewer --restart on-crash -- ./agent.sh --fast",
		Args: cli.Takes(1, cli.Many, "CMD"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.OneOf("restart", restart, string(wrap.OnCrash), string(wrap.OnLimit), string(wrap.Never)); err != nil {
				return err
			}
			if name == "" {
				name = nameOf(args[0])
			}
			if !ledger.ValidAgent(name) {
				return cli.Usage(cmd, "invalid --name %q: use at most 64 letters, digits, dots, dashes and underscores", name)
			}
			return runWrapped(cmd.Context(), a, name, wrap.Restart(restart), args)
		},
	}
	cmd.Flags().SetInterspersed(false) // what follows CMD is CMD's
	cmd.Flags().StringVar(&name, "name", "", "keep the state under `NAME` (default: the name of the program)")
	cmd.Flags().StringVar(&restart, "restart", string(wrap.Never), "restart CMD `WHEN` (on-crash, on-limit: the context is full, never)")
	return cmd
}

// nameOf makes an agent's name of a program's.
func nameOf(program string) string {
	name := regexp.MustCompile(`[^A-Za-z0-9._-]+`).ReplaceAllString(filepath.Base(program), "-")
	return name[:min(len(name), 64)]
}

func runWrapped(ctx context.Context, a *cli.App, name string, restart wrap.Restart, args []string) error {
	signal.Reset(syscall.SIGPIPE) // an agent whose screen is gone is ended with it
	directory, err := os.Getwd()
	if err != nil {
		return cli.Coded(cli.ExitOwn, "failed", err, "change to an existing folder")
	}
	wrapper := &wrap.Wrapper{
		Name: name, Directory: directory, Restart: restart, Unattended: unattended(), Full: a.Table().FullTexts(),
		Options: terminal.Options{Args: args, In: os.Stdin, Out: os.Stdout, Err: os.Stderr},
		Spool:   continuity.SpoolOf(a.Home), Daemon: client.New(a.Home), Warn: a.Warn,
		Offline: func(ctx context.Context, message view.AgentMessage) (view.AgentAnswer, error) {
			return answerOffline(ctx, a, message)
		},
	}
	if _, ok := gitrepo.Identity(directory); !ok {
		wrapper.Nowhere = true
		a.Note("carryover: warning: %s is not a project: the state of this run is neither loaded nor saved", directory)
	}
	exit, err := wrapper.Run(context.WithoutCancel(ctx)) // an interrupt is the program's affair
	if err != nil {
		return notRun(args[0], err)
	}
	if exit.Status != 0 {
		return cli.Ended(exit.Status)
	}
	return nil
}

// unattended says that no person sits before the program: it runs in a job, or another
// agent's harness says so, or the terminal has no size.
func unattended() bool {
	if os.Getenv("CI") != "" || os.Getenv("CLAUDE_CODE_SESSION_ATTENDED") == "0" {
		return true
	}
	width, height, err := term.GetSize(int(os.Stdout.Fd()))
	return err == nil && (width == 0 || height == 0)
}

// answerOffline does what a wrapper asks for while no daemon runs, after what
// was left for it before.
func answerOffline(ctx context.Context, a *cli.App, message view.AgentMessage) (view.AgentAnswer, error) {
	quietly := func(error) {}
	services, err := daemon.OpenReadWrite(a.Home, quietly)
	if errors.Is(err, ledger.ErrLocked) && message.Type != view.MessageSave {
		services, err = daemon.OpenReadOnly(a.Home, quietly)
	}
	if errors.Is(err, ledger.ErrLocked) {
		return view.AgentAnswer{}, client.ErrNotRunning // somebody will be there soon
	}
	if err != nil {
		return view.AgentAnswer{}, fmt.Errorf("answer %s: %w", message.Type, err)
	}
	defer func() { _ = services.Store.Close() }()
	if message.Type == view.MessageLoad {
		_ = services.DrainAgents(ctx) // what cannot be kept stays where it is
	}
	return services.AnswerMessage(ctx, message)
}
