package session

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/readers"
	"github.com/carryover-go/carryover/toolspecs/spectest"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// withoutWork are beginnings of a session as its tool writes them: only opened; a greeting
// that was never answered, as the agent crashed; and one with its answer. A request that
// was not begun is no such thing: it is what the next session is to do.
func withoutWork(events []transcript.Located) map[string][]transcript.Located {
	isPrompt := func(e transcript.Located) bool { return e.Kind == transcript.Prompt && e.Origin == transcript.Typed }
	first := slices.IndexFunc(events, isPrompt)
	isWork := func(e transcript.Located) bool {
		return e.Kind == transcript.Prompt || e.Kind == transcript.Reply || e.Kind == transcript.Compacted
	}
	if first < 0 || slices.ContainsFunc(events[:first], isWork) {
		return nil
	}
	crashed := slices.Clone(events[:first+1])
	crashed[first].Text = "hello"
	greeting := slices.Clone(crashed)
	answered := slices.IndexFunc(events[first:], func(e transcript.Located) bool { return e.Kind == transcript.Reply })
	if answered > 0 {
		reply := events[first+answered]
		reply.Text = "Hello! What shall we do?"
		greeting = append(greeting, reply)
	}
	return map[string][]transcript.Located{"opened": events[:first], "crashed": crashed, "a greeting": greeting}
}

// A session that is opened and closed, crashes at its first prompt or only greets never
// takes the place of one with work, whichever tool wrote it: each fixture of each tool
// is cut there.
func TestStanding_NoToolsEmptySessionReplacesWork(t *testing.T) {
	table, failed := toolspecs.Load(nil)
	if len(failed) > 0 {
		t.Fatal(failed)
	}
	tried := map[string]int{}
	for _, spec := range table.All() {
		reader, err := readers.For(spec)
		if err != nil {
			t.Fatal(err)
		}
		fixtures, err := spectest.Fixtures(spec.Tool)
		if err != nil {
			t.Fatal(err)
		}
		d := newDays(t)
		work := d.work("Parse the dates of the log file", 1)
		for _, fixture := range fixtures {
			events, _, err := fixture.Read(reader)
			if err != nil || fixtureOfSubagent(events) {
				continue
			}
			for name, cut := range withoutWork(events) {
				tried[spec.Tool]++
				d.later(spec.Tool, cut)
				if got, value := d.stands(); got != work || value != OwnWork {
					t.Fatalf("%s, %s, %s: it stands with %d in place of the work: %v", spec.Tool, fixture.Name, name, value, got)
				}
			}
		}
		if tried[spec.Tool] == 0 && spec.ReaderName() == spec.Tool {
			t.Errorf("no session of %s was tried", spec.Name)
		}
	}
}

// latest is after every session of days.
var latest = time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)

func fixtureOfSubagent(events []transcript.Located) bool {
	return slices.ContainsFunc(events, func(e transcript.Located) bool { return e.Subagent })
}

// later keeps events of a tool as a session that is newer than all others.
func (d *days) later(tool string, events []transcript.Located) {
	d.t.Helper()
	d.n++
	id := fmt.Sprintf("later %d", d.n)
	located := []transcript.Located{{Event: transcript.Event{Kind: transcript.Session, ID: "opened", WorkDir: &transcript.WorkDir{Cwd: worktree}}}}
	located = append(located, slices.Clone(events)...)
	at := latest.AddDate(0, 0, d.n)
	for i := range located {
		located[i].Tool, located[i].Session, located[i].Time, located[i].Civil = tool, id, at, false
		located[i].ID += ":" + id
		located[i].Ref = transcript.Ref{Offset: int64(i + 1), Line: int64(i + 1)}
		if located[i].WorkDir != nil {
			located[i].WorkDir = &transcript.WorkDir{Cwd: worktree}
		}
		if located[i].Start != nil {
			start := *located[i].Start
			start.From, start.How = "", ""
			located[i].Start = &start
		}
	}
	source := ledger.Source{Tool: tool, Path: id, Main: id, Position: transcript.Position{Offset: int64(len(located) + 1)}}
	if _, err := d.log.Append(context.Background(), ledger.Batch{Source: source, Events: located}); err != nil {
		d.t.Fatal(err)
	}
}
