package main

import (
	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/modules/daemon"
)

func (a *app) ledgerCommand() *cobra.Command {
	cmd := a.group(&cobra.Command{Use: "ledger", Short: "Look at the ledger itself"})
	cmd.AddCommand(&cobra.Command{
		Use:   "digest",
		Short: "Print a fingerprint of all events; the same transcripts always give the same",
		Args:  takesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			pipeline, err := daemon.Reading(a.home, a.warn)
			if err != nil {
				return err
			}
			defer func() { _ = pipeline.Log.Close() }()
			digest, err := pipeline.Log.Digest(cmd.Context())
			if err != nil {
				return err
			}
			if a.json {
				return a.object(digest)
			}
			a.print("%s  %s", digest.SHA256, count(digest.Events, "event"))
			return nil
		},
	})
	return cmd
}
