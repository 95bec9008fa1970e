package look

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller/render"
)

// NewStatusCommand makes `carryover status`.
func NewStatusCommand(a *cli.App) *cobra.Command {
	var why, tools bool
	cmd := &cobra.Command{
		Use:     "status",
		Short:   "Show what is running, captured and connected",
		Long:    "Changes nothing.",
		Example: "  carryover status --why",
		Args:    cli.TakesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if tools {
				return statusTools(cmd.Context(), a)
			}
			status, err := readStatus(cmd.Context(), a)
			if err != nil {
				return err
			}
			if a.JSON {
				return a.Object(status)
			}
			printStatus(a, status)
			if why {
				a.Print("")
				printRestores(a, status)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&tools, "tools", false, "show version, files and hooks of every agent")
	cmd.Flags().BoolVar(&why, "why", false, "show what the last sessions were given, and why")
	return cmd
}

func readStatus(ctx context.Context, a *cli.App) (view.Status, error) {
	service, done, err := a.Reader()
	switch {
	case errors.Is(err, view.ErrNoLedger):
		service = daemon.WithoutLedger(a.Home, a.Warn)
	case err != nil:
		return view.Status{}, err
	}
	defer done()
	status, err := service.Status(ctx)
	if err == nil {
		addRunning(ctx, a, &status)
	}
	return status, err
}

// addRunning adds what only a running daemon knows.
func addRunning(ctx context.Context, a *cli.App, status *view.Status) {
	own, err := client.New(a.Home).Status(ctx)
	if errors.Is(err, client.ErrStuck) {
		status.Degraded = []string{"the daemon does not answer; run `carryover daemon restart`"}
	} else if err != nil {
		return
	}
	if err == nil {
		status.UnknownHooks, status.Degraded = own.UnknownHooks, own.Degraded
		status.Live = own.Live // it knows which of them told of their end
		addVanished(status.Tools, own.Tools)
	}
	running, err := a.Home.ReadRunning()
	if err != nil { // it runs all the same
		health, askErr := client.New(a.Home).Health(ctx)
		if askErr != nil {
			return
		}
		running = home.Running{PID: health.PID, Version: health.Version, Started: time.Now().Add(-time.Duration(health.Uptime) * time.Second)}
	}
	status.Daemon = view.NewRunningDaemon(running)
}

// addVanished adds to each tool what the daemon found missing of its newest version.
func addVanished(tools, own []view.ToolStatus) {
	for i := range tools {
		for _, known := range own {
			if known.Tool == tools[i].Tool {
				tools[i].Vanished = known.Vanished
			}
		}
	}
}

func printStatus(a *cli.App, s view.Status) {
	if s.Daemon != nil {
		a.Print("%-14s running   up %s, %s", "daemon", cli.Since(s.Daemon.Started), cmp.Or(s.Daemon.Listen, "no port"))
		for _, reason := range s.Degraded {
			a.Print("%-14s %-9s %s", "", "degraded", reason)
		}
	} else {
		a.Print("%-14s stopped   run `carryover daemon start`", "daemon")
	}
	if s.Ledger.Sessions == 0 {
		a.Print("%-14s empty     run `carryover import` to read existing transcripts", "ledger")
	} else {
		a.Print("%-14s ok        %s in %s, from %s of transcripts", "ledger", cli.Count(s.Ledger.Events, "event"), cli.Count(s.Ledger.Sessions, "session"), cli.Size(s.Ledger.Bytes))
	}
	if n := s.Ledger.Kept; n > 0 {
		a.Print("%-14s %-9s the raw records of %s, %s compressed; `carryover rescue` gives one back", "", "kept", cli.Count(n, "transcript"), cli.Size(s.Ledger.KeptBytes))
	}
	if n := s.Ledger.Future; n > 0 {
		a.Print("%-14s %-9s %s dated in the future: the time of capture counts", "", "warning", cli.Count(n, "session"))
	}
	if s.Damage != "" {
		a.Print("%-14s %-9s %s", "", "repaired", s.Damage)
	}
	if h := s.Handoff; h != nil {
		a.Print("%-14s %-9s of %s session %s in %s, %s old", "handoff", "ready", h.Tool, render.ShortID(h.Session), cli.HomePath(h.Project), cli.Since(h.Updated))
	}
	for _, limit := range s.Limits {
		a.Print("%-14s %-9s %s session %s stopped %s ago: %s", "limit", "hit", limit.Tool, render.ShortID(limit.Session), cli.Since(limit.Time), cli.OneLine(limit.Text, 80))
		if len(limit.Command) > 0 {
			a.Print("%-14s %-9s go on elsewhere: %s", "", "", cli.ShellLine(limit.Command))
		}
	}
	for _, live := range s.Live {
		a.Print("%-14s %-9s %s session %s in %s", "live", contextUsageOf(live), live.Tool, render.ShortID(live.Session), cli.HomePath(live.Project))
	}
	for _, hook := range cli.SortedKeys(s.UnknownHooks) {
		a.Print("%-14s %-9s %s came %s since the daemon started", "hooks", "unknown", hook, cli.Count(s.UnknownHooks[hook], "time"))
	}
	var unseen []string
	for _, t := range s.Tools {
		if t.Wired == "" && t.Sources == 0 && len(t.Parked) == 0 {
			unseen = append(unseen, t.Tool)
			continue
		}
		printTool(a, t)
	}
	if len(unseen) > 0 {
		a.Print("%-14s %-9s %s; run `carryover install` to connect the installed ones", "tools", "not seen", strings.Join(unseen, ", "))
	}
}

// contextUsageOf is how full a session's context is, as far as it is known.
func contextUsageOf(live view.LiveSession) string {
	switch {
	case live.Window > 0:
		return fmt.Sprintf("%d %% full", live.Percent)
	case live.Context > 0:
		return fmt.Sprintf("%d tok.", live.Context)
	}
	return "active"
}

// printTool says what is read of a tool and whether it is wired.
func printTool(a *cli.App, t view.ToolStatus) {
	state, detail := "no hooks", "run `carryover install --tools "+t.Tool+"`"
	if t.Wired != "" {
		state, detail = "connected", cli.HomePath(t.Wired)
	}
	seen := ""
	if t.LastSeen != "" {
		seen = ", last event " + cli.Since(t.LastSeen) + " ago"
	}
	a.Print("%-14s %-9s %s%s; %s", t.Tool, state, cli.Count(t.Sources, "transcript"), seen, detail)
	for _, off := range t.HooksOff {
		a.Print("%-14s %-9s %s", "", "warning", off)
	}
	if t.Unknown > 0 {
		a.Print("%-14s %-9s %d of %d records or calls have an unknown type", "", "coverage", t.Unknown, t.Records)
	}
	if t.Broken > 0 {
		a.Print("%-14s %-9s %d of %d records are incomplete JSON or too long", "", "broken", t.Broken, t.Records)
	}
	if n := len(t.NoPrompt); n > 0 {
		a.Print("%-14s %-9s no prompt found in %s%s", "", "warning", t.NoPrompt[0], cli.Others(n))
	}
	for _, kind := range t.Vanished {
		a.Print("%-14s %-9s no longer in its transcripts: %s", "", "warning", kind)
	}
	for _, folder := range t.Missing {
		a.Print("%-14s %-9s %s", "", "warning", folder)
	}
	for _, parked := range t.Parked {
		a.Print("%-14s %-9s %s: %s", "", "parked", parked.Path, parked.Message)
	}
}

func printRestores(a *cli.App, s view.Status) {
	if len(s.Restores) == 0 {
		a.Print("no session has started since the hooks were installed")
	}
	var rows [][]string
	for _, r := range s.Restores {
		rows = append(rows, []string{cli.Minute(r.Time), r.Tool, render.ShortID(r.Session), r.Source, r.Decision, r.Reason})
	}
	a.PrintTable([]cli.Column{
		{Title: "TIME"}, {Title: "AGENT"}, {Title: "SESSION", Extra: true}, {Title: "SOURCE"}, {Title: "GIVEN"}, {Title: "BECAUSE", Fill: true},
	}, rows)
}
