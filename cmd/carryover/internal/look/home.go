package look

import (
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

// elsewhere is how many other projects the home screen shows, and homeSessions how
// many of the newest sessions it looks at for them.
const (
	elsewhere    = 5
	homeSessions = 60
)

// homeReport is the JSON of `carryover` alone.
type homeReport struct {
	Schema   int        `json:"schema"`
	Daemon   bool       `json:"daemon"`
	Agents   []string   `json:"agents"` // that are connected
	Sessions int        `json:"sessions"`
	Here     *openWork  `json:"here,omitempty"`
	Other    []openWork `json:"elsewhere"`
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

// Home is `carryover` without a command: what runs, what is open, where to go on.
func Home(a *cli.App, cmd *cobra.Command) error {
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
	report := homeReport{Schema: cli.Schema, Agents: []string{}, Other: []openWork{}}
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
	return report, addOpenWork(ctx, service, &report)
}

// addOpenWork adds the last work here and in the projects that were worked in last.
func addOpenWork(ctx context.Context, service view.Service, report *homeReport) error {
	here, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	if report.Here, err = workIn(ctx, service, here); err != nil {
		return err
	}
	sessions, err := service.ListSessions(ctx, view.SessionListRequest{Page: view.Page{Limit: homeSessions}})
	if err != nil {
		return err
	}
	seen := []string{""}
	for _, session := range sessions.Items {
		if report.Here != nil && session.Session == report.Here.Session {
			seen = append(seen, session.Project)
		}
	}
	for _, session := range sessions.Items {
		if session.Subagent || session.Worktree == "" || slices.Contains(seen, session.Project) || len(report.Other) == elsewhere {
			continue
		}
		seen = append(seen, session.Project) // worktrees of one repository are one project
		work, err := workIn(ctx, service, session.Worktree)
		if err != nil {
			return err
		}
		if work != nil {
			report.Other = append(report.Other, *work)
		}
	}
	return nil
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
	if len(r.Other) > 0 {
		a.Print("\nElsewhere")
	}
	for _, work := range r.Other {
		a.Print("  %-34s %-11s %5s  %s", cli.ShortPath(work.Directory, 34), work.Tool, cli.Since(work.Updated), cli.OneLine(work.Task, 62))
	}
	if r.Here == nil && len(r.Other) == 0 {
		a.Print("\nNothing is open: run `carryover import` to read existing transcripts.")
	}
	a.Print("\ncarryover search WORDS · carryover dashboard · carryover --help")
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
	if next && work.Next != "" {
		a.Print("  Next: %s", cli.OneLine(work.Next, 104))
	}
}
