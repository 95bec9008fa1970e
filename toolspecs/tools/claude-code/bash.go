package claudecode

import (
	"html"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// A command that the person runs behind "!" stands in two records: what they typed, and what it
// printed. How it ended is not recorded.
const (
	bashInput  = "<bash-input>"
	bashOutput = "<bash-stdout>"
	bashErrors = "<bash-stderr>"
)

// ran reads a command of the person's; false means that a text is none.
func (s *session) ran(part, text string) bool {
	command, ok := strings.CutPrefix(text, bashInput)
	if !ok || s.inSubagent() {
		return false
	}
	command, _, _ = strings.Cut(command, "</bash-input>")
	call := &transcript.CallInfo{ID: "bash:" + s.recordID(), Name: "Bash", Meaning: transcript.Shell, Command: html.UnescapeString(command)}
	event := s.emit(part, transcript.Event{Kind: transcript.Call, Origin: transcript.Typed, Call: call})
	s.state.Bash = openCall{ID: call.ID, Name: call.Name, Event: event.ID}
	return true
}

// printed reads what it printed; false means that a text is nothing of the kind.
func (s *session) printed(part, text string) bool {
	ran := s.state.Bash
	if ran.ID == "" || !strings.HasPrefix(text, bashOutput) && !strings.HasPrefix(text, bashErrors) {
		return false
	}
	var lines []string
	for _, tag := range []string{bashOutput, bashErrors} {
		if _, after, found := strings.Cut(text, tag); found {
			body, _, _ := strings.Cut(after, "</"+tag[1:])
			if body = strings.TrimSpace(html.UnescapeString(body)); body != "" {
				lines = append(lines, body)
			}
		}
	}
	s.state.Bash = openCall{}
	s.emit(part, transcript.Event{
		Kind: transcript.Result, Parent: ran.Event,
		Result: &transcript.ResultInfo{CallID: ran.ID, Outcome: transcript.UnknownOutcome, Text: strings.Join(lines, "\n")},
	})
	return true
}
