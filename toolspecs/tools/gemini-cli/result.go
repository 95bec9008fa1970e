package geminicli

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// ended emits what came of a call, once it is final. A shell command that
// fails is a success of the tool: there the exit code says it.
func (c *calls) ended(call called, at time.Time) {
	if call.status != "success" && call.status != "error" && call.status != "cancelled" {
		return
	}
	text, failure := output(call.result)
	info := &transcript.ResultInfo{CallID: call.id, Failed: call.status == "error"}
	if failure != "" {
		text = failure
	}
	switch {
	case call.status == "cancelled":
		if info.Outcome = c.Spec.Outcome(text); info.Outcome == "" {
			info.Outcome = transcript.Cancelled
		}
	case call.status == "error":
		info.Outcome = c.Spec.Outcome(text)
		info.Failed = info.Outcome == ""
	case call.known.Meaning == transcript.Shell:
		code, printed := shell(text)
		info.ExitCode, info.Failed, text = &code, code != 0, printed
	}
	info.Text = transcript.Foreign(text)
	_, fresh := c.emit(transcript.Event{
		ID: call.event.ID + ".r", Parent: call.event.ID, Time: at, Kind: transcript.Result, Result: info,
	})
	if fresh && call.status == "success" {
		c.decide(call, text)
	}
}

// output is what the model was given, without the frames around it.
func output(result []byte) (text, failure string) {
	for _, part := range transcript.Elements(result) {
		response := transcript.Member(transcript.Member(part, "functionResponse"), "response")
		parts := transcript.Members(response, "output", "error")
		if text, failure = unframed(transcript.Text(parts[0])), transcript.Text(parts[1]); text != "" || failure != "" {
			return text, failure
		}
	}
	return "", ""
}

func unframed(text string) string {
	text = withoutHooks(text)
	text = strings.TrimPrefix(text, "<untrusted_context>\n")
	return strings.TrimSuffix(strings.TrimRight(text, "\n"), "\n</untrusted_context>")
}

var (
	// exitCode stands after a shell's output, unless it is 0.
	exitCode = regexp.MustCompile(`(?m)^Exit Code: (-?\d+)$`)
	// about are the lines in which the shell tool speaks of itself.
	about = regexp.MustCompile(`(?m)^(?:Command: .*|Directory: .*|Error: \(none\)|Exit Code: .*|Signal: .*|Background PIDs: .*|Process Group PGID: .*)\n?`)
)

// shell takes the exit code and what was printed out of the report of a
// command. Older versions name the command in it too.
func shell(report string) (code int, printed string) {
	if found := exitCode.FindAllStringSubmatch(report, -1); found != nil {
		code, _ = strconv.Atoi(found[len(found)-1][1])
	}
	printed = strings.TrimSpace(about.ReplaceAllString(report, ""))
	printed = strings.TrimPrefix(printed, "Output: ")
	if printed == "(empty)" {
		printed = ""
	}
	return code, printed
}

// decide emits what a call that went well has decided.
func (c *calls) decide(call called, text string) {
	for _, decision := range call.decided(text) {
		c.emit(transcript.Event{
			ID: transcript.ChoiceID(c.state.Session, decision), Parent: call.event.ID, Time: call.event.Time,
			Kind: transcript.Decided, Decision: &decision,
		})
	}
}

// decided is what the user chose, by what the model was given.
func (call called) decided(text string) []transcript.Decision {
	switch call.known.Meaning {
	case transcript.Ask:
		return call.answers(text)
	case transcript.Planning:
		return call.approved(text)
	}
	return nil
}

// answers are the user's choices, by the index of the question.
func (call called) answers(text string) []transcript.Decision {
	var given struct {
		Answers map[string]string `json:"answers"`
	}
	if json.Unmarshal([]byte(text), &given) != nil {
		return nil
	}
	var decisions []transcript.Decision
	for n, q := range call.asks() {
		if answer := given.Answers[strconv.Itoa(n)]; answer != "" {
			decision := *q.decision(call.id)
			decision.Chosen = []string{answer}
			decisions = append(decisions, decision)
		}
	}
	return decisions
}

// approved is the user's yes to a plan, whose text is in a file.
func (call called) approved(text string) []transcript.Decision {
	if !strings.HasPrefix(text, "Plan approved") {
		return nil
	}
	return []transcript.Decision{{
		Kind: transcript.DecisionPlan, Topic: call.event.Call.Detail, Chosen: []string{"approved"}, CallID: call.id,
	}}
}
