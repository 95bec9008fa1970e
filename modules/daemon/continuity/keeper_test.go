package continuity_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite"
)

// kept is a keeper over a ledger, for an agent in a worktree.
func kept(t *testing.T, most int) (*continuity.Keeper, continuity.AgentLocation) {
	t.Helper()
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "ledger.sqlite"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	keeper := &continuity.Keeper{Log: store, KeepHandoffs: most, Now: func() time.Time { now = now.Add(time.Minute); return now }}
	return keeper, continuity.AgentLocation{Project: "p", Worktree: t.TempDir()}
}

func save(t *testing.T, k *continuity.Keeper, at continuity.AgentLocation, m view.AgentMessage) {
	t.Helper()
	m.AgentName = "reviewer"
	if _, err := k.Save(t.Context(), at, m); err != nil {
		t.Fatal(err)
	}
}

func TestSave_KeepsItsReason(t *testing.T) {
	k, at := kept(t, 0)
	const said = "Task: parse dates\nNext steps: the zones"
	save(t, k, at, view.AgentMessage{Content: said, CreateHandoff: true})
	save(t, k, at, view.AgentMessage{Content: said, CreateHandoff: true, Summary: "end of day"})
	list, err := k.Log.Handoffs(t.Context(), ledger.HandoffFilter{})
	if err != nil || len(list) != 2 || list[0].Summary != "end of day" {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestRetention_RemovesTheMarkdownToo(t *testing.T) {
	k, at := kept(t, 2)
	for _, task := range []string{"one", "two", "three", "four"} {
		save(t, k, at, view.AgentMessage{Content: "Task: " + task + "\nNext steps: go on with " + task, CreateHandoff: true})
	}
	files, err := filepath.Glob(filepath.Join(at.Worktree, ".carryover", "handoffs", "reviewer", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	list, err := k.Log.Handoffs(t.Context(), ledger.HandoffFilter{Archived: true})
	if err != nil || len(list) != len(files) || len(files) == 4 {
		t.Errorf("%d handoffs are kept and %d files: %v, %v", len(list), len(files), files, err)
	}
	for _, file := range files {
		if text, err := os.ReadFile(file); err != nil || strings.Contains(string(text), "# one\n") {
			t.Errorf("%s stays: %v", file, err)
		}
	}
}

// What the terminal showed at the end of a run holds until the next save.
func TestSave_ReplacesWhatTheTerminalShowed(t *testing.T) {
	k, at := kept(t, 0)
	shown := func(text string) *ledger.AgentLedger {
		return &ledger.AgentLedger{Notes: []string{continuity.ShownPrefix + "(exit status 1) the terminal showed: " + text}}
	}
	save(t, k, at, view.AgentMessage{Auto: true, CreateHandoff: true, Reason: ledger.TriggerCrash, Ledger: shown("panic: one")})
	save(t, k, at, view.AgentMessage{Auto: true, CreateHandoff: true, Reason: ledger.TriggerCrash, Ledger: shown("panic: two")})
	notes, _, err := k.Log.AgentLedger(t.Context(), "p", "reviewer")
	if err != nil || len(notes.Notes) != 1 || !strings.HasSuffix(notes.Notes[0], "panic: two") {
		t.Errorf("%q, %v", notes.Notes, err)
	}
	save(t, k, at, view.AgentMessage{Content: "Task: mend it"})
	if notes, _, err = k.Log.AgentLedger(t.Context(), "p", "reviewer"); err != nil || len(notes.Notes) != 0 {
		t.Errorf("%q, %v", notes.Notes, err)
	}
}

func TestParseTrajectory_AnActiveOneGivesItsDecisions(t *testing.T) {
	read, err := continuity.ParseTrajectory([]byte(`{"id":"traj_1","status":"active","task":{"title":"Build it"},"chapters":[{"title":"Plan","events":[
		{"type":"decision","raw":{"question":"Which store?","chosen":"SQLite","reasoning":"one file"}}]}]}`))
	if err != nil || read.Active == nil {
		t.Fatalf("%+v, %v", read, err)
	}
	want := ledger.AgentChose{Decision: "SQLite", Question: "Which store?", Reasoning: "one file"}
	if !slices.ContainsFunc(read.Active.KeyDecisions, func(d ledger.AgentChose) bool {
		return d.Decision == want.Decision && d.Question == want.Question && d.Reasoning == want.Reasoning
	}) {
		t.Errorf("%+v", read.Active.KeyDecisions)
	}
}
