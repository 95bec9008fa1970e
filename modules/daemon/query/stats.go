package query

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// tallyLine counts the sessions of one name.
type tallyLine struct {
	view.StatsLine
	first, last time.Time
}

// Stats counts what is kept.
func (q *Service) Stats(ctx context.Context) (view.Stats, error) {
	report := view.Stats{Schema: 1, Tools: []view.StatsLine{}, Projects: []view.StatsLine{}}
	size, err := q.store.Stats(ctx)
	if err != nil {
		return report, err
	}
	report.Sessions, report.Events, report.Bytes = size.Sessions, size.Events, size.Bytes
	report.Kept, report.KeptBytes = size.Kept, size.KeptBytes
	list, err := q.store.Sessions(ctx, ledger.SessionFilter{Subagents: true})
	if err != nil {
		return report, err
	}
	report.Tools = tally(list, func(s ledger.Session) string { return s.Tool })
	report.Projects = tally(list, func(s ledger.Session) string { return s.Project.Path })
	restores, err := q.store.Restores(ctx, ledger.SessionKey{}, 0)
	for _, r := range restores {
		switch {
		case r.ByUser():
		case r.Lines > 0:
			report.Restores.Given++
		default:
			report.Restores.Nothing++
		}
	}
	return report, err
}

// tally counts sessions by a name, those with the most first; "" is left out.
func tally(list []ledger.Session, name func(ledger.Session) string) []view.StatsLine {
	lines := map[string]*tallyLine{}
	for _, session := range list {
		key := name(session)
		if key == "" {
			continue
		}
		if lines[key] == nil {
			lines[key] = &tallyLine{StatsLine: view.StatsLine{Name: key}}
		}
		lines[key].count(session)
	}
	counted := make([]view.StatsLine, 0, len(lines))
	for _, line := range lines {
		line.First, line.Last = view.Timestamp(line.first), view.Timestamp(line.last)
		counted = append(counted, line.StatsLine)
	}
	slices.SortFunc(counted, func(a, b view.StatsLine) int {
		return cmp.Or(cmp.Compare(b.Sessions, a.Sessions), cmp.Compare(a.Name, b.Name))
	})
	return counted
}

func (l *tallyLine) count(session ledger.Session) {
	l.Sessions++
	l.Events += session.Events
	if !session.First.IsZero() && (l.first.IsZero() || session.First.Before(l.first)) {
		l.first = session.First
	}
	if session.Last.After(l.last) {
		l.last = session.Last
	}
}
