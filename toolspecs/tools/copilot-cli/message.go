package copilotcli

import (
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/patch"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// message reads a reply: its prose and the tools it asks for.
func (s *session) message() {
	parts := transcript.Members(s.record.Data, "content", "toolRequests")
	if text := transcript.Text(parts[0]); strings.TrimSpace(text) != "" {
		reply := s.emit("0", transcript.Event{Kind: transcript.Reply, Text: text})
		s.Decisions(reply, text)
	}
	asked := 0
	for n, request := range transcript.Elements(parts[1]) {
		asked++
		fields := transcript.Members(request, "toolCallId", "name", "arguments")
		s.call("c"+strconv.Itoa(n), transcript.Text(fields[0]), transcript.Text(fields[1]), fields[2])
	}
	if s.record.Agent == "" {
		s.state.Answered = asked == 0
	}
}

// started reads a call that no message asked for: one of the user's own. For
// all others it repeats the message.
func (s *session) started() {
	parts := transcript.Members(s.record.Data, "toolCallId", "toolName", "arguments")
	if id := transcript.Text(parts[0]); !s.state.isOpen(id) {
		s.call("0", id, transcript.Text(parts[1]), parts[2])
	}
}

// call emits a call and what follows from its arguments at once.
func (s *session) call(part, id, name string, arguments []byte) {
	call, known := s.Calls.Lookup(name)
	if !known {
		s.UnknownCall(s.state.Version, name)
	}
	open := openCall{ID: id, Name: name}
	if changes := patch.Parse(transcript.Text(arguments)); len(changes) > 0 {
		open.Event, open.Files = s.patched(part, id, name, changes), len(changes)
		s.remember(open)
		return
	}
	event := s.emit(part, transcript.Event{Kind: transcript.Call, Call: call.Info(id, name, arguments)})
	open.Event = event.ID
	switch call.Meaning {
	case transcript.Edit, transcript.Write:
		s.edited(event, call, arguments)
	case transcript.Ask:
		open.Asked = s.questions(event, arguments)
	case transcript.Planning:
		open.Plan = planOf(arguments)
	case transcript.Todos:
		s.todos(event, transcript.Text(transcript.Member(arguments, call.Command)))
	}
	s.remember(open)
}

func (s *session) remember(open openCall) {
	s.state.Open = transcript.Remember(s.state.Open, open, maxOpen)
}

// patched emits a call for every file of a patch and returns the first's id.
func (s *session) patched(part, id, name string, changes []patch.Change) (first string) {
	for n, change := range changes {
		paths := change.Paths()
		event := s.emit(part+"."+strconv.Itoa(n), transcript.Event{Kind: transcript.Call, Call: &transcript.CallInfo{
			ID: fileCall(id, n), Name: name, Meaning: change.Meaning, Paths: paths,
		}})
		if n == 0 {
			first = event.ID
		}
		s.carry(event, paths[len(paths)-1], change.Before, change.After)
	}
	return first
}

// fileCall is the call of the nth file of a patch.
func fileCall(id string, n int) string {
	if n == 0 {
		return id
	}
	return id + "." + strconv.Itoa(n)
}

func (s *session) edited(event transcript.Event, call toolspecs.Call, arguments []byte) {
	if len(event.Call.Paths) == 0 {
		return
	}
	texts := transcript.Members(arguments, call.Before, call.After)
	s.carry(event, event.Call.Paths[0], transcript.Text(texts[0]), transcript.Text(texts[1]))
}

// carry passes the text around an edit along with its event, and reads the
// decisions and the plan that were written into the file.
func (s *session) carry(event transcript.Event, path, before, after string) {
	s.Edited(path, before, after)
	s.Decisions(event, after)
	if event.Call.Meaning == transcript.Write && s.isPlan(path) {
		s.emit("", transcript.Event{ID: event.ID + ".plan", Parent: event.ID, Kind: transcript.Plan, Text: after})
	}
}

// isPlan says that a file is the session's own plan, which lies in its folder.
func (s *session) isPlan(path string) bool {
	return strings.HasSuffix(strings.ReplaceAll(path, `\`, "/"), "/session-state/"+s.state.Session+"/plan.md")
}
