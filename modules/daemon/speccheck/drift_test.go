package speccheck_test

import (
	"context"
	"iter"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/hookstats"
	"github.com/carryover-go/carryover/modules/daemon/speccheck"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

var wired = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// One session ran before the tool was wired, two after it. A prompt hook came
// between those two and never again, no hook came at a start, and nothing was
// compacted.
func TestTranscriptsProveWhichHooksFire(t *testing.T) {
	dir := home.Dir(t.TempDir())
	record := wiring.Record{Installed: wired.Add(-time.Hour), Files: []wiring.FileRecord{
		{Tool: "claude-code", Path: "/home/dev/.claude/settings.json", Version: "2.1.329", Wired: wired},
	}}
	if err := record.Write(dir); err != nil {
		t.Fatal(err)
	}
	book := hookstats.Open(dir)
	for event, at := range map[string]time.Time{"UserPromptSubmit": wired.Add(90 * time.Minute), "Stop": wired.Add(5 * time.Hour)} {
		if err := book.Note("claude-code", event, at); err != nil {
			t.Fatal(err)
		}
	}
	log := history{
		sessions: []ledger.Session{session("third", "2.1.330", 3*time.Hour), session("second", "2.1.329", time.Hour), session("first", "2.1.329", -time.Hour)},
		events: []transcript.Event{
			{Kind: transcript.Prompt, Origin: transcript.Typed},
			{Kind: transcript.Reply},
			{Kind: transcript.Call, Call: &transcript.CallInfo{ID: "1", Name: "Read"}},
			{Kind: transcript.Result, Result: &transcript.ResultInfo{CallID: "1"}},
			{Kind: transcript.Call, Call: &transcript.CallInfo{ID: "2", Name: "Bash"}},
			{Kind: transcript.Result, Result: &transcript.ResultInfo{CallID: "2"}},
			{Kind: transcript.Call, Call: &transcript.CallInfo{ID: "3", Name: "Bash"}},
			{Kind: transcript.Result, Result: &transcript.ResultInfo{CallID: "3", Failed: true}},
		},
		unknown: map[string]map[string]int64{"2.1.330": {"brand-new": 4}},
	}
	tool := look(t, dir, log)
	for _, want := range []struct {
		event     string
		verdict   string
		occasions int
	}{
		{"SessionStart", speccheck.Silent, 2},
		{"UserPromptSubmit", speccheck.Stopped, 2},
		{"PostToolUse", speccheck.Silent, 2}, // the Bash calls that ended well
		{"PreCompact", speccheck.Unproven, 0},
		{"Stop", speccheck.Fires, 2},
		{"SessionEnd", speccheck.Unproven, 0},
	} {
		for _, hook := range tool.Hooks {
			if hook.Event == want.event && (hook.Verdict() != want.verdict || hook.Occasions != want.occasions) {
				t.Errorf("%s %s with %d occasions, want %s with %d", hook.Event, hook.Verdict(), hook.Occasions, want.verdict, want.occasions)
			}
		}
	}
	if len(tool.Hooks) != 6 || len(tool.Versions) != 2 {
		t.Fatalf("%d hooks, %d versions", len(tool.Hooks), len(tool.Versions))
	}
	newest := tool.Versions[0]
	if newest.Version != "2.1.330" || newest.Calls["Bash"] != 2 || newest.Kinds["prompt"] != 1 || newest.Unknown["brand-new"] != 4 {
		t.Errorf("of the newest version: %+v", newest)
	}
}

// A tool that is not wired has no hooks to be proven.
func TestWithoutAnInstall(t *testing.T) {
	if tool := look(t, home.Dir(t.TempDir()), history{}); len(tool.Hooks) != 0 || tool.Sessions != 0 {
		t.Errorf("found %+v", tool)
	}
}

func look(t *testing.T, dir home.Dir, log history) speccheck.Tool {
	t.Helper()
	table, failed := toolspecs.Load(nil)
	if len(failed) > 0 {
		t.Fatal(failed)
	}
	tools, err := speccheck.Look(context.Background(), dir, table, log)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools {
		if tool.Spec.Tool == "claude-code" {
			return tool
		}
	}
	t.Fatal("Claude Code was not looked at")
	return speccheck.Tool{}
}

func session(id, version string, after time.Duration) ledger.Session {
	return ledger.Session{SessionKey: ledger.SessionKey{Tool: "claude-code", ID: id}, Version: version, First: wired.Add(after)}
}

// history is a ledger in which every session has the same events.
type history struct {
	ledger.Store
	sessions []ledger.Session
	events   []transcript.Event
	unknown  map[string]map[string]int64
}

func (h history) Coverage(context.Context) ([]ledger.ToolCoverage, error) {
	return []ledger.ToolCoverage{{Tool: "claude-code", Coverage: transcript.Coverage{Records: 30, Unknown: h.unknown}}}, nil
}

func (h history) Sessions(_ context.Context, filter ledger.SessionFilter) ([]ledger.Session, error) {
	if filter.Tool != "claude-code" {
		return nil, nil
	}
	return h.sessions, nil
}

func (h history) Events(context.Context, ledger.SessionKey) iter.Seq2[transcript.Located, error] {
	return func(yield func(transcript.Located, error) bool) {
		for _, event := range h.events {
			if !yield(transcript.Located{Event: event}, nil) {
				return
			}
		}
	}
}
