package memory

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/effect"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Effects counts over all sessions, oldest first.
func (m *Service) Effects(ctx context.Context) (view.Effects, error) {
	result := view.Effects{Schema: 1, Items: []view.Effect{}, Tokens: []view.TokenLine{}}
	sessions, err := m.query.SessionsIn(ctx, "", ledger.SessionFilter{})
	if err != nil {
		return result, err
	}
	slices.SortFunc(sessions, func(a, b ledger.Session) int { return cmp.Or(a.First.Compare(b.First), cmp.Compare(a.ID, b.ID)) })
	restores, err := m.store.Restores(ctx, ledger.SessionKey{}, 0)
	if err != nil {
		return result, err
	}
	given := map[ledger.SessionKey]int{}
	for _, r := range restores {
		if r.Begins() && r.Lines > 0 {
			given[r.Session] = r.Bytes
		}
	}
	known := map[string]*effect.Memory{}
	tokens := tokenCount{}
	var counted []effect.Session
	for _, session := range sessions {
		var failed error
		one := effect.Count(func(yield func(transcript.Located) bool) {
			for event, err := range m.store.Events(ctx, session.SessionKey) {
				if failed = err; err != nil {
					return
				}
				tokens.add(event)
				if !event.Withdrawn && !event.Subagent && !yield(event) {
					return
				}
			}
		}, known[session.Project.ID])
		if failed != nil {
			return result, failed
		}
		one.Tool, one.Project = session.Tool, session.Project.Path
		one.Bytes, one.Given = given[session.SessionKey], given[session.SessionKey] > 0
		counted = append(counted, one)
		if session.Project.ID != "" {
			known[session.Project.ID] = known[session.Project.ID].Add(one)
		}
	}
	result.Items, result.Tokens = effect.Of(counted), tokens.lines()
	return result, nil
}

// tokenCount adds usage records up by day, tool and model.
type tokenCount map[[3]string]view.TokenLine

func (t tokenCount) add(event transcript.Located) {
	if event.Kind != transcript.UsageRead || event.Usage == nil || event.Time.IsZero() {
		return
	}
	key := [3]string{event.Time.UTC().Format("2006-01-02"), event.Tool, event.Usage.Model}
	line := t[key]
	line.Day, line.Tool, line.Model = key[0], key[1], key[2]
	line.Replies++
	line.Tokens += event.Usage.Context
	t[key] = line
}

func (t tokenCount) lines() []view.TokenLine {
	lines := make([]view.TokenLine, 0, len(t))
	for _, line := range t {
		lines = append(lines, line)
	}
	slices.SortFunc(lines, func(a, b view.TokenLine) int {
		return cmp.Or(strings.Compare(b.Day, a.Day), cmp.Compare(b.Tokens, a.Tokens), strings.Compare(a.Tool+a.Model, b.Tool+b.Model))
	})
	return lines
}
