package claudecode

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

var (
	exitCode = regexp.MustCompile(`^(?:Error: )?Exit code (-?\d+)`)
	overflow = regexp.MustCompile(`Full output saved to: (.+)`)
)

// result reads what came of a call.
func (c *calls) result(part string, block []byte) {
	parts := transcript.Members(block, "tool_use_id", "content", "is_error")
	id := transcript.Text(parts[0])
	call := c.state.close(id)
	text := contentText(parts[1])
	info := &transcript.ResultInfo{CallID: id, Text: transcript.Foreign(text)}
	if isTrue(parts[2]) {
		info.Outcome = c.outcome(text)
		info.Failed = info.Outcome == ""
		if found := exitCode.FindStringSubmatch(text); found != nil {
			if code, err := strconv.Atoi(found[1]); err == nil {
				info.ExitCode = &code
			}
		}
	} else if c.interrupted() {
		info.Outcome = transcript.Interrupted
	}
	if strings.HasPrefix(text, "<persisted-output>") {
		if found := overflow.FindStringSubmatch(text); found != nil {
			info.Overflow = strings.TrimSpace(found[1])
		}
	}
	event := c.emit(part, transcript.Event{Kind: transcript.Result, Parent: call.Event, Result: info})
	if !isTrue(parts[2]) {
		c.resolve(event, call)
		c.wrote(id)
	}
}

func (c *calls) outcome(text string) transcript.Outcome {
	if c.record.Denial == "user-rejected" {
		return transcript.Rejected
	}
	if c.record.Denial != "" {
		return transcript.Blocked
	}
	return c.Spec.Outcome(text)
}

func (c *calls) interrupted() bool {
	if len(c.record.Result) == 0 || c.record.Result[0] != '{' {
		return false
	}
	return isTrue(transcript.Member(c.record.Result, "interrupted"))
}

// resolve reads what a call that went well has decided or changed.
func (c *calls) resolve(event transcript.Event, call openCall) {
	known, _ := c.Calls.Lookup(call.Name)
	switch known.Meaning {
	case transcript.Ask:
		c.answers(call, event.Result.Text)
	case transcript.Planning:
		c.approved(call)
	case transcript.Todos:
		c.changeTask(event, call)
	}
}

// approved is the user's yes to a plan. Only leaving the plan mode asks for it.
func (c *calls) approved(call openCall) {
	text := transcript.Text(transcript.Member(c.record.Result, "plan"))
	if !call.Plan && !c.plan(call.Event, text) {
		return
	}
	c.emit("", approval(call, text))
}

func approval(call openCall, plan string) transcript.Event {
	return transcript.Event{
		ID: decisionID(call.ID, 0), Parent: call.Event, Kind: transcript.Decided,
		Decision: &transcript.Decision{
			Kind: transcript.DecisionPlan, Topic: heading(plan), Chosen: []string{"approved"}, CallID: call.ID,
		},
	}
}

// heading is the first line of a plan that says something.
func heading(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.Trim(line, "# \t\r\n"); line != "" {
			return line
		}
	}
	return ""
}

// decisionID is the id of a decision that a hook may have reported before the
// transcript does: both make the same.
func decisionID(call string, n int) string { return "call:" + call + "#" + strconv.Itoa(n) }
