package agents

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/cmd/carryover/internal/finder"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller/render"
)

// opening is what `carryover open` is told.
type opening struct {
	thread string
	tool   string
	exec   bool
	all    bool
	mark   string
	to     string
}

// NewOpenCommand makes `carryover open`.
func NewOpenCommand(a *cli.App) *cobra.Command {
	var o opening
	cmd := &cobra.Command{
		Use:   "open [THREAD]",
		Short: "Pick a thread of work and start the agent there",
		Long: "A thread is a chain of sessions that worked on one thing, in any agent. Name it by one of its\n" +
			"sessions. Without THREAD, pick one on the terminal; elsewhere, list them.\n" +
			"With THREAD, print the command to run, as `carryover switch` does; with --exec, run it.",
		Example: "  carryover open\n" +
			"  carryover open 5a7c1d00 --exec\n" +
			"  carryover open 5a7c1d00 --mark done\n" +
			"  carryover open 5a7c1d00 --mark split",
		Args: cli.Takes(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.thread = args[0]
			}
			if err := a.KnownTool("tool", o.tool); err != nil {
				return err
			}
			switch {
			case o.mark != "":
				return markThread(cmd.Context(), a, view.MarkThreadRequest{Session: o.thread, Mark: o.mark, To: o.to})
			case o.thread != "":
				return openThread(cmd.Context(), a, o)
			}
			return pickThread(cmd.Context(), a, o)
		},
	}
	cmd.Flags().StringVar(&o.tool, "tool", "", "open `TOOL` instead of the agent that worked there last")
	cmd.Flags().BoolVar(&o.exec, "exec", false, "run the command")
	cmd.Flags().BoolVar(&o.all, "all", false, "also list threads that are done, dropped or reverted")
	cmd.Flags().StringVar(&o.mark, "mark", "", "say how the thread stands as `MARK` (done, drop, split, join, unmark)")
	cmd.Flags().StringVar(&o.to, "to", "", "with --mark join, a session of the other thread as `SESSION`")
	return cmd
}

// markThread keeps what the user says of a thread.
func markThread(ctx context.Context, a *cli.App, request view.MarkThreadRequest) error {
	if err := request.Complete(); err != nil {
		return cli.Coded(cli.ExitUsage, "usage", err, "run `carryover open` to list the threads")
	}
	if err := a.Captured(); err != nil {
		return err
	}
	service, done, err := a.Writer(ctx)
	if err != nil {
		return err
	}
	defer done()
	result, err := service.MarkThread(ctx, request)
	switch {
	case err != nil:
		return err
	case a.JSON:
		return a.Object(map[string]any{"schema": cli.Schema, "status": result.Status})
	}
	a.Print("%s: %s; take it back with `carryover open %s --mark unmark`", request.Session, request.Mark, request.Session)
	return nil
}

// coldSessions is how many sessions are looked at while no daemon has their outlines
// in memory.
const coldSessions = 30

// readThreads asks for the threads of work.
func readThreads(ctx context.Context, a *cli.App, all bool) (view.OpenWork, error) {
	service, warm, done, err := a.Asked(ctx)
	if err != nil {
		return view.OpenWork{}, err
	}
	defer done()
	request := view.OpenWorkRequest{All: all}
	if !warm {
		request.Newest = coldSessions
	}
	return service.OpenWork(ctx, request)
}

// pickThread lets a person choose on a terminal, and opens what was chosen. Elsewhere it
// lists the threads.
func pickThread(ctx context.Context, a *cli.App, o opening) error {
	work, err := readThreads(ctx, a, o.all)
	switch {
	case err != nil:
		return err
	case a.JSON:
		return a.Object(work)
	case len(work.Items) == 0:
		a.Print("no thread of work is open")
		return nil
	case !term.IsTerminal(int(os.Stdin.Fd())) || !term.IsTerminal(int(os.Stdout.Fd())):
		printThreads(a, work.Items)
		return nil
	}
	pick := finder.Finder{
		UTF8: cli.UTF8Terminal(), Lists: true, In: os.Stdin, Out: os.Stdout,
		Search: func(_ context.Context, query string, _ []finder.Filter) (finder.Found, error) {
			return foundThreads(matching(work.Items, query)), nil
		},
	}
	chosen, err := pick.Run(ctx)
	if errors.Is(err, finder.ErrStopped) {
		return nil
	}
	if err != nil {
		return err
	}
	o.thread, o.exec = matching(work.Items, pick.Query)[chosen].Session, true
	return openThread(ctx, a, o)
}

// matching are the threads that have all words of a query.
func matching(list []view.Thread, query string) []view.Thread {
	words := strings.Fields(strings.ToLower(query))
	return slices.DeleteFunc(slices.Clone(list), func(t view.Thread) bool {
		text := strings.ToLower(strings.Join([]string{t.Session, t.State, t.Directory, t.Project, t.Tool, t.Task, t.Next}, " "))
		return slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
	})
}

func foundThreads(list []view.Thread) finder.Found {
	found := finder.Found{Note: "enter starts the agent there"}
	for _, t := range list {
		found.Hits = append(found.Hits, finder.Hit{Head: cli.ShortPath(cmp.Or(t.Directory, t.Project, "no project"), 30) + " " + t.Tool + " " + cli.Since(t.Last) + " " + t.State, Text: cli.OneLine(t.Task, 160), Copy: t.Session})
	}
	return found
}

// printThreads lists threads of work, a row each.
func printThreads(a *cli.App, list []view.Thread) {
	rows := make([][]string, len(list))
	for i, t := range list {
		rows[i] = []string{
			render.ShortID(t.Session), t.State, cli.ShortPath(cmp.Or(t.Directory, t.Project, "no project"), 30), t.Tool, cli.Since(t.Last), cli.OneLine(t.Task, 80),
		}
	}
	a.PrintTable([]cli.Column{
		{Title: "SESSION"}, {Title: "STATE"}, {Title: "PROJECT", Tail: true, Fill: true}, {Title: "AGENT", Extra: true}, {Title: "AGO", Right: true}, {Title: "TASK", Fill: true},
	}, rows)
}

// openThread prints the command that goes on with a thread, or runs it.
func openThread(ctx context.Context, a *cli.App, o opening) error {
	session, tool, err := newestOf(ctx, a, o)
	if err != nil {
		return err
	}
	started, err := prepareSwitch(ctx, a, view.SwitchRequest{Directory: ".", Session: session, Tool: tool})
	switch {
	case err != nil:
		return err
	case o.exec:
		return runAgent(started)
	case a.JSON:
		return a.Object(started)
	}
	a.Copied("%s", shellLine(started))
	return nil
}

// newestOf is the session that worked last on the thread that one of its sessions
// names, and the tool to open: that of the session unless another one is named.
func newestOf(ctx context.Context, a *cli.App, o opening) (session, tool string, err error) {
	work, err := readThreads(ctx, a, true)
	if err != nil {
		return "", "", err
	}
	for _, t := range work.Items {
		for _, one := range t.Sessions {
			if strings.HasPrefix(one.Session, o.thread) {
				return t.Session, cmp.Or(o.tool, t.Tool), nil
			}
		}
	}
	return "", "", cli.Coded(cli.ExitNothing, "not_found", fmt.Errorf("no thread has a session %s", o.thread), "run `carryover open --all` to list them")
}
