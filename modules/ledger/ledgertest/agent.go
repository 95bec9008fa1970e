package ledgertest

import (
	"slices"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
)

// testAgents holds what named agents leave to what they left.
func testAgents(t *testing.T, open Open) {
	log := newFixture(t, open).log
	ctx := t.Context()
	at := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	const project = "p1"
	mine := ledger.AgentLedger{AgentName: "alice", CLI: "claude", CurrentTask: "rate limiter", NextSteps: []string{"wire it"}, UpdatedAt: at}
	if err := log.PutAgentLedger(ctx, project, mine); err != nil {
		t.Fatal(err)
	}
	mine.CurrentTask = "token bucket"
	if err := log.PutAgentLedger(ctx, project, mine); err != nil {
		t.Fatal(err)
	}
	got, found, err := log.AgentLedger(ctx, project, "alice")
	if err != nil || !found || got.CurrentTask != "token bucket" || len(got.NextSteps) != 1 {
		t.Fatalf("the ledger is %+v, %v, %v", got, found, err)
	}
	if _, found, _ := log.AgentLedger(ctx, "p2", "alice"); found {
		t.Error("the ledger of another project was given")
	}
	for i, id := range []string{"h1", "h2", "h3"} {
		handoff := ledger.AgentHandoff{
			ID: id, AgentName: "alice", TaskDescription: "token bucket", Learnings: []string{"redis needs clock skew " + id},
			CreatedAt: at.AddDate(0, 0, i), TriggerReason: ledger.TriggerManual,
		}
		if err := log.PutHandoff(ctx, project, handoff); err != nil {
			t.Fatal(err)
		}
	}
	agentHits(t, log, ledger.AgentQuery{Text: "rate"}, 0) // the former text of the ledger
	agentHits(t, log, ledger.AgentQuery{Text: "bucket"}, 4)
	agentHits(t, log, ledger.AgentQuery{Text: "nowhere redis", Any: true, Kind: "learning"}, 3)
	agentHits(t, log, ledger.AgentQuery{Text: "bucket", Project: "p2"}, 0)

	handoffIDs(t, log, ledger.HandoffFilter{Agent: "alice", Limit: 1, After: "h3"}, "h2")
	handoffIDs(t, log, ledger.HandoffFilter{Agent: "alice", After: "h1"})
	if err := log.ArchiveHandoffs(ctx, at.Add(time.Hour), 2); err != nil {
		t.Fatal(err)
	}
	handoffIDs(t, log, ledger.HandoffFilter{Agent: "alice"}, "h3", "h2")
	handoffIDs(t, log, ledger.HandoffFilter{ID: "h1"}) // more than were to be kept
	if err := log.ArchiveHandoffs(ctx, at.AddDate(0, 0, 1).Add(time.Hour), 0); err != nil {
		t.Fatal(err)
	}
	handoffIDs(t, log, ledger.HandoffFilter{Agent: "alice"}, "h3")
	agentHits(t, log, ledger.AgentQuery{Text: "h2"}, 2) // archived and still found

	if err := log.ClearAgent(ctx, project, "alice"); err != nil {
		t.Fatal(err)
	}
	agentHits(t, log, ledger.AgentQuery{Text: "bucket"}, 0)
	if agents, err := log.NamedAgents(ctx); err != nil || len(agents) != 0 {
		t.Errorf("after clearing there are %v, %v", agents, err)
	}
}

func agentHits(t *testing.T, log ledger.Store, query ledger.AgentQuery, want int) {
	t.Helper()
	hits, err := log.SearchAgents(t.Context(), query)
	if err != nil || len(hits) != want {
		t.Errorf("%+v finds %+v, %v, want %d", query, hits, err, want)
	}
}

func handoffIDs(t *testing.T, log ledger.Store, filter ledger.HandoffFilter, want ...string) {
	t.Helper()
	list, err := log.Handoffs(t.Context(), filter)
	var ids []string
	for _, handoff := range list {
		ids = append(ids, handoff.ID)
	}
	if err != nil || !slices.Equal(ids, want) {
		t.Errorf("%+v lists %v, %v, want %v", filter, ids, err, want)
	}
}
