package daemon_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/spectest"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Of every tool whose hooks tell what the user chose, the ledger has the choice
// before the transcript does, and no other when both have reported it.
func TestEveryToolTellsADecisionOnce(t *testing.T) {
	for tool, test := range map[string]struct{ fixture, source string }{
		"claude-code": {"decisions.jsonl", ".claude/projects/-home-dev-shop/{session}.jsonl"},
		"codex":       {"items.jsonl", ".codex/sessions/2026/03/02/rollout-2026-03-02T09-00-00-{session}.jsonl"},
		"copilot-cli": {"asking.jsonl", ".copilot/session-state/{session}/events.jsonl"},
		"gemini-cli":  {"plan.jsonl", ".gemini/tmp/shop/chats/session-2026-03-02T08-00-6e310000.jsonl"},
	} {
		t.Run(tool, func(t *testing.T) {
			recorded, text := fixtureOf(t, tool, test.fixture)
			session := recorded[0].Session
			w := newWorld(t)
			w.install()
			w.start()
			early := w.tellDecisions(tool, session)
			w.eventually("the hooks' decisions are kept", func() bool { return len(w.decisionsOf(tool, session)) >= early })
			if got := w.decisionsOf(tool, session); early == 0 || len(got) != early {
				t.Fatalf("%d payloads made %d decisions", early, len(got))
			}
			w.write(filepath.Join(w.user, filepath.FromSlash(strings.ReplaceAll(test.source, "{session}", session))), text)
			w.eventually("the transcript is read", func() bool { return len(w.decisionsOf(tool, session)) >= len(recorded) })
			w.tellDecisions(tool, session) // once more, late
			got := w.decisionsOf(tool, session)
			if len(got) != len(recorded) {
				t.Errorf("%d decisions are kept, the transcript has %d", len(got), len(recorded))
			}
			for _, event := range got {
				if event.Ref.Line == 0 {
					t.Errorf("%s is still the hook's", event.ID)
				}
			}
		})
	}
}

// fixtureOf is a transcript and the decisions in it.
func fixtureOf(t *testing.T, tool, name string) (decisions []transcript.Event, text string) {
	t.Helper()
	all, err := spectest.Fixtures(tool)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(all, func(f spectest.Fixture) bool { return f.Name == name })
	if at < 0 {
		t.Fatalf("there is no fixture %s of %s", name, tool)
	}
	if err := json.Unmarshal(all[at].Expected, &decisions); err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(decisions, func(e transcript.Event) bool { return e.Kind != transcript.Decided }), string(all[at].Data)
}

// tellDecisions posts the payloads about a session that tell of a decision, and
// says how many decisions they tell.
func (w *world) tellDecisions(tool, session string) (decisions int) {
	w.t.Helper()
	payloads, err := spectest.Payloads(tool)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, payload := range payloads {
		if !strings.Contains(string(payload.Data), session) || payload.Event != "PostToolUse" && payload.Event != "postToolUse" && payload.Event != "AfterTool" {
			continue
		}
		w.post(tool, payload.Event, payload.Data)
		decisions += map[string]int{
			"PostToolUse.ExitPlanMode.json": 1, "PostToolUse.request_user_input.json": 1,
			"postToolUse.ask_user_form.json": 3, "postToolUse.exit_plan_mode.json": 1,
			"AfterTool.ask_user.json": 1, "AfterTool.exit_plan_mode.json": 1,
		}[payload.Name]
	}
	return decisions
}

// decisionsOf are the decisions of a session, as they are kept.
func (w *world) decisionsOf(tool, session string) []transcript.Located {
	w.t.Helper()
	pipeline, err := daemon.OpenReadOnly(w.home, func(error) {})
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = pipeline.Store.Close() }()
	made, err := pipeline.Store.Decisions(context.Background(), ledger.SessionKey{Tool: tool, ID: session})
	if err != nil {
		w.t.Fatal(err)
	}
	return slices.DeleteFunc(made, func(e transcript.Located) bool { return e.Kind != transcript.Decided })
}
