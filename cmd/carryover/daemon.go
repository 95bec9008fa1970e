package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/modules/daemon/api"
	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/setup"
)

func (a *app) daemonCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "daemon", Short: "Start and stop the daemon, read its log", Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var lines int
	logs := &cobra.Command{
		Use: "logs", Short: "Print the end of the daemon's log", Args: usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error { return a.printLog(lines) },
	}
	logs.Flags().IntVarP(&lines, "lines", "n", 40, "how many lines")
	cmd.AddCommand(
		&cobra.Command{
			Use: "start", Short: "Start the daemon in the background", Args: usageArgs(cobra.NoArgs),
			RunE: func(cmd *cobra.Command, _ []string) error { return a.runDaemon(cmd.Context()) },
		},
		&cobra.Command{
			Use: "stop", Short: "Stop the daemon", Args: usageArgs(cobra.NoArgs),
			RunE: func(cmd *cobra.Command, _ []string) error {
				if err := a.stopDaemon(cmd.Context()); err != nil {
					return err
				}
				return a.said("stopped", api.Health{Status: "stopped"})
			},
		},
		&cobra.Command{
			Use: "restart", Short: "Stop the daemon and start it again", Args: usageArgs(cobra.NoArgs),
			RunE: func(cmd *cobra.Command, _ []string) error {
				if err := a.stopDaemon(cmd.Context()); err != nil {
					return err
				}
				return a.runDaemon(cmd.Context())
			},
		},
		logs,
	)
	return cmd
}

func (a *app) runDaemon(ctx context.Context) error {
	program, err := sibling("carryoverd")
	if err != nil {
		return err
	}
	health, err := setup.Start(ctx, a.home, program)
	if err != nil {
		return hinted(err, "see `carryover daemon logs`")
	}
	return a.said(fmt.Sprintf("running, pid %d", health.PID), health)
}

// stopDaemon is done when none runs.
func (a *app) stopDaemon(ctx context.Context) error {
	err := setup.Stop(ctx, a.home)
	if errors.Is(err, client.ErrNotRunning) {
		return nil
	}
	return err
}

func (a *app) said(text string, health api.Health) error {
	if a.json {
		return a.object(map[string]any{"schema": schema, "status": health.Status, "pid": health.PID})
	}
	a.print("%s", text)
	return nil
}

// maxLogTail bounds what is read of the log, in bytes.
const maxLogTail = 1 << 20

func (a *app) printLog(lines int) error {
	data, err := os.ReadFile(a.home.Log())
	if errors.Is(err, fs.ErrNotExist) {
		return coded(exitNothing, "not_found", errors.New("the daemon has written no log yet"), "run `carryover daemon start`")
	}
	if err != nil {
		return err
	}
	all := bytes.Split(bytes.TrimRight(data[max(0, len(data)-maxLogTail):], "\n"), []byte("\n"))
	all = all[max(0, len(all)-lines):]
	if a.json {
		list := make([]string, len(all))
		for i, line := range all {
			list[i] = string(line)
		}
		return a.object(map[string]any{"schema": schema, "lines": list})
	}
	for _, line := range all {
		a.print("%s", line)
	}
	return nil
}
