// Package coverage says how much of what each tool wrote was understood, by the
// versions that wrote it.
package coverage

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/dashboard/picture"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Of joins what was understood of each tool with the versions that wrote it, the tool
// with the most records first.
func Of(list []ledger.ToolCoverage, sessions []ledger.Session) []Tool {
	tools := make([]Tool, len(list))
	for i, one := range list {
		tools[i] = Tool{ToolCoverage: one, Unknown: one.Coverage.UnknownTotal(), Versions: versionsOf(one, sessions)}
	}
	slices.SortStableFunc(tools, func(a, b Tool) int { return cmp.Compare(b.Coverage.Records, a.Coverage.Records) })
	return tools
}

// Tool says how much of a tool's records was understood.
type Tool struct {
	ledger.ToolCoverage
	Unknown  int64
	Versions []Version
}

// Known is the share of the tool's records that a spec knows, in percent.
func (t Tool) Known() float64 {
	if t.Coverage.Records == 0 {
		return 100
	}
	return 100 * float64(t.Coverage.Records-t.Unknown) / float64(t.Coverage.Records)
}

// Version is what one version of a tool wrote.
type Version struct {
	Version  string // "" where the transcripts do not say
	Sessions int
	Events   int
	Last     time.Time
	Unknown  []picture.Class // kinds of records that no spec knows, the most frequent first
	Unread   int64           // records and calls of those kinds
}

// shown is how many kinds of records stand open; a tool that keeps its state in its
// transcripts has dozens of them.
const shown = 4

// Shown are the most frequent kinds that are unknown.
func (v Version) Shown() []picture.Class { return v.Unknown[:min(shown, len(v.Unknown))] }

// Folded are the others.
func (v Version) Folded() []picture.Class { return v.Unknown[min(shown, len(v.Unknown)):] }

// Known is the share, in percent, of what was read in all that was read or is of an
// unknown kind. A tool's records are counted for all of its versions together.
func (v Version) Known() float64 {
	if v.Unread == 0 {
		return 100
	}
	return 100 * float64(v.Events) / (float64(v.Events) + float64(v.Unread))
}

// versionsOf are the versions of a tool, the one used last first; those without a
// session are known by what they wrote and no spec knows.
func versionsOf(tool ledger.ToolCoverage, sessions []ledger.Session) []Version {
	known := map[string]*Version{}
	at := func(version string) *Version {
		if known[version] == nil {
			known[version] = &Version{Version: version}
		}
		return known[version]
	}
	for _, session := range sessions {
		if session.Tool != tool.Tool {
			continue
		}
		version := at(session.Version)
		version.Sessions++
		version.Events += session.Events
		if session.Last.After(version.Last) {
			version.Last = session.Last
		}
	}
	for version, kinds := range tool.Coverage.Unknown {
		for _, kind := range slices.Sorted(maps.Keys(kinds)) {
			at(version).Unknown = append(at(version).Unknown, picture.Class{Name: kind, Count: int(kinds[kind])})
			if !strings.HasPrefix(kind, transcript.MemberPrefix) {
				at(version).Unread += kinds[kind]
			}
		}
		slices.SortStableFunc(at(version).Unknown, func(a, b picture.Class) int { return b.Count - a.Count })
	}
	var versions []Version
	for _, name := range slices.Sorted(maps.Keys(known)) {
		versions = append(versions, *known[name])
	}
	slices.SortStableFunc(versions, func(a, b Version) int { return b.Last.Compare(a.Last) })
	return versions
}
