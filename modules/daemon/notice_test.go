package daemon_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// usage is a reply of Claude Code that reports its context.
func usage(id, message string, tokens int) string {
	return fmt.Sprintf(`{"type":"assistant","uuid":"r-%s","sessionId":%q,"timestamp":%q,"message":{"id":%q,"model":"claude-haiku-4-5","role":"assistant","content":[{"type":"text","text":"Working."}],"usage":{"input_tokens":%d,"output_tokens":0}}}`,
		message, id, stamp(0), message, tokens)
}

func (w *world) toolRan(id, agent string) string {
	return w.hook("claude-code", "PostToolUse", map[string]string{
		"session_id": id, "agent_id": agent, "cwd": w.project, "transcript_path": w.transcript(id), "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_use_id": "t9",
	})
}

func (w *world) prompts(id string) string {
	return w.hook("claude-code", "UserPromptSubmit", map[string]string{
		"session_id": id, "cwd": w.project, "transcript_path": w.transcript(id), "hook_event_name": "UserPromptSubmit", "prompt": "go on",
	})
}

// A session gets once that its context is 70 % full, in mid-turn, however
// many calls end at the same moment; and again after a compaction.
func TestAFillingContextIsToldOnce(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	w.works(first, w.project, "Parse the dates of the log file")
	w.append(w.transcript(first), usage(first, "f1", 139_000))
	if text := w.toolRan(first, ""); text != "" {
		t.Errorf("below the threshold it was given\n%s", text)
	}
	w.append(w.transcript(first), usage(first, "f2", 141_000))
	if text := w.toolRan(first, "a1"); text != "" {
		t.Errorf("a subagent was given\n%s", text)
	}
	given := make([]string, 4)
	var calls sync.WaitGroup
	for i := range given {
		calls.Go(func() { given[i] = w.toolRan(first, "") })
	}
	calls.Wait()
	text := member(t, strings.Join(given, ""), "hookSpecificOutput", "additionalContext")
	for _, want := range []string{"# [CARRYOVER]", "141000 of 200000 tokens, 70 %", "DECISION:"} {
		if !strings.Contains(text, want) {
			t.Errorf("the notice lacks %q:\n%s", want, text)
		}
	}
	if again := w.prompts(first); again != "" {
		t.Errorf("the next prompt was given it too:\n%s", again)
	}

	w.stop()
	w.start()
	w.append(w.transcript(first), usage(first, "f3", 150_000))
	if again := w.prompts(first); again != "" {
		t.Errorf("another run of the daemon gave it again:\n%s", again)
	}

	w.append(w.transcript(first), boundary(first, "auto", "s")...)
	w.append(w.transcript(first), usage(first, "f4", 145_000))
	if text := w.prompts(first); !strings.Contains(text, "145000 of 200000") {
		t.Errorf("after a compaction it filled up again and was given\n%s", text)
	}
}

// At 95 % everything is written again, also for a model that never compacts.
func TestANearlyFullContextIsSaved(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	w.works(first, w.project, "Parse the dates of the log file")
	w.append(w.transcript(first), usage(first, "f1", 191_000))
	w.eventually("a snapshot is taken", func() bool {
		text := w.ledgerFile()
		return strings.Contains(text, "Trigger: 95 % full") && strings.Contains(text, "191000 of 200000 tokens, 95 %")
	})
}

func TestTheNoticeCanBeOff(t *testing.T) {
	for name, test := range map[string]struct {
		choices          string
		midTurn, prompts bool
	}{
		"off":             {"[fullness]\nnotice = 0\n", false, false},
		"another":         {"[fullness]\nnotice = 90\n", false, false},
		"only at prompts": {"[fullness]\nmid_turn = false\n", false, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.install()
			w.write(w.home.Config(), test.choices)
			w.start()
			w.works(first, w.project, "Parse the dates of the log file")
			w.append(w.transcript(first), usage(first, "f1", 150_000))
			if given := w.toolRan(first, "") != ""; given != test.midTurn {
				t.Errorf("given after a call: %v", given)
			}
			if given := w.prompts(first) != ""; given != test.prompts {
				t.Errorf("given at a prompt: %v", given)
			}
		})
	}
}

// Gemini CLI has no event for a compaction: in mid-turn the next call's hook gives
// back what was lost, once.
func TestGeminiIsGivenItsWorkBackInMidTurn(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	chat := filepath.Join(w.user, ".gemini", "tmp", "proj", "chats", "session-2026-11-20T22-01-22222222.jsonl")
	hook := func(event string) string {
		return w.hook("gemini-cli", event, map[string]string{
			"session_id": second, "transcript_path": chat, "cwd": w.project, "hook_event_name": event, "prompt": "go on", "tool_name": "run_shell_command",
		})
	}
	w.append(chat, fmt.Sprintf(`{"sessionId":%q,"projectHash":"p","startTime":%q,"kind":"main","directories":[%q]}`, second, stamp(-5), w.project))
	hook("BeforeAgent")
	w.append(chat, fmt.Sprintf(`{"id":"u1","timestamp":%q,"type":"user","content":[{"text":"Mend the parser of the dates"}]}`, stamp(0)))
	if text := hook("AfterTool"); text != "" {
		t.Errorf("there was no compaction, and it was given\n%s", text)
	}
	w.append(chat, fmt.Sprintf(`{"$set":{"messages":[{"id":"s1","timestamp":%q,"type":"user","content":[{"text":"<state_snapshot>all of it</state_snapshot>"}]}]}}`, stamp(1)))
	seam := member(t, hook("AfterTool"), "hookSpecificOutput", "additionalContext")
	if !strings.Contains(seam, "Mend the parser of the dates") || !strings.Contains(seam, "RESUME PROTOCOL: seam") {
		t.Errorf("after the compaction it was given\n%s", seam)
	}
}

// A person sees one line at a start that continues something, at one after a
// dismissal, and none where there is nothing to say or they want none.
func TestSeen_OneLineForThePerson(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	w.starts(first, w.project, "startup")
	if w.seen != "" {
		t.Errorf("with nothing to continue the person saw %q", w.seen)
	}
	w.works(first, w.project, "Parse the dates of the log file")
	w.starts(second, w.project, "startup")
	if !regexp.MustCompile("^Carryover: continued from Claude Code, [0-9]+[smh]+ ago, [0-9]+ lines\\. `carryover why`$").MatchString(w.seen) {
		t.Errorf("the person saw %q", w.seen)
	}
	w.stop()
	w.seen = ""
	t.Setenv("CARRYOVER_ANNOUNCE", "false")
	w.start()
	w.starts(third, w.project, "startup")
	if w.seen != "" {
		t.Errorf("who wants no line saw %q", w.seen)
	}
}
