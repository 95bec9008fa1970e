package claudecode_test

import (
	"testing"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// A command that the person runs behind "!" is a call of theirs, and what it printed is its result.
func TestACommandOfThePersonsIsACallOfTheirs(t *testing.T) {
	const lines = `{"type":"user","uuid":"u1","sessionId":"s","cwd":"/p","message":{"role":"user","content":"<bash-input>git push origin main --tags</bash-input>"}}
{"type":"user","uuid":"u2","parentUuid":"u1","sessionId":"s","cwd":"/p","message":{"role":"user","content":"<bash-stdout>done</bash-stdout><bash-stderr> * [new tag] v1 -&gt; v1</bash-stderr>"}}
`
	var call *transcript.CallInfo
	var result *transcript.ResultInfo
	for _, e := range read(t, "s.jsonl", lines) {
		switch e.Kind {
		case transcript.Prompt:
			t.Errorf("a prompt: %q", e.Text)
		case transcript.Call:
			if call = e.Call; e.Origin != transcript.Typed {
				t.Errorf("whose it is: %q", e.Origin)
			}
		case transcript.Result:
			result = e.Result
		}
	}
	if call == nil || call.Command != "git push origin main --tags" || call.Meaning != transcript.Shell {
		t.Fatalf("the call: %+v", call)
	}
	if result == nil || result.CallID != call.ID || result.Outcome != transcript.UnknownOutcome || result.Text != "done\n* [new tag] v1 -> v1" {
		t.Errorf("the result: %+v", result)
	}
}
