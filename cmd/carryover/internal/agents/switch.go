package agents

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// NewSwitchCommand makes `carryover switch`.
func NewSwitchCommand(a *cli.App) *cobra.Command {
	var directory string
	var run bool
	cmd := &cobra.Command{
		Use:   "switch TOOL",
		Short: "Open another agent with the handoff of this project",
		Long: "Print the command to run. With --exec, run it: the exit code is that of the agent, 125 if\n" +
			"Carryover failed, and 126 or 127 if the agent cannot be run.",
		Example: "  carryover switch codex\n" +
			"  carryover switch claude-code --exec",
		Args: cli.Takes(1, 1, "TOOL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.KnownTool("tool", args[0]); err != nil {
				return cli.Coded(cli.ExitUsage, "usage", fmt.Errorf("unknown tool %q", args[0]), "run `carryover toolspecs list` to list them")
			}
			opening, err := prepareSwitch(cmd.Context(), a, view.SwitchRequest{Directory: directory, Tool: args[0]})
			switch {
			case err != nil && run:
				return cli.Coded(cli.ExitOwn, "failed", err, "run `carryover switch %s` to print the command instead", args[0])
			case err != nil:
				return err
			case run:
				return runAgent(opening)
			case a.JSON:
				return a.Object(opening)
			}
			a.Copied("%s", shellLine(opening))
			return nil
		},
	}
	cmd.Flags().StringVar(&directory, "project", ".", "the project in `DIR`")
	cmd.Flags().BoolVar(&run, "exec", false, "run the command")
	return cmd
}

func prepareSwitch(ctx context.Context, a *cli.App, request view.SwitchRequest) (view.SwitchCommand, error) {
	service, done, err := a.Reader()
	if err != nil {
		return view.SwitchCommand{}, err
	}
	defer done()
	opening, err := service.PrepareSwitch(ctx, request)
	if errors.Is(err, view.ErrInvalid) {
		return opening, cli.Coded(cli.ExitUsage, "usage", err, "open the agent yourself: when connected, it reads .carryover/handoff.md")
	}
	return opening, err
}

// shellLine is the command a person would type for it in a shell. The handoff
// is asked of `carryover` there, for it is long.
func shellLine(o view.SwitchCommand) string {
	words := make([]string, 0, len(o.Env)+len(o.Argv))
	words = append(words, o.Env...)
	for _, arg := range o.Argv {
		if transcript.Ours(arg) {
			words = append(words, fmt.Sprintf(`"$(carryover handoff %s)"`, o.From.Session))
			continue
		}
		words = append(words, cli.ShellWord(arg))
	}
	return "cd " + cli.ShellWord(o.Directory) + " && " + strings.Join(words, " ")
}

// runAgent runs an agent on this terminal and ends as it did. What the keyboard
// sends is the agent's: it decides when it ends.
func runAgent(o view.SwitchCommand) error {
	path, err := exec.LookPath(o.Argv[0])
	if err != nil {
		return notRun(o.Argv[0], err)
	}
	agent := exec.Command(path, o.Argv[1:]...)
	agent.Dir, agent.Env = o.Directory, append(os.Environ(), o.Env...)
	agent.Stdin, agent.Stdout, agent.Stderr = os.Stdin, os.Stdout, os.Stderr
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	defer signal.Stop(signals)
	err = agent.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &exit):
		return cli.Ended(exitStatus(exit.ProcessState))
	}
	return notRun(o.Argv[0], err)
}

// notRun is the error of a program that could not be started.
func notRun(name string, err error) error {
	if (errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist)) && !liesOnPath(name) {
		return cli.Coded(cli.ExitNoProgram, "not_found", fmt.Errorf("%s is not on the PATH", name), "install it, or name another agent")
	}
	return cli.Coded(cli.ExitNotRun, "failed", fmt.Errorf("run %s: %w", name, err), "check that you may run it")
}

// liesOnPath says whether there is such a file at all: a shell tells one that
// may not be run from none.
func liesOnPath(name string) bool {
	return slices.ContainsFunc(filepath.SplitList(os.Getenv("PATH")), func(dir string) bool {
		info, err := os.Stat(filepath.Join(dir, name))
		return err == nil && !info.IsDir()
	})
}

// exitStatus is a child's code, 128 and the signal's number when one ended it.
func exitStatus(state *os.ProcessState) int {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return state.ExitCode()
}
