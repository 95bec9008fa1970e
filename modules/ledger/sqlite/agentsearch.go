package sqlite

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

const defaultAgentLimit = 10

// SearchAgents finds what agents left, newest first; with Any those that hold
// most of the words first.
func (l *Log) SearchAgents(ctx context.Context, query ledger.AgentQuery) ([]ledger.AgentHit, error) {
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
			Snippet: ledger.Snippet(&transcript.Event{Text: strings.Join(row.texts(), " · ")}, terms),
		})
	}
	return hits, nil
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
