package view

import "context"

// Search finds events, and what named agents left.
type Search interface {
	// Search finds events; an age that is none, or an unknown kind, is
	// CodeInvalid.
	Search(ctx context.Context, request SearchRequest) (SearchResult, error)
}

// SearchRequest is a search with its filters.
type SearchRequest struct {
	Query   string `query:"q,required" jsonschema:"Words, \"phrases\" and beginnings*."`
	Project string `query:"project" jsonschema:"A directory of the project, or its id."`
	Tool    string `query:"tool" jsonschema:"Only sessions of this tool."`
	Kind    string `query:"kind" jsonschema:"Only this kind."`
	Since   string `query:"since" jsonschema:"Only younger than this age (14d, 36h)."`
	Until   string `query:"until" jsonschema:"Only older than this age."`
	Limit   int    `query:"limit" jsonschema:"At most so many hits."`
}

// Complete refuses a search for nothing.
func (r SearchRequest) Complete() error {
	if r.Query == "" {
		return Invalid("a search needs q")
	}
	return nil
}

// SearchResult are hits, best first.
type SearchResult struct {
	Schema     int         `json:"schema"`
	TookMS     float64     `json:"took_ms"`
	Total      int         `json:"total"`
	Suggestion string      `json:"suggestion,omitempty"` // the query in a spelling that may find something
	Hits       []SearchHit `json:"hits"`
}

// SearchHit is one event that matched, or what a named agent left.
type SearchHit struct {
	Session string `json:"session,omitempty"`
	Tool    string `json:"tool,omitempty"`
	Agent   string `json:"agent,omitempty"`
	Handoff string `json:"handoff,omitempty"` // id
	Project string `json:"project,omitempty"` // id, of what an agent left
	// Directory is the path of the session's project, last known.
	Directory string   `json:"directory,omitempty"`
	Time      string   `json:"time,omitempty"`
	Kind      string   `json:"kind"`
	Snippet   string   `json:"snippet"`
	Marks     [][2]int `json:"marks"` // what was looked for in the snippet: from, to, in bytes
	Source    Location `json:"source"`
}
