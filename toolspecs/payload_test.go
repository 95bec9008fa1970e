package toolspecs_test

import (
	"encoding/json"
	"testing"

	"github.com/carryover-go/carryover/toolspecs"
)

func TestAnswerHasTheFormTheToolReads(t *testing.T) {
	for _, test := range []struct {
		name string
		hook toolspecs.Hook
		want string
	}{
		{"plain", toolspecs.Hook{Output: "plain", Field: "hookSpecificOutput.additionalContext"}, "a <b> \"c\"\n"},
		{"top level", toolspecs.Hook{Output: "json", Field: "additionalContext"}, `{"additionalContext":"a <b> \"c\"\n"}` + "\n"},
		{
			"nested",
			toolspecs.Hook{Event: "BeforeAgent", Output: "json", Field: "hookSpecificOutput.additionalContext"},
			`{"hookSpecificOutput":{"additionalContext":"a <b> \"c\"\n","hookEventName":"BeforeAgent"}}` + "\n",
		},
		{
			"with a line for the person",
			toolspecs.Hook{Event: "SessionStart", Output: "plain", Field: "hookSpecificOutput.additionalContext", Seen: "systemMessage"},
			`{"hookSpecificOutput":{"additionalContext":"a <b> \"c\"\n","hookEventName":"SessionStart"},"systemMessage":"for the person"}` + "\n",
		},
	} {
		got, err := test.hook.Answer("a <b> \"c\"\n", "for the person")
		if err != nil || got != test.want {
			t.Errorf("%s: %q, %v; want %q", test.name, got, err, test.want)
		}
		if nothing, _ := test.hook.Answer("", ""); nothing != "" {
			t.Errorf("%s: nothing to say becomes %q", test.name, nothing)
		}
	}
}

func TestGives(t *testing.T) {
	for _, test := range []struct {
		hook              toolspecs.Hook
		start, compaction bool
	}{
		{toolspecs.Hook{Role: "session_start", Output: "plain"}, true, true},
		{toolspecs.Hook{Role: "session_start", Output: "json", Restores: []string{"start"}}, true, false},
		{toolspecs.Hook{Role: "prompt", Output: "json", Restores: []string{"cut"}}, false, true},
		{toolspecs.Hook{Role: "prompt", Output: "plain"}, false, false},
		{toolspecs.Hook{Role: "session_start", Output: "none"}, false, false},
	} {
		if test.hook.Gives("start") != test.start || test.hook.Gives("cut") != test.compaction {
			t.Errorf("%+v gives start %v, cut %v", test.hook, test.hook.Gives("start"), test.hook.Gives("cut"))
		}
	}
}

func TestTextTakesTheFirstFieldPresent(t *testing.T) {
	hook := toolspecs.Hook{Stdin: map[string]string{"session": "sessionId|session_id"}}
	for _, payload := range []string{`{"sessionId":"s"}`, `{"session_id":"s"}`, `{"sessionId":"s","session_id":"t"}`} {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal([]byte(payload), &fields); err != nil {
			t.Fatal(err)
		}
		if got := hook.Text(fields, nil, "session"); got != "s" {
			t.Errorf("%s gives %q", payload, got)
		}
		if got := hook.Text(fields, nil, "cwd"); got != "" {
			t.Errorf("%s has no directory but %q", payload, got)
		}
	}
}
