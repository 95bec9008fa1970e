package speccheck_test

import (
	"context"
	"iter"
	"strconv"
	"strings"
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
		if err := book.Note("claude-code", event, at, -1); err != nil {
			t.Fatal(err)
		}
	}
	log := history{
		sessions: []ledger.Session{session("fifth", "2.1.330", 5*time.Hour/2), session("fourth", "2.1.330", 11*time.Hour/4), session("third", "2.1.330", 3*time.Hour), session("second", "2.1.329", time.Hour), session("first", "2.1.329", -time.Hour)},
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
		{"SessionStart", speccheck.Silent, 4},
		{"UserPromptSubmit", speccheck.Stopped, 4},
		{"PostToolUse", speccheck.Silent, 4}, // the Bash calls that ended well
		{"PreCompact", speccheck.Unproven, 0},
		{"Stop", speccheck.Fires, 4},
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
	if newest.Version != "2.1.330" || newest.Calls["Bash"] != 6 || newest.Kinds["prompt"] != 3 || newest.Unknown["brand-new"] != 4 {
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

// A hook that missed one session, or two after it came, is not said to be broken.
func TestHooks_AFewMissedSessionsAreTolerated(t *testing.T) {
	for _, test := range []struct {
		hook speccheck.Hook
		want string
	}{
		{speccheck.Hook{Occasions: 9, Sessions: 1}, speccheck.Unproven},
		{speccheck.Hook{Occasions: 9, Sessions: 2}, speccheck.Silent},
		{speccheck.Hook{Seen: hookstats.Seen{Count: 1}, Occasions: 9, Sessions: 3, Since: 2}, speccheck.Fires},
		{speccheck.Hook{Seen: hookstats.Seen{Count: 1}, Occasions: 9, Sessions: 4, Since: 3}, speccheck.Stopped},
	} {
		if got := test.hook.Verdict(); got != test.want {
			t.Errorf("%+v is %s, want %s", test.hook, got, test.want)
		}
	}
}

// A kind of event that most sessions had, and none of a newer version has, is missed.
func TestVanished_NamesAKindThatANewVersionLost(t *testing.T) {
	older := speccheck.Version{Version: "1.0", Sessions: 10, With: map[string]int{"prompt": 10, "todo": 2, "result": 9}}
	for name, test := range map[string]struct {
		newest speccheck.Version
		want   int
	}{
		"lost":         {speccheck.Version{Version: "1.1", Sessions: 5, With: map[string]int{"prompt": 5}}, 1},
		"still there":  {speccheck.Version{Version: "1.1", Sessions: 5, With: map[string]int{"prompt": 5, "result": 1}}, 0},
		"too few yet":  {speccheck.Version{Version: "1.1", Sessions: 4, With: map[string]int{"prompt": 4}}, 0},
		"not said yet": {speccheck.Version{Sessions: 9, With: map[string]int{}}, 0},
	} {
		tool := speccheck.Tool{Versions: []speccheck.Version{test.newest, older}}
		if gone := tool.Vanished(); len(gone) != test.want {
			t.Errorf("%s: %v", name, gone)
		}
	}
}

// changing is a history in which the sessions of one version lack the results.
type changing struct{ history }

func (c changing) Events(_ context.Context, key ledger.SessionKey) iter.Seq2[transcript.Located, error] {
	return func(yield func(transcript.Located, error) bool) {
		for _, event := range c.events {
			if strings.HasPrefix(key.ID, "new") && event.Kind == transcript.Result {
				continue
			}
			if !yield(transcript.Located{Event: event}, nil) {
				return
			}
		}
	}
}

func TestVanished_ComparesTheSessionsOfALedger(t *testing.T) {
	table, _ := toolspecs.Load(nil)
	log := changing{history{events: []transcript.Event{
		{Kind: transcript.Prompt}, {Kind: transcript.Result, Result: &transcript.ResultInfo{CallID: "1"}},
	}}}
	for n := range 5 {
		log.sessions = append(log.sessions, session("new"+strconv.Itoa(n), "2.1.330", time.Hour))
	}
	for n := range 4 {
		log.sessions = append(log.sessions, session("old"+strconv.Itoa(n), "2.1.329", 0))
	}
	if gone, err := speccheck.Vanished(t.Context(), table, log); err != nil || len(gone) > 0 {
		t.Errorf("of too few sessions: %v, %v", gone, err)
	}
	log.sessions = append(log.sessions, session("old4", "2.1.329", 0))
	gone, err := speccheck.Vanished(t.Context(), table, log)
	if err != nil || len(gone) != 1 || len(gone["claude-code"]) != 1 || !strings.HasPrefix(gone["claude-code"][0], "result: in 5 of 5 sessions") {
		t.Errorf("gone are %v, %v", gone, err)
	}
}
