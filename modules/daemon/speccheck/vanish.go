package speccheck

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
)

// A kind of event is missed in a version when it came in most sessions of the versions
// before and in none of its own, of which there are a few.
const (
	enoughSessions = 5
	mostSessions   = 80 // percent
)

// Vanished are the kinds of events that the newest version of a tool no longer gives,
// in a sentence each: a record was renamed, and what it told is lost.
func (t Tool) Vanished() []string {
	versions := slices.DeleteFunc(slices.Clone(t.Versions), func(v Version) bool { return v.Sessions == 0 || v.Version == "" })
	if len(versions) < 2 || versions[0].Sessions < enoughSessions {
		return nil
	}
	newest, sessions, having := versions[0], 0, map[string]int{}
	for _, older := range versions[1:] {
		sessions += older.Sessions
		for kind, n := range older.With {
			having[kind] += n
		}
	}
	if sessions < enoughSessions {
		return nil
	}
	var gone []string
	for kind, n := range having {
		if n*100 >= sessions*mostSessions && newest.With[kind] == 0 {
			gone = append(gone, fmt.Sprintf("%s: in %d of %d sessions before version %s, in none of its %d", kind, n, sessions, newest.Version, newest.Sessions))
		}
	}
	slices.SortFunc(gone, cmp.Compare[string])
	return gone
}

// Vanished are, by tool, the kinds of events that its newest version no longer gives.
// Events are read only of tools that a new version has a few sessions of.
func Vanished(ctx context.Context, table *toolspecs.Table, log ledger.Store) (map[string][]string, error) {
	gone := map[string][]string{}
	for _, spec := range table.All() {
		filter := ledger.SessionFilter{Tool: spec.Tool, Limit: newest}
		sessions, err := log.Sessions(ctx, filter)
		if err != nil {
			return nil, fmt.Errorf("compare %s: %w", spec.Name, err)
		}
		if !comparableSessions(sessions) {
			continue
		}
		tool := Tool{Spec: spec}
		if err := tool.read(ctx, log, filter, nil, nil); err != nil {
			return nil, fmt.Errorf("compare %s: %w", spec.Name, err)
		}
		if lost := tool.Vanished(); len(lost) > 0 {
			gone[spec.Tool] = lost
		}
	}
	return gone, nil
}

// comparableSessions says that sessions, newest first, are of two versions and enough of each.
func comparableSessions(sessions []ledger.Session) bool {
	versions := map[string]int{}
	first, known := "", 0
	for _, session := range sessions {
		if session.Version == "" {
			continue
		}
		first = cmp.Or(first, session.Version)
		versions[session.Version]++
		known++
	}
	return versions[first] >= enoughSessions && known-versions[first] >= enoughSessions
}
