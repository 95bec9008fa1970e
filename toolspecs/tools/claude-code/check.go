package claudecode

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// A hook of the person's that runs after an edit, such as a linter, may refuse what was
// written: the attachment behind the result of the edit has its command and what it said
// (exit code 2; 2.1.329, live). Of one that is content nothing is written down, so an
// edit of the same file with no such attachment behind it has passed.

// check is such a hook, as it refused a file.
type check struct {
	Command string `json:"command"`
	Path    string `json:"path"`
}

// edit is the newest call that wrote a file.
type edit struct {
	ID   string `json:"id,omitempty"`
	Path string `json:"path,omitempty"`
}

// wrote notes the file that a call wrote, as its result names it.
func (c *calls) wrote(id string) {
	if len(c.record.Result) == 0 || c.record.Result[0] != '{' {
		return
	}
	if path := transcript.Text(transcript.Member(c.record.Result, "filePath")); path != "" {
		c.state.Edit = edit{ID: id, Path: path}
	}
}

// refused reads what a hook said against what was just written.
func (s *session) refused() {
	parts := transcript.Members(s.record.Attachment, "hookEvent", "toolUseID", "blockingError")
	if transcript.Text(parts[0]) != "PostToolUse" || parts[2] == nil {
		return
	}
	of := transcript.Members(parts[2], "command", "blockingError")
	command := transcript.Text(of[0])
	text := strings.TrimPrefix(transcript.Text(of[1]), "["+command+"]: ")
	if command == "" || text == "" {
		return
	}
	failed := check{Command: command}
	if s.state.Edit.ID == transcript.Text(parts[1]) {
		failed.Path = s.state.Edit.Path
	}
	s.state.Edit = edit{}
	s.state.Checks = slices.DeleteFunc(s.state.Checks, func(old check) bool { return old == failed })
	s.state.Checks = transcript.Remember(s.state.Checks, failed, maxChecks)
	s.checked(failed, transcript.ResultInfo{Failed: true, Text: transcript.Foreign(text)})
}

// accepted says that the hooks which had refused a file said nothing against it now.
func (s *session) accepted() {
	path := s.state.Edit.Path
	s.state.Edit = edit{}
	if path == "" {
		return
	}
	s.state.Checks = slices.DeleteFunc(s.state.Checks, func(known check) bool {
		if known.Path != path {
			return false
		}
		s.checked(known, transcript.ResultInfo{})
		return true
	})
}

// checked emits the run of a hook as a call of its own, with its result.
func (s *session) checked(of check, result transcript.ResultInfo) {
	call := &transcript.CallInfo{ID: transcript.HookCallID(s.recordID()), Name: "Bash", Meaning: transcript.Shell, Command: of.Command}
	if of.Path != "" {
		call.Paths = []string{of.Path}
	}
	event := s.emit("check", transcript.Event{Kind: transcript.Call, Call: call})
	result.CallID = call.ID
	s.emit("checked", transcript.Event{Kind: transcript.Result, Parent: event.ID, Result: &result})
}

// attached emits a file that the person put into the conversation, with @ or from an editor:
// the tool sends its text along with the prompt, so that it is read (seen in transcripts of
// 2.1.x).
func (s *session) attached() {
	path := transcript.Text(transcript.Member(s.record.Attachment, "filename"))
	if path == "" || s.inSubagent() {
		return
	}
	call := &transcript.CallInfo{ID: "attached:" + s.recordID(), Name: "Read", Meaning: transcript.Read, Paths: []string{path}}
	event := s.emit("attached", transcript.Event{Kind: transcript.Call, Origin: transcript.Typed, Call: call})
	s.emit("read", transcript.Event{Kind: transcript.Result, Parent: event.ID, Result: &transcript.ResultInfo{CallID: call.ID}})
}
