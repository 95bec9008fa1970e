package look

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller/render"
)

// shownThreads is how many threads of a state the home screen shows, and coldSessions
// how many sessions are looked at while no daemon has their outlines in memory.
const (
	shownThreads = 6
	coldSessions = 30
)

// homeReport is the JSON of `carryover` alone.
type homeReport struct {
	Schema   int       `json:"schema"`
	Daemon   bool      `json:"daemon"`
	Agents   []string  `json:"agents"` // that are connected
	Sessions int       `json:"sessions"`
	Here     *openWork `json:"here,omitempty"`
	// Threads are the threads of work that are not closed, over all projects.
	Threads []view.Thread  `json:"threads"`
	Counts  map[string]int `json:"counts,omitempty"` // threads of each state
}

// openWork is what was done last in one worktree.
type openWork struct {
	Directory string `json:"directory"`
	Tool      string `json:"tool"`
	Session   string `json:"session"`
	Updated   string `json:"updated,omitempty"`
	Turn      string `json:"turn,omitempty"`
	Task      string `json:"task,omitempty"`
	Next      string `json:"next,omitempty"`
}

// Home is `carryover` without a command: what runs, what is open, where to go on. With
// a moment it is the report of the work since.
func Home(a *cli.App, cmd *cobra.Command, since string) error {
	if since != "" {
		return printReport(a, cmd, since)
	}
	report, err := readHome(cmd.Context(), a)
	if err != nil {
		return err
	}
	if a.JSON {
		return a.Object(report)
	}
	printHome(a, report)
	return nil
}

func readHome(ctx context.Context, a *cli.App) (homeReport, error) {
	report := homeReport{Schema: cli.Schema, Agents: []string{}, Threads: []view.Thread{}}
	service, done, err := a.Reader()
	switch {
	case errors.Is(err, view.ErrNoLedger):
		service = daemon.WithoutLedger(a.Home, a.Warn)
	case err != nil:
		return report, err
	}
	defer done()
	status, err := service.Status(ctx)
	if err != nil {
		return report, err
	}
	addRunning(ctx, a, &status)
	report.Daemon, report.Sessions = status.Daemon != nil, status.Ledger.Sessions
	for _, tool := range status.Tools {
		if tool.Wired != "" {
			report.Agents = append(report.Agents, tool.Tool)
		}
	}
	if report.Sessions == 0 {
		return report, nil
	}
	return report, addOpenWork(ctx, a, service, &report)
}

// addOpenWork adds the last work here, and the threads of work of all projects.
func addOpenWork(ctx context.Context, a *cli.App, service view.Service, report *homeReport) error {
	here, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	if report.Here, err = workIn(ctx, service, here); err != nil {
		return err
	}
	work, err := readThreads(ctx, a, view.OpenWorkRequest{})
	report.Threads, report.Counts = work.Items, work.Counts
	return err
}

// readThreads asks for threads of work: all of them where a daemon has them in memory,
// else those of the newest sessions.
func readThreads(ctx context.Context, a *cli.App, request view.OpenWorkRequest) (view.OpenWork, error) {
	service, warm, done, err := a.Asked(ctx)
	if err != nil {
		return view.OpenWork{}, err
	}
	defer done()
	if !warm && request.Since == "" {
		request.Newest = coldSessions
	}
	return service.OpenWork(ctx, request)
}

