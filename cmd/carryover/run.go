package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/modules/daemon/terminal"
)

func (a *app) runCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run [flags] -- CMD…",
		Short: "Run any agent in a terminal that gives it continuity",
		Args:  takes(1, many, "CMD"),
		RunE: func(_ *cobra.Command, args []string) error {
			session, err := terminal.Start(terminal.Options{Args: args, In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
			if err != nil {
				return coded(terminal.StatusOf(err), "failed", err, "name a program that is on the PATH, or its path")
			}
			if exit := session.Wait(nil); exit.Status != 0 {
				return ended(exit.Status)
			}
			return nil
		},
	}
	cmd.Flags().SetInterspersed(false) // what follows CMD is CMD's
	return cmd
}
