package pi

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/patch"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// text is what a content says: a text, or the texts of its parts. What we put
// beside a result is left out.
func text(content json.RawMessage) string {
	if plain := transcript.Text(content); plain != "" {
		return strings.TrimSpace(plain)
	}
	var words []string
	for _, part := range transcript.Elements(content) {
		if words = append(words, transcript.Text(transcript.Member(part, "text"))); transcript.Ours(words[len(words)-1]) {
			words = words[:len(words)-1]
		}
	}
	return strings.TrimSpace(strings.Join(words, "\n"))
}

// prompt reads what the user typed.
func (s *session) prompt() {
	if event, said := s.Prompted(text(s.Record.Message.Content)); said {
		s.emit("0", event)
	}
}

// put reads what an extension put beside a prompt.
func (s *session) put() {
	said := text(s.Record.Content)
	switch {
	case s.Record.CustomType == "carryover" || transcript.Ours(transcript.Text(s.Record.Content)):
		s.emit("0", transcript.Event{Kind: transcript.Restored})
	case said != "":
		s.emit("0", transcript.Event{Kind: transcript.Prompt, Text: said, Origin: transcript.Injected})
	}
}

// turns are how a message of the model's ends its turn; one that asks for tools
// does not, and one that failed is often tried again.
var turns = map[string]string{"stop": transcript.TurnCompleted, "length": transcript.TurnCompleted, "aborted": transcript.TurnInterrupted}

// answer reads what the model said and asked for.
func (s *session) answer() {
	message := s.Record.Message
	if said := text(message.Content); said != "" {
		s.Decisions(s.emit("0", transcript.Event{Kind: transcript.Reply, Text: said}), said)
	}
	if message.Usage.Total > 0 {
		s.emit("usage", transcript.Event{Kind: transcript.UsageRead, Usage: &transcript.UsageInfo{
			Context: message.Usage.Total, Window: s.Spec.Window(message.Model), Model: message.Model,
		}})
	}
	for n, part := range transcript.Elements(message.Content) {
		members := transcript.Members(part, "type", "id", "name", "arguments")
		if transcript.Text(members[0]) == "toolCall" {
			s.call("c"+strconv.Itoa(n), transcript.Text(members[1]), transcript.Text(members[2]), members[3])
		}
	}
	if ended := turns[message.Stop]; ended != "" {
		s.emit("turn", transcript.Event{Kind: transcript.Turn, Text: ended})
	}
}

func (s *session) call(part, id, name string, arguments []byte) {
	known, found := s.Calls.Lookup(name)
	if !found {
		s.UnknownCall("", name)
	}
	info := known.Info(id, name, arguments)
	changes := patch.Parse(transcript.Text(transcript.Member(arguments, "input")))
	if known.Meaning == transcript.Edit {
		for _, change := range changes {
			info.Paths = append(info.Paths, change.Paths()...)
		}
	}
	event := s.emit(part, transcript.Event{Kind: transcript.Call, Call: info})
	s.edited(known, event, arguments)
	s.Memory.Open.Open(event)
}

// edited passes the edited text along, and reads the decisions written into it.
func (s *session) edited(known toolspecs.Call, event transcript.Event, arguments []byte) {
	if len(event.Call.Paths) == 0 || known.Meaning != transcript.Edit && known.Meaning != transcript.Write {
		return
	}
	var before, after []string
	if known.After != "" {
		after = append(after, transcript.Text(transcript.Member(arguments, known.After)))
	}
	for _, edit := range transcript.Elements(transcript.Member(arguments, "edits")) {
		texts := transcript.Members(edit, "oldText", "newText")
		before, after = append(before, transcript.Text(texts[0])), append(after, transcript.Text(texts[1]))
	}
	now := strings.Join(after, "\n")
	if now == "" {
		return
	}
	s.Edited(event.Call.Paths[0], strings.Join(before, "\n"), now)
	s.Decisions(event, now)
}

// exitLine is what the tool writes behind the output of a command that failed.
var exitLine = regexp.MustCompile(`\n*Command exited with code (\d+)$`)

// result reads the answer to a call.
func (s *session) result() {
	message := s.Record.Message
	open := s.Memory.Open.Close(message.CallID)
	if open.Name == "" {
		open.Name = message.ToolName
	}
	said := text(message.Content)
	info := &transcript.ResultInfo{CallID: message.CallID, Failed: message.IsError}
	if outcome := s.Spec.Outcome(said); outcome != "" {
		info.Outcome, info.Failed = outcome, false
	} else if known, _ := s.Calls.Lookup(open.Name); known.Meaning == transcript.Shell {
		said = exited(said, info)
	}
	info.Text = transcript.Foreign(said)
	s.emit("0", transcript.Event{Parent: open.Event, Kind: transcript.Result, Result: info})
	s.given(message.Content)
}

// given tells that our text stands beside a result.
func (s *session) given(content json.RawMessage) {
	for _, part := range transcript.Elements(content) {
		if transcript.Ours(transcript.Text(transcript.Member(part, "text"))) {
			s.emit("restored", transcript.Event{Kind: transcript.Restored})
			return
		}
	}
}

// exited takes the exit code off what a command printed.
func exited(said string, info *transcript.ResultInfo) (printed string) {
	code := 0
	if found := exitLine.FindStringSubmatchIndex(said); found != nil {
		code, _ = strconv.Atoi(said[found[2]:found[3]])
		said = said[:found[0]]
	} else if info.Failed {
		return said
	}
	info.ExitCode, info.Failed = &code, code != 0
	if said == "(no output)" {
		return ""
	}
	return said
}

// ranByUser reads a command that the user ran at the prompt.
func (s *session) ranByUser() {
	message := s.Record.Message
	call := s.emit("0", transcript.Event{Kind: transcript.Call, Origin: transcript.Typed, Call: &transcript.CallInfo{
		ID: s.Record.ID, Name: "user_bash", Meaning: transcript.Shell, Command: message.Command,
	}})
	info := &transcript.ResultInfo{CallID: s.Record.ID, ExitCode: message.ExitCode, Text: strings.TrimSpace(message.Output)}
	info.Failed = message.ExitCode != nil && *message.ExitCode != 0
	if message.Cancelled {
		info.Outcome, info.Failed = transcript.Cancelled, false
	}
	s.emit("r", transcript.Event{Parent: call.ID, Kind: transcript.Result, Result: info})
}
