package look

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/cmd/carryover/internal/finder"
	"github.com/carryover-go/carryover/modules/daemon/display"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// pickHit searches as the person types, and shows what they choose in the pager, again
// and again until they leave. Without a pager what was chosen is printed, and that is all.
func pickHit(ctx context.Context, a *cli.App, request view.SearchRequest) error {
	a.EndPager()
	service, done, err := a.Reader()
	if err != nil {
		return err
	}
	defer done()
	picking := &picking{service: service, request: request}
	pick := finder.Finder{
		Query: request.Query, UTF8: cli.UTF8Terminal(), In: os.Stdin, Out: os.Stdout,
		Filters: filtersOf(ctx, service, request), Search: picking.search, Preview: picking.preview,
	}
	for {
		chosen, err := pick.Run(ctx)
		if errors.Is(err, finder.ErrStopped) {
			return nil
		}
		if err != nil {
			return err
		}
		found, err := picking.find(ctx, pick.Query, pick.Filters)
		if err != nil || chosen >= len(found.Hits) {
			return err
		}
		stays := a.BeginWholePager()
		err = printHit(ctx, a, service, found.Hits[chosen], stays)
		a.EndPager()
		if err != nil || !stays {
			return err
		}
	}
}

// picking answers a finder.
type picking struct {
	service view.Service
	request view.SearchRequest

	mu   sync.Mutex
	hits map[string][]view.SearchHit // by what found them: an earlier search may end after a later one
}

// keptSearches bounds how many searches' hits are kept while somebody types.
const keptSearches = 64

func (p *picking) keep(asked string, hits []view.SearchHit) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.hits == nil || len(p.hits) >= keptSearches {
		p.hits = map[string][]view.SearchHit{}
	}
	p.hits[asked] = hits
}

// hit is one of what a search found.
func (p *picking) hit(asked string, at int) (hit view.SearchHit, known bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if hits := p.hits[asked]; at < len(hits) {
		return hits[at], true
	}
	return hit, false
}

// filtersOf are what a search is narrowed by: the tools and projects that there are, and
// the kinds of events.
func filtersOf(ctx context.Context, service view.Service, request view.SearchRequest) []finder.Filter {
	tools, projects := []string{""}, []string{""}
	if stats, err := service.Stats(ctx); err == nil { // without it nothing can be narrowed, and all is found
		for _, tool := range stats.Tools {
			tools = append(tools, tool.Name)
		}
		for _, project := range stats.Projects {
			if filepath.IsAbs(project.Name) {
				projects = append(projects, project.Name)
			}
		}
	}
	filters := []finder.Filter{
		{Name: "tool", Key: "ctrl+t", Values: tools}, {Name: "project", Key: "ctrl+r", Values: projects}, {Name: "kind", Key: "ctrl+k", Values: searchKinds},
	}
	for i, chosen := range []string{request.Tool, request.Project, request.Kind} {
		if filters[i].Chosen = slices.Index(filters[i].Values, chosen); filters[i].Chosen < 0 {
			filters[i].Values = append(filters[i].Values, chosen)
			filters[i].Chosen = len(filters[i].Values) - 1
		}
	}
	return filters
}

// find searches with the filters as they are set.
func (p *picking) find(ctx context.Context, query string, filters []finder.Filter) (view.SearchResult, error) {
	request := p.request
	request.Query = openEnded(query)
	request.Tool, request.Project, request.Kind = filters[0].Value(), filters[1].Value(), filters[2].Value()
	return p.service.Search(ctx, request)
}

func (p *picking) search(ctx context.Context, query string, filters []finder.Filter) (finder.Found, error) {
	found, err := p.find(ctx, query, filters)
	p.keep(askedBy(query, filters), found.Hits)
	return shownHits(found), err
}

// askedBy is a query with the values of filters as one text.
func askedBy(query string, filters []finder.Filter) string {
	values := []string{query}
	for _, filter := range filters {
		values = append(values, filter.Value())
	}
	return strings.Join(values, "\x00")
}

// previewed bounds the text of a preview, in runes.
const previewed = 4000

// preview is what stands in the line of a hit.
func (p *picking) preview(ctx context.Context, query string, filters []finder.Filter, at int) (string, error) {
	hit, known := p.hit(askedBy(query, filters), at)
	if !known {
		return "", nil
	}
	if hit.Agent != "" {
		return hit.Snippet, nil
	}
	shown, err := p.service.ShowSession(ctx, view.SessionRequest{Session: hit.Session, Line: hit.Source.Line})
	if err != nil {
		return "", err
	}
	text := cli.Minute(hit.Time) + "  " + cli.HomePath(shown.Session.Project) + "\n" + shown.Session.Title + "\n\n"
	for _, event := range shown.Events {
		if said := describe(event.Event); said != "" {
			text += string(event.Kind) + ": " + said + "\n"
		}
	}
	return display.Shorten(previewed, text), nil
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
		shown.Hits = append(shown.Hits, finder.Hit{Head: head(hit), Text: hit.Snippet, Marks: hit.Marks, Copy: reachedBy(hit)})
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

// reachedBy is what `carryover show` takes for a hit; of an agent its name.
func reachedBy(hit view.SearchHit) string {
	if hit.Agent != "" {
		return cmp.Or(hit.Handoff, hit.Agent)
	}
	return fmt.Sprintf("%s:%d", hit.Session, hit.Source.Line)
}

// linesBefore is how many events before a hit are shown with it.
const linesBefore = 5

// printHit prints what `carryover show` would, or what the agent left. Whole is the
// session from a little before the hit on, else the hit alone.
func printHit(ctx context.Context, a *cli.App, service view.Service, hit view.SearchHit, whole bool) error {
	if hit.Agent == "" {
		request := view.SessionRequest{Session: hit.Session, Line: hit.Source.Line}
		if whole {
			request.Line = 0
		}
		shown, err := service.ShowSession(ctx, request)
		if err != nil {
			return unnamed(err)
		}
		if at := slices.IndexFunc(shown.Events, func(e view.Event) bool { return e.Source.Line == hit.Source.Line }); whole && at > linesBefore {
			shown.Events = shown.Events[at-linesBefore:]
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
