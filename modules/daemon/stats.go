package daemon

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
)

// StatsReport says what is kept, and what came of it (docs/json-output.md).
type StatsReport struct {
	Schema   int         `json:"schema"`
	Sessions int         `json:"sessions"`
	Events   int         `json:"events"`
	Bytes    int64       `json:"bytes"` // of the ledger on disk
	Tools    []StatsLine `json:"tools"`
	Projects []StatsLine `json:"projects"` // the busiest first
	Restores Restored    `json:"restores"`
}

// StatsLine counts the sessions of one tool or project.
type StatsLine struct {
	Name     string `json:"name"`
	Sessions int    `json:"sessions"`
	Events   int    `json:"events"`
	First    string `json:"first,omitempty"`
	Last     string `json:"last,omitempty"`

	first, last time.Time
}

// Restored counts what sessions were given.
type Restored struct {
	Given   int `json:"given"`   // a handoff, or the seam after a cut
	Nothing int `json:"nothing"` // the gate decided against it
}

// Stats counts what is kept.
func (p *Pipeline) Stats(ctx context.Context) (StatsReport, error) {
	report := StatsReport{Schema: 1, Tools: []StatsLine{}, Projects: []StatsLine{}}
	size, err := p.Log.Stats(ctx)
	if err != nil {
		return report, err
	}
	report.Sessions, report.Events, report.Bytes = size.Sessions, size.Events, size.Bytes
	list, err := p.Log.Sessions(ctx, ledger.SessionFilter{Subagents: true})
	if err != nil {
		return report, err
	}
	report.Tools = tally(list, func(s ledger.Session) string { return s.Tool })
	report.Projects = tally(list, func(s ledger.Session) string { return s.Project.Path })
	restores, err := p.Log.Restores(ctx, ledger.SessionKey{}, 0)
	for _, r := range restores {
		if r.Lines > 0 {
			report.Restores.Given++
		} else {
			report.Restores.Nothing++
		}
	}
	return report, err
}

// tally counts sessions by a name, those with the most first; "" is left out.
func tally(list []ledger.Session, name func(ledger.Session) string) []StatsLine {
	lines := []StatsLine{}
	at := map[string]int{}
	for _, session := range list {
		key := name(session)
		if key == "" {
			continue
		}
		i, known := at[key]
		if !known {
			i = len(lines)
			at[key] = i
			lines = append(lines, StatsLine{Name: key})
		}
		lines[i].count(session)
	}
	slices.SortStableFunc(lines, func(a, b StatsLine) int {
		return cmp.Or(cmp.Compare(b.Sessions, a.Sessions), cmp.Compare(a.Name, b.Name))
	})
	for i := range lines {
		lines[i].First, lines[i].Last = Stamp(lines[i].first), Stamp(lines[i].last)
	}
	return lines
}

func (l *StatsLine) count(session ledger.Session) {
	l.Sessions++
	l.Events += session.Events
	if !session.First.IsZero() && (l.first.IsZero() || session.First.Before(l.first)) {
		l.first = session.First
	}
	if session.Last.After(l.last) {
		l.last = session.Last
	}
}
