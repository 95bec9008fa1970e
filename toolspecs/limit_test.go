package toolspecs_test

import "testing"

// What each tool prints at a limit of its service, as its program has the sentence, and
// what it prints of other failures.
func TestLimits_KnowTheWordsOfTheTools(t *testing.T) {
	for tool, sentences := range map[string]struct{ limit, other []string }{
		"claude-code": {
			[]string{
				"You've hit your session limit · resets 3pm", "You've hit your weekly limit · resets Monday", "Claude AI usage limit reached|1772442000",
				"You've hit your monthly spend limit · /usage-credits to raise it", "You've hit your limit · resets 3pm", "You're out of usage credits. See Usage in Settings",
			},
			[]string{"API Error: Repeated 529 Overloaded errors", "Prompt is too long", "API Error: Connection error."},
		},
		"codex": {
			[]string{"You've hit your usage limit. Try again at 3:14 PM.", "The usage limit has been reached"},
			[]string{"stream disconnected before completion", "exceeded retry limit, last status: 500"},
		},
		"gemini-cli": {
			[]string{
				"You have exhausted your daily quota on this model.", "You have exhausted your capacity on this model. Your quota will reset after 5h.",
				`{"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}`, "Quota exceeded for quota metric 'Requests'",
			},
			[]string{"Request timed out", "An internal error has occurred"},
		},
		"opencode": {
			[]string{"Rate limit exceeded. Please try again later.", "The usage limit has been reached", "You exceeded your quota: Quota exceeded"},
			[]string{"Overloaded", "Unauthorized"},
		},
	} {
		limits := spec(t, tool).Limits
		for _, text := range sentences.limit {
			if !limits.Hit(text) {
				t.Errorf("%s: %q is no limit", tool, text)
			}
		}
		for _, text := range sentences.other {
			if limits.Hit(text) {
				t.Errorf("%s: %q is a limit", tool, text)
			}
		}
	}
}
