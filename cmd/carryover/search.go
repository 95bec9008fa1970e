package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/api"
)

func (a *app) searchCommand() *cobra.Command {
	var request api.SearchRequest
	cmd := &cobra.Command{
		Use:   "search QUERY…",
		Short: "Find what was said, done or decided in any session",
		Long:  "All words must occur; \"several words\" is a phrase, and word* finds the words that begin so.",
		Args:  usageArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			request.Query = strings.Join(args, " ")
			pipeline, err := daemon.Reading(a.home, a.warn)
			if err != nil {
				return err
			}
			defer func() { _ = pipeline.Log.Close() }()
			found, err := pipeline.Find(cmd.Context(), request)
			if err != nil {
				return err
			}
			if a.json {
				if err := a.object(found); err != nil {
					return err
				}
			} else {
				a.printHits(found)
			}
			if len(found.Hits) == 0 {
				return ended(exitNothing)
			}
			return nil
		},
	}
	cmd.Flags().IntVar(&request.Limit, "limit", 20, "at most so many hits")
	cmd.Flags().StringVar(&request.Project, "project", "", "only in the project of this folder")
	cmd.Flags().StringVar(&request.Tool, "tool", "", "only in sessions of this tool")
	cmd.Flags().StringVar(&request.Since, "since", "", "only events younger than this: 36h, 14d")
	return cmd
}

func (a *app) printHits(found daemon.Found) {
	if len(found.Hits) == 0 {
		a.note("nothing found")
		return
	}
	for _, hit := range found.Hits {
		day := hit.Time
		if len(day) >= 16 {
			day = strings.Replace(day[:16], "T", " ", 1)
		}
		a.print("%-16s  %-11s  %-10s  %s:%d", day, hit.Tool, hit.Kind, hit.Session, hit.Source.Line)
		a.print("    %s", hit.Snippet)
	}
	if found.Total > len(found.Hits) {
		a.note("%d of %d; more with --limit", len(found.Hits), found.Total)
	}
}
