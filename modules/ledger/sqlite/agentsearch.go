package sqlite

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

const defaultAgentLimit = 10

// SearchAgents finds what agents left, newest first; with Any those that hold
// most of the words first.
func (l *Store) SearchAgents(ctx context.Context, query ledger.AgentQuery) ([]ledger.AgentHit, error) {
	terms := ledger.Terms(query.Text)
	if len(terms) == 0 {
		return nil, nil
	}
	match := matchExpression(nil, terms)
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
	rows, err := l.agentRows(ctx, where+" ORDER BY time DESC, id DESC LIMIT 1000", args...)
	if err != nil {
		return nil, err
	}
	if query.Any {
		slices.SortStableFunc(rows, func(a, b agentRow) int { return cmp.Compare(b.meets(terms), a.meets(terms)) })
	}
	limit := query.Limit
	if limit <= 0 {
		limit = defaultAgentLimit
	}
	var hits []ledger.AgentHit
	for _, row := range rows[:min(limit, len(rows))] {
		id, _, _ := strings.Cut(row.uid, "#")
		hits = append(hits, ledger.AgentHit{
			Kind: row.kind, Project: row.project, Agent: row.name, ID: id, Time: fromMilliseconds(row.time),
			Snippet: row.snippet(terms).Text,
		})
	}
	return hits, nil
}

// leftByAgents finds what named agents left, by id, for a search over all. A
// learning is in its handoff too, so it is one only where learnings are asked
// for.
func (l *Store) leftByAgents(ctx context.Context, query ledger.Query, terms []ledger.Term) (map[int64]agentRow, error) {
	if query.EventsOnly || query.Tool != "" {
		return nil, nil
	}
	kinds := []any{agentLedger, agentHandoff}
	if query.Kind != "" {
		kinds = []any{string(query.Kind)}
	}
	where := "kind IN (" + marks(len(kinds)) + ") AND id IN (SELECT rowid FROM agent_search WHERE agent_search MATCH ?)"
	args := slices.Concat(kinds, []any{matchExpression(nil, terms)})
	if query.Project != "" {
		where += " AND project = ?"
		args = append(args, query.Project)
	}
	if !query.Since.IsZero() {
		where += " AND time >= ?"
		args = append(args, milliseconds(query.Since))
	}
	if !query.Until.IsZero() {
		where += " AND time < ?"
		args = append(args, milliseconds(query.Until))
	}
	rows, err := l.agentRows(ctx, where+" ORDER BY time DESC, id DESC LIMIT "+strconv.Itoa(considered), args...)
	left := make(map[int64]agentRow, len(rows))
	for _, row := range rows {
		left[row.id] = row
	}
	return left, err
}

// hit is a row as a search over all shows it.
func (r *agentRow) hit(terms []ledger.Term) ledger.Hit {
	id, _, _ := strings.Cut(r.uid, "#")
	return ledger.Hit{
		Time: fromMilliseconds(r.time), Kind: transcript.Kind(r.kind), Snippet: r.snippet(terms),
		ID: id, Agent: r.name, Project: r.project,
	}
}

// snippet is the part of a row around the first word that was found.
func (r *agentRow) snippet(terms []ledger.Term) ledger.Excerpt {
	return ledger.Snippet(&transcript.Event{Text: strings.Join(r.texts(), " · ")}, terms)
}

// meets counts the terms of a query that a row holds.
func (r *agentRow) meets(terms []ledger.Term) (n int) {
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
func (r *agentRow) terms() string {
	var words []string
	for _, text := range r.texts() {
		words = append(words, ledger.Words(text)...)
	}
	return strings.Join(words, " ")
}

// texts are what a row says, in the order of the names it says it under.
func (r *agentRow) texts() []string {
	var body any
	if r.kind == agentLearning || json.Unmarshal([]byte(r.body), &body) != nil {
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
