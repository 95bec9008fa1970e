package installation

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/api"
	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/setup"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// NewDaemonCommand makes `carryover daemon`.
func NewDaemonCommand(a *cli.App) *cobra.Command {
	cmd := a.Group(&cobra.Command{
		Use: "daemon", Short: "Start, stop or look at the daemon",
		Example: "  carryover daemon restart",
	})
	var lines int
	var newToken bool
	restart := &cobra.Command{
		Use: "restart", Short: "Restart the daemon",
		Example: "  carryover daemon restart --new-token",
		Args:    cli.TakesNothing,
		RunE:    func(cmd *cobra.Command, _ []string) error { return restartDaemon(cmd.Context(), a, newToken) },
	}
	restart.Flags().BoolVar(&newToken, "new-token", false, "make a new API token; the old one no longer works")
	logs := &cobra.Command{
		Use: "logs", Short: "Print the last lines of the daemon log",
		Example: "  carryover daemon logs --lines 100",
		Args:    cli.TakesNothing,
		RunE:    func(*cobra.Command, []string) error { return printLog(a, lines) },
	}
	logs.Flags().IntVarP(&lines, "lines", "n", 40, "print the last `N` lines")
	cmd.AddCommand(
		&cobra.Command{
			Use: "start", Short: "Start the daemon in the background",
			Example: "  carryover daemon start",
			Args:    cli.TakesNothing,
			RunE:    func(cmd *cobra.Command, _ []string) error { return runDaemon(cmd.Context(), a) },
		},
		&cobra.Command{
			Use: "status", Short: "Show whether the daemon is running",
			Example: "  carryover daemon status",
			Args:    cli.TakesNothing,
			RunE:    func(cmd *cobra.Command, _ []string) error { return printDaemon(cmd.Context(), a) },
		},
		&cobra.Command{
			Use: "stop", Short: "Stop the daemon",
			Example: "  carryover daemon stop",
			Args:    cli.TakesNothing,
			RunE: func(cmd *cobra.Command, _ []string) error {
				ran, err := stopDaemon(cmd.Context(), a)
				switch {
				case err != nil:
					return err
				case ran:
					return reportDaemon(a, "stopped", view.Health{Status: "stopped"})
				}
				return reportDaemon(a, "the daemon was not running", view.Health{Status: "stopped"})
			},
		},
		restart,
		logs,
	)
	return cmd
}

func restartDaemon(ctx context.Context, a *cli.App, newToken bool) error {
	if _, err := stopDaemon(ctx, a); err != nil {
		return err
	}
	if newToken {
		if _, err := api.NewToken(a.Home); err != nil {
			return err
		}
	}
	return runDaemon(ctx, a)
}

func runDaemon(ctx context.Context, a *cli.App) error {
	program, err := cli.Sibling("carryoverd")
	if err != nil {
		return err
	}
	health, err := setup.Start(ctx, a.Home, program)
	if err != nil {
		return notStarted(a, err)
	}
	return reportDaemon(a, fmt.Sprintf("running, pid %d", health.PID), health)
}

// notStarted says what to do about a daemon that did not come up.
func notStarted(a *cli.App, err error) error {
	var known *cli.Failure
	if err = a.Explain(err); errors.As(err, &known) {
		return err
	}
	if line := lastLogLine(a); line != "" && errors.Is(err, setup.ErrNoAnswer) {
		err = fmt.Errorf("%w; last log line: %s", err, line)
	}
	return cli.Hinted(err, "run `carryover daemon logs` to see why")
}

// lastLogLine is the end of the daemon's log, "" without one.
func lastLogLine(a *cli.App) string {
	data, err := os.ReadFile(a.Home.Log())
	if err != nil {
		return ""
	}
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	return string(lines[len(lines)-1])
}

// stopDaemon says whether one ran; it is no error when none did.
func stopDaemon(ctx context.Context, a *cli.App) (ran bool, err error) {
	err = setup.Stop(ctx, a.Home)
	if errors.Is(err, client.ErrNotRunning) {
		return false, nil
	}
	return true, err
}

// printDaemon says whether the daemon answers; a stopped one is no error of the command,
// and ends it as nothing found does.
func printDaemon(ctx context.Context, a *cli.App) error {
	health, err := client.New(a.Home).Health(ctx)
	if errors.Is(err, client.ErrNotRunning) {
		if err := reportDaemon(a, "stopped; run `carryover daemon start`", view.Health{Status: "stopped"}); err != nil {
			return err
		}
		return cli.Ended(cli.ExitNothing)
	}
	if err != nil {
		return a.Explain(err)
	}
	up := (time.Duration(health.Uptime) * time.Second).Truncate(time.Second)
	return reportDaemon(a, fmt.Sprintf("running, pid %d, %s, up %s", health.PID, health.Version, up), health)
}

// daemonReport is the JSON of starting, stopping and asking.
type daemonReport struct {
	Schema int    `json:"schema"`
	Status string `json:"status"` // ok, stopped, or what is wrong
	PID    int    `json:"pid,omitempty"`
}

func reportDaemon(a *cli.App, text string, health view.Health) error {
	if a.JSON {
		return a.Object(daemonReport{Schema: cli.Schema, Status: health.Status, PID: health.PID})
	}
	a.Print("%s", text)
	return nil
}

// maxLogTail bounds what is read of the log, in bytes.
const maxLogTail = 1 << 20

// logReport is the JSON of daemon logs.
type logReport struct {
	Schema int      `json:"schema"`
	Lines  []string `json:"lines"` // each a JSON object of its own, oldest first
}

func printLog(a *cli.App, lines int) error {
	data, err := os.ReadFile(a.Home.Log())
	if errors.Is(err, fs.ErrNotExist) {
		if a.JSON {
			_ = a.Object(logReport{Schema: cli.Schema, Lines: []string{}})
			return cli.Ended(cli.ExitNothing)
		}
		return cli.Coded(cli.ExitNothing, "not_found", errors.New("there is no daemon log yet"), "run `carryover daemon start`")
	}
	if err != nil {
		return err
	}
	all := bytes.Split(bytes.TrimRight(data[max(0, len(data)-maxLogTail):], "\n"), []byte("\n"))
	all = all[max(0, len(all)-lines):]
	if a.JSON {
		list := make([]string, len(all))
		for i, line := range all {
			list[i] = string(line)
		}
		return a.Object(logReport{Schema: cli.Schema, Lines: list})
	}
	for _, line := range all {
		a.Print("%s", line)
	}
	return nil
}
