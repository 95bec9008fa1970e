// Package ledgertest holds what every ledger.Log must do, as tests that an
// implementation calls with its own way to open one.
package ledgertest

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Open opens the ledger at a place that belongs to the test. Called again with
// the same place after Close, it opens the same ledger again.
type Open func(t testing.TB, place string) ledger.Store

// Run runs the whole contract.
func Run(t *testing.T, open Open) {
	for _, group := range []struct {
		name string
		test func(*testing.T, Open)
	}{
		{"append", testAppend},
		{"copies", testCopies},
		{"future", testFuture},
		{"replace", testReplace},
		{"hooks", testHooks},
		{"sources", testSources},
		{"order", testOrder},
		{"parts", testParts},
		{"sessions", testSessions},
		{"projects", testProjects},
		{"search", testSearch},
		{"restores", testRestores},
		{"agents", testAgents},
		{"originals", testOriginals},
		{"any order, split and kill", testAnyWay},
	} {
		t.Run(group.name, func(t *testing.T) { group.test(t, open) })
	}
}

// tool is what the tests call their agent.
const tool = "claude-code"

// start is the time of the first event.
var start = time.Date(2024, 5, 1, 10, 0, 0, 0, time.UTC)

// fixture is a ledger with what most tests do to it.
type fixture struct {
	*testing.T
	log ledger.Store
}

func newFixture(t *testing.T, open Open) fixture {
	log := open(t, t.TempDir())
	t.Cleanup(func() { _ = log.Close() })
	return fixture{t, log}
}

func (f fixture) append(batch ledger.Batch) ledger.Appended {
	f.Helper()
	count, err := f.log.Append(context.Background(), batch)
	if err != nil {
		f.Fatal(err)
	}
	return count
}

// ids lists the events of a session, in order.
func (f fixture) ids(session string) []string {
	f.Helper()
	var ids []string
	for _, located := range f.events(session) {
		ids = append(ids, located.ID)
	}
	return ids
}

func (f fixture) events(session string) []transcript.Located {
	f.Helper()
	var events []transcript.Located
	for located, err := range f.log.Events(context.Background(), key(session)) {
		if err != nil {
			f.Fatal(err)
		}
		events = append(events, located)
	}
	return events
}

func (f fixture) session(id string) ledger.Session {
	f.Helper()
	session, ok, err := f.log.Session(context.Background(), key(id))
	if err != nil || !ok {
		f.Fatalf("session %s: found %t, %v", id, ok, err)
	}
	return session
}

func (f fixture) digest() ledger.Digest {
	f.Helper()
	digest, err := f.log.Digest(context.Background())
	if err != nil {
		f.Fatal(err)
	}
	return digest
}

func (f fixture) wantIDs(session string, want ...string) {
	f.Helper()
	if got := f.ids(session); !slices.Equal(got, want) {
		f.Errorf("events of %s are %q, want %q", session, got, want)
	}
}

func key(session string) ledger.SessionKey { return ledger.SessionKey{Tool: tool, ID: session} }

// file is a batch that holds the whole of a transcript: each event on a line of
// its own, 100 bytes long, one second after the one before.
func file(session string, events ...transcript.Event) ledger.Batch {
	batch := ledger.Batch{Source: ledger.Source{
		Tool: tool, Path: "/sessions/" + session + ".jsonl", Main: session, Revision: 1,
		Position: transcript.Position{Offset: int64(100 * len(events)), Line: int64(len(events))},
	}}
	for i, event := range events {
		if event.Session == "" {
			event.Session = session
		}
		if event.Time.IsZero() {
			event.Time = start.Add(time.Duration(i) * time.Second)
		}
		batch.Events = append(batch.Events, transcript.Located{
			Event: event,
			Ref:   transcript.Ref{Offset: int64(100 * i), Length: 100, Line: int64(i + 1)},
		})
	}
	batch.Coverage = transcript.Coverage{Records: int64(len(events)), Read: int64(len(events))}
	return batch
}

func prompt(id, text string) transcript.Event {
	return transcript.Event{ID: id, Kind: transcript.Prompt, Text: text, Origin: transcript.Typed}
}

func reply(id, text string) transcript.Event {
	return transcript.Event{ID: id, Kind: transcript.Reply, Text: text}
}

func call(id, callID, command string) transcript.Event {
	return transcript.Event{ID: id, Kind: transcript.Call, Call: &transcript.CallInfo{
		ID: callID, Name: "Bash", Meaning: transcript.Shell, Command: command,
	}}
}

func result(id, callID, text string) transcript.Event {
	return transcript.Event{ID: id, Kind: transcript.Result, Result: &transcript.ResultInfo{CallID: callID, Text: text}}
}
