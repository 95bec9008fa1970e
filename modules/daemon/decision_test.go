package daemon_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller"
)

// What the user chose is kept when it is chosen; hook and transcript, in
// either order, give one decision.
func TestADecisionIsKeptWhenItIsMade(t *testing.T) {
	const choice = `{"questions":[{"question":"Which store?","header":"Store","multiSelect":false,"options":[{"label":"SQLite","description":"a file"},{"label":"Postgres","description":"a server"}]}],"answers":{"Which store?":"SQLite"}}`
	for name, order := range map[string][]string{"the hook first": {"hook", "transcript"}, "the transcript first": {"transcript", "hook"}, "the hook alone": {"hook"}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.install()
			w.start()
			w.works(first, w.project, "Keep the dates in a store")
			w.append(w.transcript(first), fmt.Sprintf(`{"type":"assistant","uuid":"q1","sessionId":%q,"timestamp":%q,"message":{"id":"mq","role":"assistant","content":[{"type":"tool_use","id":"ask1","name":"AskUserQuestion","input":{"questions":[{"question":"Which store?","header":"Store","options":[{"label":"SQLite"},{"label":"Postgres"}]}]}}]}}`, first, stamp(0)))
			w.compacts(first, "manual") // the session is folded
			if asks, _ := os.ReadFile(filepath.Join(w.project, ".carryover", "handoff.md")); !strings.Contains(string(asks), "Which store?") {
				t.Errorf("the handoff does not tell what waits for an answer:\n%s", asks)
			}
			for _, step := range order {
				if step == "transcript" {
					w.append(w.transcript(first), fmt.Sprintf(`{"type":"user","uuid":"q2","sessionId":%q,"timestamp":%q,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"ask1","content":"answered"}]},"toolUseResult":%s}`, first, stamp(0), choice))
					w.compacts(first, "manual")
					continue
				}
				w.post("claude-code", "PostToolUse", fmt.Appendf(nil, `{"session_id":%q,"cwd":%q,"transcript_path":%q,"hook_event_name":"PostToolUse","tool_name":"AskUserQuestion","tool_use_id":"ask1","tool_input":{},"tool_response":%s}`,
					first, w.project, w.transcript(first), choice))
			}
			w.compacts(first, "manual")
			if list := w.decided(first); len(list) != 1 || list[0].Question != "Which store?" || list[0].Chosen[0] != "SQLite" {
				t.Errorf("the decisions are %+v", list)
			}
			handoff, _ := os.ReadFile(filepath.Join(w.project, ".carryover", "handoff.md"))
			if n := strings.Count(string(handoff), `Which store? → "SQLite"`); n != 1 {
				t.Errorf("the handoff tells it %d times:\n%s", n, handoff)
			}
			if n := strings.Count(string(handoff), "Which store? → SQLite"); n != 1 {
				t.Errorf("the handoff says %d times that this is to be gone on with:\n%s", n, handoff)
			}
			if n := strings.Count(string(handoff), "Which store?"); n != 2 || strings.Contains(string(handoff), "no answer") {
				t.Errorf("the handoff still asks what was answered:\n%s", handoff)
			}
		})
	}
}

// decided are the decisions of a session, folded again from the ledger.
func (w *world) decided(session string) []distiller.Decision {
	w.t.Helper()
	pipeline, err := daemon.OpenReadOnly(w.home, func(error) {})
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = pipeline.Store.Close() }()
	document, err := pipeline.Handoff(context.Background(), view.HandoffRequest{SessionSelector: view.SessionSelector{Session: session}})
	if err != nil {
		w.t.Fatal(err)
	}
	return document.Facts.Decisions
}
