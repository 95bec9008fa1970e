package copilotcli

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// exited is the last line of a shell's output. Versions before 1.0.102 tell
// the exit code nowhere else.
var exited = regexp.MustCompile(`\n?<(?:shellId: \S+ completed with exit code|exited with exit code) (-?\d+)>\s*$`)

// result reads what came of a call. A shell command that fails is a success of
// the tool: there the exit code says it.
func (s *session) result() {
	parts := transcript.Members(s.record.Data, "toolCallId", "success", "result", "error", "shellExecution")
	id := transcript.Text(parts[0])
	call := s.state.close(id)
	info := &transcript.ResultInfo{CallID: id, Failed: string(parts[1]) == "false"}
	text := transcript.Text(transcript.Member(parts[2], "content"))
	if info.Failed {
		failure := transcript.Members(parts[3], "message", "code")
		text = transcript.Text(failure[0])
		if info.Outcome = s.outcome(text, transcript.Text(failure[1])); info.Outcome != "" {
			info.Failed = false
		}
	}
	if code, rest, ok := exitCode(parts[4], text); ok {
		info.ExitCode, info.Failed, text = &code, info.Failed || code != 0, rest
	}
	info.Text = transcript.Foreign(text)
	s.emit("0", transcript.Event{Kind: transcript.Result, Parent: call.Event, Result: info})
	for n := 1; n < call.Files; n++ {
		other := *info
		other.CallID, other.Text = fileCall(id, n), ""
		s.emit(strconv.Itoa(n), transcript.Event{Kind: transcript.Result, Parent: call.Event, Result: &other})
	}
	if !info.Failed && info.Outcome == "" {
		s.decide(call, text)
	}
}

// outcome tells a refusal from a failure of the work. The words count before the code:
// a person who says why gets the code of a guard (1.0.70, in a transcript).
func (s *session) outcome(text, code string) transcript.Outcome {
	if outcome := s.Spec.Outcome(text); outcome != "" {
		return outcome
	}
	switch code {
	case "rejected":
		return transcript.Rejected
	case "denied":
		return transcript.Blocked
	}
	return ""
}

// exitCode finds the exit code of a shell command, and the output without the
// line that tells it.
func exitCode(execution []byte, text string) (code int, rest string, ok bool) {
	number := ""
	if found := exited.FindStringSubmatchIndex(text); found != nil {
		number, text = text[found[2]:found[3]], text[:found[0]]
	}
	if exact := transcript.Member(execution, "exitCode"); exact != nil {
		number = string(exact)
	}
	code, err := strconv.Atoi(number)
	return code, text, err == nil
}

// decide reads what the user decided at a call that went well.
func (s *session) decide(call openCall, text string) {
	decisions := answersIn(call.Asked, text)
	if call.Plan != "" && strings.HasPrefix(text, approved) {
		decisions = append(decisions, approval(call.ID, call.Plan))
	}
	for _, decision := range decisions {
		s.emit("", transcript.Event{
			ID: transcript.ChoiceID(s.state.Session, decision), Parent: call.Event, Kind: transcript.Decided, Decision: &decision,
		})
	}
}
