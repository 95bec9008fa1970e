package daemon_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite"
	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// A fork of Codex holds only its new lines. What it starts from is its parent
// as it was where it was forked off, not what the parent did afterwards.
func TestAForkStartsFromWhereItWasForkedOff(t *testing.T) {
	log, err := sqlite.Open(filepath.Join(t.TempDir(), "ledger.sqlite"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	at := time.Date(2026, 11, 1, 10, 0, 0, 0, time.UTC)
	keep := func(session string, events ...transcript.Located) {
		t.Helper()
		for i := range events {
			events[i].Tool, events[i].Session, events[i].Time = "codex", session, at.Add(time.Duration(events[i].Ref.Offset)*time.Second)
			events[i].ID = session + "/" + string(events[i].Kind) + strings.Repeat("i", i)
		}
		source := ledger.Source{Tool: "codex", Path: session, Main: session, Position: transcript.Position{Offset: 1000}}
		if _, err := log.Append(context.Background(), ledger.Batch{Source: source, Events: events}); err != nil {
			t.Fatal(err)
		}
	}
	located := func(offset int64, event transcript.Event) transcript.Located {
		return transcript.Located{Event: event, Ref: transcript.Ref{Offset: offset, Line: offset}}
	}
	chose := func(question, chosen string) transcript.Event {
		return transcript.Event{Kind: transcript.Decided, Decision: &transcript.Decision{Question: question, Chosen: []string{chosen}, Kind: "asked"}}
	}
	keep("parent",
		located(1, transcript.Event{Kind: transcript.Session, WorkDir: &transcript.WorkDir{Cwd: "/home/dev/p"}}),
		located(10, transcript.Event{Kind: transcript.Prompt, Origin: transcript.Typed, Text: "Build the importer for the log files"}),
		located(20, chose("Which format?", "JSON lines")),
		located(60, chose("Which database?", "Oracle")),
	)
	keep("child",
		located(1, transcript.Event{
			Kind: transcript.Session, WorkDir: &transcript.WorkDir{Cwd: "/home/dev/p"},
			Start: &transcript.Start{From: "parent", How: "fork", FromOffset: 50},
		}),
		located(10, transcript.Event{Kind: transcript.Prompt, Origin: transcript.Typed, Text: "Try the importer with a smaller buffer"}),
	)
	table, _ := toolspecs.Load(nil)
	pipeline := daemon.NewServices(home.Dir(t.TempDir()), config.Default(), table, log, zap.NewNop(), daemon.Driver{})
	session, found, err := log.Session(context.Background(), ledger.SessionKey{Tool: "codex", ID: "child"})
	if err != nil || !found {
		t.Fatalf("the fork is not there: %v", err)
	}
	facts, err := pipeline.Distil(context.Background(), session)
	if err != nil {
		t.Fatal(err)
	}
	var chosen []string
	for _, decision := range facts.Decisions {
		chosen = append(chosen, decision.Chosen...)
	}
	if got := strings.Join(chosen, ","); got != "JSON lines" {
		t.Errorf("the fork starts from the decisions %q, want those before it", got)
	}
}
