package query

import (
	"context"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func newHit(hit ledger.Hit) view.SearchHit {
	shown := view.SearchHit{
		Session: hit.Session.ID, Tool: hit.Session.Tool, Agent: hit.Agent, Kind: string(hit.Kind), Time: view.Timestamp(hit.Time),
		Snippet: hit.Snippet.Text, Marks: [][2]int{},
		Source: view.Location{Session: hit.Session.ID, Path: hit.Path, Line: hit.Ref.Line, Offset: hit.Ref.Offset},
	}
	if hit.Agent != "" {
		shown.Handoff, shown.Project = hit.ID, hit.Project
	}
	for _, mark := range hit.Snippet.Marks {
		shown.Marks = append(shown.Marks, [2]int{mark.From, mark.To})
	}
	return shown
}

// Search finds events. The project is a directory, or its id.
func (q *Service) Search(ctx context.Context, request view.SearchRequest) (view.SearchResult, error) {
	query := ledger.Query{Text: request.Query, Tool: request.Tool, Kind: transcript.Kind(request.Kind), Limit: request.Limit}
	found := view.SearchResult{Schema: 1, Hits: []view.SearchHit{}}
	for _, bound := range []struct {
		name, age string
		time      *time.Time
	}{{"since", request.Since, &query.Since}, {"until", request.Until, &query.Until}} {
		if bound.age == "" {
			continue
		}
		age, err := config.Age(bound.age)
		if err != nil {
			return found, view.Invalid(bound.name + ": " + err.Error())
		}
		*bound.time = q.now().Add(-age)
	}
	if request.Project != "" {
		project, ok, err := q.ProjectOf(ctx, request.Project)
		if err != nil || !ok {
			return found, err
		}
		query.Project = project.ID
	}
	results, err := q.store.Search(ctx, query)
	if err != nil {
		return found, err
	}
	found.TookMS = float64(results.Took.Microseconds()) / 1000
	found.Total, found.Suggestion = results.Total, results.Suggestion
	paths := map[ledger.SessionKey]string{}
	for _, hit := range results.Hits {
		shown := newHit(hit)
		if hit.Agent == "" {
			if shown.Directory, err = projectPath(ctx, q.store, hit.Session, paths); err != nil {
				return found, err
			}
		}
		found.Hits = append(found.Hits, shown)
	}
	return found, nil
}

// projectPath is where the project of a session lies; known remembers it.
func projectPath(ctx context.Context, store Store, key ledger.SessionKey, known map[ledger.SessionKey]string) (string, error) {
	if path, ok := known[key]; ok {
		return path, nil
	}
	of, _, err := store.Session(ctx, key)
	known[key] = of.Project.Path
	return of.Project.Path, err
}
