package main

import (
	"context"
	"errors"
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
		Example: "  carryover search retry backoff\n" +
			"  carryover search --tool codex --since 14d '\"rate limit\" pars*'",
		Args: takes(1, many, "QUERY"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.knownTool("tool", request.Tool); err != nil {
				return err
			}
			if request.Limit < 1 {
				return usage(cmd, "--limit is %d", request.Limit)
			}
			request.Query = strings.Join(args, " ")
			found, err := a.search(cmd.Context(), request)
			if errors.Is(err, daemon.ErrInvalid) {
				return usage(cmd, "%w", err)
			}
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
	cmd.Flags().IntVar(&request.Limit, "limit", 20, "print at most `N` hits")
	cmd.Flags().StringVar(&request.Project, "project", "", "only in the project in `DIR`")
	cmd.Flags().StringVar(&request.Tool, "tool", "", "only in sessions of `TOOL`")
	cmd.Flags().StringVar(&request.Since, "since", "", "only events younger than `AGE`: 36h, 14d")
	return cmd
}

// search finds nothing where nothing was captured yet.
func (a *app) search(ctx context.Context, request api.SearchRequest) (daemon.Found, error) {
	pipeline, err := daemon.Reading(a.home, a.warn)
	if errors.Is(err, daemon.ErrNoLedger) {
		a.note("carryover: hint: nothing was captured yet; run `carryover import` to read history that is on disk already")
		return daemon.Found{Schema: schema, Hits: []daemon.Hit{}}, nil
	}
	if err != nil {
		return daemon.Found{}, err
	}
	defer func() { _ = pipeline.Log.Close() }()
	return pipeline.Find(ctx, request)
}

func (a *app) printHits(found daemon.Found) {
	if len(found.Hits) == 0 {
		a.note("nothing found")
		return
	}
	for _, hit := range found.Hits {
		a.print("%-16s  %-11s  %-10s  %s:%d", minute(hit.Time), hit.Tool, hit.Kind, hit.Session, hit.Source.Line)
		a.print("    %s", hit.Snippet)
	}
	if found.Total > len(found.Hits) {
		a.note("%d of %d; more with --limit", len(found.Hits), found.Total)
	}
}
