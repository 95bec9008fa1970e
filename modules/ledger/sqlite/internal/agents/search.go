package agents

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/fulltext"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

const defaultAgentLimit = 10

// SearchAgents finds what agents left, newest first; with Any those that hold
// most of the words first.
func (s *Store) SearchAgents(ctx context.Context, query ledger.AgentQuery) ([]ledger.AgentHit, error) {
	terms := ledger.Terms(query.Text)
	if len(terms) == 0 {
		return nil, nil
	}
	match := fulltext.Match(nil, terms)
	if query.Any {
		match = strings.ReplaceAll(match, " AND ", " OR ")
	}
	where, args := "id IN (SELECT rowid FROM agent_search WHERE agent_search MATCH ?)", []any{match}
	for _, filter := range []struct{ column, value string }{
		{"project", query.Project}, {"name", query.Agent}, {"kind", query.Kind},
	} {
		if filter.value != "" {
			where += " AND " + filter.column + " = ?"
			args = append(args, filter.value)
		}
	}
	rows, err := s.rows(ctx, where+" ORDER BY time DESC, id DESC LIMIT 1000", args...)
	if err != nil {
		return nil, err
	}
	if query.Any {
		slices.SortStableFunc(rows, func(a, b record) int { return cmp.Compare(b.meets(terms), a.meets(terms)) })
	}
	limit := query.Limit
	if limit <= 0 {
		limit = defaultAgentLimit
	}
	var hits []ledger.AgentHit
	for _, row := range rows[:min(limit, len(rows))] {
		id, _, _ := strings.Cut(row.uid, "#")
		hits = append(hits, ledger.AgentHit{
			Kind: row.kind, Project: row.project, Agent: row.name, ID: id, Time: db.Time(row.time),
			Snippet: row.snippet(terms).Text,
		})
	}
	return hits, nil
}

// Others finds what named agents left in a search over all.
func Others(s *Store) fulltext.Others { return s.matching }

// matching finds what named agents left, by id, for a search over all. A
// learning is in its handoff too, so it is one only where learnings are asked
// for.
func (s *Store) matching(ctx context.Context, query ledger.Query, terms []ledger.Term) (map[int64]fulltext.Other, error) {
	if query.EventsOnly || query.Tool != "" {
		return nil, nil
	}
	kinds := []any{kindLedger, kindHandoff}
	if query.Kind != "" {
		kinds = []any{string(query.Kind)}
	}
	where := "kind IN (" + db.Marks(len(kinds)) + ") AND id IN (SELECT rowid FROM agent_search WHERE agent_search MATCH ?)"
	args := slices.Concat(kinds, []any{fulltext.Match(nil, terms)})
	if query.Project != "" {
		where += " AND project = ?"
		args = append(args, query.Project)
	}
	if !query.Since.IsZero() {
		where += " AND time >= ?"
		args = append(args, db.Milliseconds(query.Since))
	}
	if !query.Until.IsZero() {
		where += " AND time < ?"
		args = append(args, db.Milliseconds(query.Until))
	}
	rows, err := s.rows(ctx, where+" ORDER BY time DESC, id DESC LIMIT "+strconv.Itoa(fulltext.Considered), args...)
	left := make(map[int64]fulltext.Other, len(rows))
	for i := range rows {
		left[rows[i].id] = &rows[i]
	}
	return left, err
}

// Text is what a search over all ranks a row by.
func (r *record) Text() string { return r.body }

// Hit is a row as a search over all shows it.
func (r *record) Hit(terms []ledger.Term) ledger.Hit {
	id, _, _ := strings.Cut(r.uid, "#")
	return ledger.Hit{
		Time: db.Time(r.time), Kind: transcript.Kind(r.kind), Snippet: r.snippet(terms),
		ID: id, Agent: r.name, Project: r.project,
	}
}

// snippet is the part of a row around the first word that was found.
func (r *record) snippet(terms []ledger.Term) ledger.Excerpt {
	return ledger.Snippet(&transcript.Event{Text: strings.Join(r.texts(), " · ")}, terms)
}

// meets counts the terms of a query that a row holds.
func (r *record) meets(terms []ledger.Term) (n int) {
	words := " " + r.terms() + " "
	for _, term := range terms {
		end := " "
		if term.Prefix {
			end = ""
		}
		if strings.Contains(words, " "+strings.Join(term.Words, " ")+end) {
			n++
		}
	}
	return n
}

// terms is the indexed text of a row, made from its body alone.
func (r *record) terms() string {
	var words []string
	for _, text := range r.texts() {
		words = append(words, ledger.Words(text)...)
	}
	return strings.Join(words, " ")
}

// texts are what a row says, in the order of the names it says it under.
func (r *record) texts() []string {
	var body any
	if r.kind == kindLearning || json.Unmarshal([]byte(r.body), &body) != nil {
		return []string{r.body}
	}
	return appendTexts(nil, body)
}

func appendTexts(texts []string, value any) []string {
	switch value := value.(type) {
	case string:
		if value != "" {
			texts = append(texts, value)
		}
	case []any:
		for _, element := range value {
			texts = appendTexts(texts, element)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if key == "createdAt" || key == "updatedAt" || key == "triggerReason" {
				continue // nobody looks for these by word
			}
			texts = appendTexts(texts, value[key])
		}
	}
	return texts
}
