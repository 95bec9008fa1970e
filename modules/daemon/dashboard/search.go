package dashboard

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/dashboard/words"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// manyHits is how many hits a page of a search shows.
const manyHits = 40

// search is a search with its filters, and what it found.
type search struct {
	Request  view.SearchRequest
	Asked    bool // there is something to look for
	Found    view.SearchResult
	Groups   []hitGroup
	Tools    []string
	Projects []ledger.Project
	Kinds    []transcript.Kind
	Ages     []choice
}

// choice is an entry of a list to choose from.
type choice struct{ Value, Text string }

// hit is one place that was found.
type hit struct {
	view.SearchHit
	Spans   []words.Span
	URL     string
	Project string // name
	Title   string
}

// searchedKinds are those worth a filter of their own.
var searchedKinds = []transcript.Kind{
	transcript.Prompt, transcript.Reply, transcript.Call, transcript.Result, transcript.Decided, transcript.Plan,
	transcript.Compacted, ledger.KindHandoff, ledger.KindLedger, ledger.KindLearning,
}

func (p *Page) search(r *http.Request) (screen, error) {
	ctx, asked := r.Context(), r.URL.Query()
	request := view.SearchRequest{
		Query: strings.TrimSpace(asked.Get("q")), Project: asked.Get("project"), Tool: asked.Get("tool"),
		Kind: asked.Get("kind"), Since: asked.Get("since"), Limit: manyHits,
	}
	data := search{Request: request, Asked: request.Query != "", Kinds: searchedKinds, Ages: []choice{
		{"1d", "a day"}, {"7d", "a week"}, {"30d", "30 days"}, {"90d", "90 days"}, {"365d", "a year"},
	}}
	data.Tools = p.Tools
	var err error
	if data.Projects, err = p.projectsByPath(ctx); err != nil {
		return screen{}, err
	}
	if data.Asked {
		if data.Found, err = p.Service.Search(ctx, request); err != nil {
			return screen{}, err
		}
		hits, err := p.hits(r, data.Found.Hits)
		if err != nil {
			return screen{}, err
		}
		data.Groups = groupsOf(hits)
	}
	return screen{template: "search", title: "Search", at: "search", query: request.Query, data: data}, nil
}

// projectsByPath are all projects in the order of their paths.
func (p *Page) projectsByPath(ctx context.Context) ([]ledger.Project, error) {
	projects, err := p.Ledger.Projects(ctx)
	slices.SortFunc(projects, func(a, b ledger.Project) int { return cmp.Compare(a.Path, b.Path) })
	return projects, err
}

// hits adds to what was found where it leads, and what its session is called.
func (p *Page) hits(r *http.Request, found []view.SearchHit) ([]hit, error) {
	sessions := map[ledger.SessionKey]ledger.Session{}
	hits := make([]hit, len(found))
	for i, one := range found {
		hits[i] = hit{SearchHit: one, Spans: words.Marked(one.Snippet, one.Marks)}
		if one.Agent != "" {
			hits[i].URL = agentURL(one.Project, one.Agent)
			continue
		}
		key := ledger.SessionKey{Tool: one.Tool, ID: one.Session}
		session, known := sessions[key]
		if !known {
			var err error
			if session, _, err = p.Ledger.Session(r.Context(), key); err != nil {
				return nil, err
			}
			sessions[key] = session
		}
		hits[i].URL = words.LineURL(one.Tool, one.Session, one.Source.Line, one.Source.Offset)
		hits[i].Title, hits[i].Project = session.Title, session.Project.Path
	}
	return hits, nil
}

// hitGroup is the hits of one session, or of one named agent, the best first.
type hitGroup struct {
	Head hit
	Hits []hit
}

// groupsOf puts the hits of one session together; its best hit places it.
func groupsOf(hits []hit) []hitGroup {
	var groups []hitGroup
	at := map[string]int{}
	for _, one := range hits {
		key := one.Tool + " " + one.Session + " " + one.Agent
		i, known := at[key]
		if !known {
			i, at[key] = len(groups), len(groups)
			groups = append(groups, hitGroup{Head: one})
		}
		groups[i].Hits = append(groups[i].Hits, one)
	}
	return groups
}
