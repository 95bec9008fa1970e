package look

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/cmd/carryover/internal/finder"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// pickHit searches as the person types, then prints what was chosen in full.
func pickHit(ctx context.Context, a *cli.App, request view.SearchRequest) error {
	service, done, err := a.Reader()
	if err != nil {
		return err
	}
	defer done()
	find := func(ctx context.Context, query string) (view.SearchResult, error) {
		request.Query = openEnded(query)
		return service.Search(ctx, request)
	}
	query, chosen, err := finder.Finder{
		Query: request.Query, UTF8: cli.UTF8Terminal(), In: os.Stdin, Out: os.Stdout,
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
	return printHit(ctx, a, service, found.Hits[chosen])
}

// openEnded makes the word that is being typed one that may go on.
func openEnded(query string) string {
	if query == "" || strings.HasSuffix(query, " ") || strings.HasSuffix(query, "*") || strings.Count(query, `"`)%2 == 1 {
		return query
	}
	return query + "*"
}

func shownHits(found view.SearchResult) finder.Found {
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
func printHit(ctx context.Context, a *cli.App, service view.Service, hit view.SearchHit) error {
	if hit.Agent == "" {
		shown, err := service.ShowSession(ctx, view.SessionRequest{Session: hit.Session, Line: hit.Source.Line})
		if err != nil {
			return unnamed(err)
		}
		printSession(a, shown, true)
		return nil
	}
	agent := view.AgentRequest{Agent: hit.Agent, Project: hit.Project}
	if hit.Handoff == "" {
		notes, err := service.AgentNotes(ctx, agent)
		if err == nil {
			cli.PrintAgentNotes(a, notes)
		}
		return err
	}
	handoffs, err := view.All(func(page view.Page) (view.List[ledger.AgentHandoff], error) {
		return service.AgentHandoffs(ctx, view.AgentHandoffListRequest{AgentRequest: agent, Archived: true, Page: page})
	})
	if at := slices.IndexFunc(handoffs, func(h ledger.AgentHandoff) bool { return h.ID == hit.Handoff }); at >= 0 {
		return a.Object(handoffs[at])
	}
	return err
}
