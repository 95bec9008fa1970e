package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/carryover-go/carryover/cmd/carryover/finder"
	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/api"
	"github.com/carryover-go/carryover/modules/ledger"
)

// head says in one line what a hit is and where `carryover show` finds it.
func head(hit daemon.Hit) string {
	if hit.Agent != "" {
		return fmt.Sprintf("%-16s  %-11s  %-10s  %s", minute(hit.Time), hit.Agent, hit.Kind, hit.Handoff)
	}
	return fmt.Sprintf("%-16s  %-11s  %-10s  %s:%d", minute(hit.Time), hit.Tool, hit.Kind, hit.Session, hit.Source.Line)
}

// pickHit searches as the person types, then prints what was chosen in full.
func (a *app) pickHit(ctx context.Context, request api.SearchRequest) error {
	pipeline, err := daemon.Reading(a.home, a.warn)
	if err != nil {
		return err
	}
	defer func() { _ = pipeline.Log.Close() }()
	find := func(ctx context.Context, query string) (daemon.Found, error) {
		request.Query = openEnded(query)
		return pipeline.Find(ctx, request)
	}
	query, chosen, err := finder.Finder{
		Query: request.Query, UTF8: utf8Terminal(), In: os.Stdin, Out: os.Stdout,
		Search: func(ctx context.Context, query string) (finder.Found, error) {
			found, err := find(ctx, query)
			return shownHits(found), err
		},
	}.Run(ctx)
	if errors.Is(err, finder.ErrStopped) {
		return nil
	}
	if err != nil {
		return err
	}
	found, err := find(ctx, query)
	if err != nil || chosen >= len(found.Hits) {
		return err
	}
	return a.printHit(ctx, pipeline, found.Hits[chosen])
}

// openEnded makes the word that is being typed one that may go on.
func openEnded(query string) string {
	if query == "" || strings.HasSuffix(query, " ") || strings.HasSuffix(query, "*") || strings.Count(query, `"`)%2 == 1 {
		return query
	}
	return query + "*"
}

func shownHits(found daemon.Found) finder.Found {
	var shown finder.Found
	for _, hit := range found.Hits {
		shown.Hits = append(shown.Hits, finder.Hit{Head: head(hit), Text: hit.Snippet, Marks: hit.Marks})
	}
	switch {
	case found.Suggestion != "":
		shown.Note = "nothing found; did you mean " + found.Suggestion + "?"
	case len(found.Hits) == 0:
		shown.Note = "nothing found"
	case found.Total > len(found.Hits):
		shown.Note = fmt.Sprintf("%d of %d", len(found.Hits), found.Total)
	}
	return shown
}

// printHit prints what `carryover show` would, or what the agent left.
func (a *app) printHit(ctx context.Context, pipeline *daemon.Pipeline, hit daemon.Hit) error {
	if hit.Agent == "" {
		shown, err := pipeline.Show(ctx, hit.Session, hit.Source.Line)
		if err != nil {
			return unnamed(err)
		}
		a.printSession(shown, true)
		return nil
	}
	if hit.Handoff == "" {
		state, err := pipeline.AgentLedger(ctx, hit.Agent, hit.Project)
		if err == nil {
			a.printAgentLedger(state)
		}
		return err
	}
	handoffs, err := pipeline.Log.Handoffs(ctx, ledger.HandoffFilter{ID: hit.Handoff})
	for _, handoff := range handoffs {
		if err := a.object(handoff); err != nil {
			return err
		}
	}
	return err
}
