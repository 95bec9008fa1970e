package claudecode_test

import (
	"testing"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// The record names the kind of a failure: whatever the sentence is, a limit is known by it.
func TestLimit_IsKnownByTheKindOfTheFailure(t *testing.T) {
	for members, want := range map[string]transcript.Outcome{
		`"error":"rate_limit"`: transcript.Limited,
		`"error":"rate_limit","apiError":"usage_limit_reached"`: transcript.Limited,
		`"error":"billing_error"`:                               transcript.Limited,
		`"error":"overloaded"`:                                  "",
		`"error":"authentication_failed"`:                       "",
		`"version":"2.1.100"`:                                   "",
	} {
		events := read(t, "s.jsonl", `{"type":"assistant","uuid":"u1","sessionId":"s","timestamp":"2026-03-02T09:00:00.000Z","isApiErrorMessage":true,`+members+
			`,"message":{"id":"m","role":"assistant","model":"<synthetic>","content":[{"type":"text","text":"Something failed."}]}}`+"\n")
		if len(events) != 1 || events[0].Kind != transcript.Turn || events[0].Result == nil || events[0].Result.Outcome != want {
			t.Errorf("%s: %+v", members, events)
		}
	}
}

// A gateway's error comes as a reply of one token, which nothing marks.
func TestReply_OfOneTokenIsAnError(t *testing.T) {
	for text, want := range map[string]string{"Provider request timed out after 120s.": transcript.TurnFailed, "Done.": transcript.TurnCompleted} {
		events := read(t, "s.jsonl", `{"type":"assistant","uuid":"u1","sessionId":"s","timestamp":"2026-03-02T09:00:00.000Z","message":{"id":"m","role":"assistant","model":"any","content":[{"type":"text","text":"`+
			text+`"}],"stop_reason":"end_turn","usage":{"input_tokens":9000,"output_tokens":1}}}`+"\n")
		if last := events[len(events)-1]; last.Kind != transcript.Turn || last.Text != want {
			t.Errorf("%s: %+v", text, last)
		}
	}
}
