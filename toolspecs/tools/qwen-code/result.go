package qwencode

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// results reads the answers to calls.
func (c *chat) results() {
	for n, part := range c.record.Message.Parts {
		if part.Response != nil {
			c.result("r"+strconv.Itoa(n), part.Response.ID, part.Response.Name, part.Response.Response.Output, part.Response.Response.Error)
		}
	}
}

// result reads what came of a call. A shell command that fails is an error of
// the tool, with the exit code in its report.
func (c *chat) result(part, id, name, output, failure string) {
	open := c.closed(id, name)
	text := output
	if failure != "" {
		text = failure
	}
	text, _, _ = strings.Cut(text, "\n\n"+transcript.Sentinel) // hooks are heard behind it
	info := &transcript.ResultInfo{CallID: id, Failed: failure != "" || c.record.Result.Status == "error"}
	if outcome := c.Spec.Outcome(text); outcome != "" {
		info.Outcome, info.Failed = outcome, false
	} else if c.record.Result.Status == "cancelled" {
		info.Outcome, info.Failed = transcript.Cancelled, false
	}
	if known, _ := c.Calls.Lookup(open.Name); known.Meaning == transcript.Shell && info.Outcome == "" {
		text = shell(text, info)
	}
	info.Text = transcript.Foreign(text)
	c.emit(part, transcript.Event{Parent: open.Event, Kind: transcript.Result, Result: info})
	if info.Failed || info.Outcome != "" {
		return
	}
	if open.Todos != nil {
		c.emit("todo", transcript.Event{Parent: open.Event, Kind: transcript.Todo, Items: open.Todos})
	}
	for _, event := range decided(c.record.Session, id, open.Questions, output) {
		event.Parent = open.Event
		c.emit("", event)
	}
}

// closed takes the call a result belongs to off the open ones.
func (c *chat) closed(id, name string) openCall {
	at := slices.IndexFunc(c.state.Open, func(call openCall) bool { return call.ID == id })
	if at < 0 {
		return openCall{ID: id, Name: name}
	}
	call := c.state.Open[at]
	c.state.Open = slices.Delete(c.state.Open, at, at+1)
	return call
}

var (
	// exitCode stands after what a command printed; (none) where a signal ended it.
	exitCode = regexp.MustCompile(`(?m)^Exit Code: (-?\d+)$`)
	// about are the lines in which the shell tool speaks of itself.
	about = regexp.MustCompile(`(?m)^(?:Command: .*|Directory: .*|Error: \(none\)|Exit Code: .*|Signal: .*|Background PIDs: .*|Process Group PGID: .*)\n?`)
)

// shell takes the exit code and what was printed out of the report of a
// command.
func shell(report string, info *transcript.ResultInfo) (printed string) {
	if found := exitCode.FindAllStringSubmatch(report, -1); found != nil {
		if code, err := strconv.Atoi(found[len(found)-1][1]); err == nil {
			info.ExitCode, info.Failed = &code, code != 0
		}
	}
	printed = strings.TrimSpace(about.ReplaceAllString(report, ""))
	printed = strings.TrimPrefix(printed, "Output: ")
	if printed == "(empty)" {
		return ""
	}
	return printed
}