// workIn is the last work in a directory's worktree, nil where there is none.
func workIn(ctx context.Context, service view.Service, directory string) (*openWork, error) {
	document, err := service.Handoff(ctx, view.HandoffRequest{SessionSelector: view.SessionSelector{Directory: directory}})
	if errors.Is(err, view.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	work := &openWork{Directory: directory, Tool: document.Tool, Session: document.Session, Updated: document.Updated}
	if f := document.Facts; f.Task != nil {
		work.Task = f.Task.Text
	}
	if f := document.Facts; f.Turn != nil {
		work.Turn = f.Turn.Text
	}
	if f := document.Facts; f.Next != nil {
		work.Next = f.Next.Text
	}
	return work, nil
}

func printHome(a *cli.App, r homeReport) {
	switch {
	case len(r.Agents) == 0 && r.Sessions == 0:
		a.Print("Carryover hands the work of one coding agent's session to the next.\n")
		a.Print("Connect your agents:      carryover install")
		a.Print("Try it on a transcript:   carryover distill FILE")
		a.Print("All commands:             carryover --help")
		return
	case len(r.Agents) == 0:
		a.Print("No agent is connected: run `carryover install`. %s captured.", cli.Count(r.Sessions, "session"))
	default:
		state := "running"
		if !r.Daemon {
			state = "stopped (run `carryover daemon start`)"
		}
		a.Print("Daemon %s · connected: %s · %s captured", state, strings.Join(r.Agents, ", "), cli.Count(r.Sessions, "session"))
	}
	if r.Here != nil {
		printOpen(a, "This project", *r.Here, true)
		a.Print("  Go on in another agent: carryover switch TOOL · the whole handoff: carryover handoff")
	}
	printThreads(a, "Waiting for you", r, "waiting")
	printThreads(a, "Open", r, "open")
	switch {
	case r.Here != nil || len(r.Threads) > 0:
	case r.Sessions == 0:
		a.Print("\nNo session was captured yet: open an agent, or run `carryover import` to read existing transcripts.")
	default:
		a.Print("\nNothing is open here; `carryover sessions --all` lists what was captured.")
	}
	a.Print("\ncarryover open · carryover search WORDS · carryover dashboard · carryover --help")
}

// isHere says that a thread is the work that stands under "This project" already.
func (r homeReport) isHere(t view.Thread) bool {
	return r.Here != nil && t.Tool == r.Here.Tool && t.Session == r.Here.Session
}

// printThreads lists the threads of one state that are not shown already, a line each.
func printThreads(a *cli.App, title string, r homeReport, state string) {
	shown, all, ids := 0, r.Counts[state], 0
	for _, t := range r.Threads {
		ids = max(ids, len(render.ShortID(t.Session)))
	}
	if slices.ContainsFunc(r.Threads, func(t view.Thread) bool { return t.State == state && r.isHere(t) }) {
		all--
	}
	for _, t := range r.Threads {
		if t.State != state || shown == shownThreads || r.isHere(t) {
			continue
		}
		if shown == 0 {
			a.Print("\n%s (%d)", title, all)
		}
		shown++
		more := ""
		if t.Uncommitted != nil && *t.Uncommitted > 0 {
			more = " · " + cli.Count(*t.Uncommitted, "uncommitted file")
		}
		if len(t.Sessions) > 1 {
			more += " · " + cli.Count(len(t.Sessions), "session")
		}
		a.Print("  %-*s  %-24s  %-11s %5s%s", ids, render.ShortID(t.Session), projectName(t), t.Tool, cli.Since(t.Last), more)
		printBelow(a, ids, t.Task)
		if t.Next != "" {
			printBelow(a, ids, "next: "+t.Next)
		}
	}
}

// projectName is where a thread stands, as a column has room for it.
func projectName(t view.Thread) string {
	return cli.ShortPath(cmp.Or(t.Directory, t.Project, "no project"), 24)
}

// printBelow prints what belongs to the row above: one line, as far as the screen goes.
func printBelow(a *cli.App, indent int, text string) {
	room := 110
	if width := cli.ScreenOf().Width; width > 0 {
		room = min(room, width-indent-4)
	}
	a.Print("  %-*s  %s", indent, "", cli.OneLine(text, max(20, room)))
}

func printOpen(a *cli.App, title string, work openWork, next bool) {
	a.Print("\n%s  %s", title, cli.HomePath(work.Directory))
	a.Print("  %s session %s, %s ago", work.Tool, render.ShortID(work.Session), cli.Since(work.Updated))
	if work.Turn != "" {
		a.Print("  %s", cli.OneLine(work.Turn, 110))
	}
	if work.Task != "" {
		a.Print("  Task: %s", cli.OneLine(work.Task, 104))
	}
	// The turn of a session that asks something has its question already.
	if _, asked, asks := strings.Cut(work.Turn, ": "); next && work.Next != "" && (!asks || !strings.HasSuffix(work.Next, asked)) {
		a.Print("  Next: %s", cli.OneLine(work.Next, 104))
	}
}
