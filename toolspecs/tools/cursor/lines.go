package cursor

import (
	"encoding/json"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// state is what a line needs to know of those before it.
type state struct {
	Opened bool     `json:"told,omitempty"` // that the session was opened
	Cwd    string   `json:"cwd,omitempty"`
	Open   []string `json:"open,omitempty"` // calls of the newest line that has some
}

// maxOpen bounds the calls of one line that are remembered.
const maxOpen = 200

// lines is a transcript being read.
type lines struct {
	*Reader
	kit.Lines
	file     string // its name, which is the session's or the subagent's id
	slug     string // the name of its project's folder
	cwd      string
	session  string
	subagent bool
	state    state

	said spoken    // being read
	time time.Time // of the line; only prompts have one
}

// spoken is what a line says.
type spoken struct {
	Error   string `json:"error"`
	Status  string `json:"status"` // how a turn ended
	Message struct {
		Content []content `json:"content"`
	} `json:"message"`
}

// content is a piece of a message.
type content struct {
	Type  string          `json:"type"`
	Text  string          `json:"text"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// State implements kit.Format.
func (l *lines) State() (json.RawMessage, error) {
	return transcript.EncodeState(&l.state, func() { l.state.Open = nil })
}

// Parse implements kit.Format.
func (l *lines) Parse(line []byte) error {
	l.said, l.time = spoken{}, time.Time{}
	return json.Unmarshal(line, &l.said)
}

// Version implements kit.Format: no line says it.
func (l *lines) Version() string { return "" }

// Read implements kit.Format.
func (l *lines) Read(name string) {
	said := l.said
	l.open(said)
	l.endCalls(name != "error" && (name != "turn_ended" || said.done()))
	switch name {
	case "user":
		l.prompt(said)
	case "assistant":
		l.answer(said)
	case "turn_ended":
		l.ended(said)
	case "error":
		l.failed(said.Error)
	}
}

// emit adds an event made from this line. A line has no id: its place does.
func (l *lines) emit(part string, event transcript.Event) transcript.Event {
	if event.ID == "" {
		event.ID = l.id(part)
	}
	event.Time = l.time
	event.Session, event.Subagent = l.session, l.subagent
	return l.Add(event)
}

func (l *lines) id(part string) string {
	return l.file + "/" + strconv.FormatInt(l.Offset(), 10) + "#" + part
}

// open tells of the session, and of where it is held as soon as that is known.
func (l *lines) open(said spoken) {
	cwd := l.cwd
	for _, c := range said.Message.Content {
		if cwd != "" || l.state.Cwd != "" {
			break
		}
		known, _ := l.Calls.Lookup(c.Name)
		info := known.Info("", c.Name, c.Input)
		for _, named := range append(info.Paths, info.Cwd) {
			if folder := above(named, l.slug); folder != "" {
				cwd = folder
			}
		}
	}
	if l.state.Opened && (cwd == "" || l.state.Cwd != "") {
		return
	}
	event := transcript.Event{Kind: transcript.Session, Start: &transcript.Start{}}
	if l.subagent {
		event.Start.Agent = l.file
	}
	if cwd != "" {
		event.WorkDir = &transcript.WorkDir{Cwd: cwd}
	}
	l.state.Opened, l.state.Cwd = true, cwd
	l.emit("start", event)
}

// done says that a turn ended as it should.
func (s spoken) done() bool { return s.Status == "success" || s.Status == "completed" }

// endCalls ends the calls before this line. If the agent went on they happened;
// what came of them is not known.
func (l *lines) endCalls(happened bool) {
	for _, call := range l.state.Open {
		l.emit("", transcript.Event{ID: call + ".result", Parent: call, Kind: transcript.Result, Result: &transcript.ResultInfo{
			CallID: call, Outcome: transcript.UnknownOutcome, Unseen: happened,
		}})
	}
	l.state.Open = nil
}

func (l *lines) prompt(said spoken) {
	var words []string
	for _, c := range said.Message.Content {
		if c.Type == "text" {
			words = append(words, c.Text)
		}
	}
	written := strings.Join(words, "\n")
	text, asked := query(written)
	l.time = sentAt(written)
	switch {
	case text == "":
	case transcript.Ours(text):
		l.emit("0", transcript.Event{Kind: transcript.Restored})
	case l.subagent:
		l.emit("0", transcript.Event{Kind: transcript.Prompt, Text: text, Origin: transcript.Injected})
	case !asked && l.Spec.MachinePrompt(text):
		l.emit("0", transcript.Event{Kind: transcript.Prompt, Text: text, Origin: transcript.Machine})
	default:
		l.emit("0", transcript.Event{Kind: transcript.Prompt, Text: text, Origin: transcript.Typed})
	}
}

// query is what the user asked for: what they typed, which the tool marks
// inside of what it sends, and what a button of theirs put beside it without a
// tag. Marked says that there is a mark.
func query(text string) (asked string, marked bool) {
	text = stamp.ReplaceAllString(text, "")
	before, rest, found := strings.Cut(text, "<user_query>")
	inner, after, closed := strings.Cut(rest, "</user_query>")
	if !found || !closed {
		return strings.TrimSpace(text), false
	}
	beside := strings.TrimSpace(untagged(before + "\n" + after))
	return strings.TrimSpace(strings.TrimSpace(inner) + "\n" + beside), true
}

// stamp is when a prompt was sent, which newer versions write before it.
var stamp = regexp.MustCompile(`\s*<timestamp>([^<]*)</timestamp>\s*`)

var openingTag = regexp.MustCompile(`<([a-z][a-z_]+)(?:\s[^>]*)?>`)

// untagged is a text without what the tool puts into tags of its own.
func untagged(text string) string {
	for {
		at := openingTag.FindStringSubmatchIndex(text)
		if at == nil {
			return text
		}
		closing := "</" + text[at[2]:at[3]] + ">"
		_, after, found := strings.Cut(text[at[1]:], closing)
		if !found {
			return text[:at[0]]
		}
		text = text[:at[0]] + after
	}
}

// zoned takes a stamp apart: clock and offset from UTC in hours and minutes.
var zoned = regexp.MustCompile(`^(\w+, \w+ \d+, \d+, \d+:\d\d [AP]M) \(UTC(?:([+-])(\d{1,2})(?::(\d\d))?)?\)$`)

// sentAt is when a prompt was sent, to the minute; zero where it says nothing.
func sentAt(text string) time.Time {
	found := stamp.FindStringSubmatch(text)
	if found == nil {
		return time.Time{}
	}
	parts := zoned.FindStringSubmatch(strings.TrimSpace(found[1]))
	if parts == nil {
		return time.Time{}
	}
	clock, err := time.Parse("Monday, Jan 2, 2006, 3:04 PM", parts[1])
	if err != nil {
		return time.Time{}
	}
	hours, _ := strconv.Atoi(parts[3]) // digits, or nothing for UTC itself
	minutes, _ := strconv.Atoi(parts[4])
	offset := time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute
	if parts[2] == "-" {
		offset = -offset
	}
	return clock.Add(-offset)
}

// hidden stands where the tool leaves something out.
const hidden = "[REDACTED]"

func (l *lines) answer(said spoken) {
	for n, c := range said.Message.Content {
		part := strconv.Itoa(n)
		switch c.Type {
		case "text":
			text := strings.TrimSpace(strings.ReplaceAll(c.Text, hidden, ""))
			if text == "" || transcript.Ours(text) {
				continue
			}
			l.Decisions(l.emit(part, transcript.Event{Kind: transcript.Reply, Text: text}), text)
		case "tool_use":
			l.call(part, c)
		}
	}
}

// call tells of a call, with what it asks the user or sets as todos.
func (l *lines) call(part string, c content) {
	c = dynamic(c)
	known, found := l.Calls.Lookup(c.Name)
	if !found {
		l.UnknownCall("", c.Name)
	}
	id := l.id(part)
	event := l.emit(part, transcript.Event{Kind: transcript.Call, Call: known.Info(id, c.Name, c.Input)})
	l.state.Open = transcript.Remember(l.state.Open, id, maxOpen)
	if known.After != "" && len(event.Call.Paths) > 0 {
		texts := transcript.Members(c.Input, known.Before, known.After)
		after := transcript.Text(texts[1])
		l.Edited(event.Call.Paths[0], transcript.Text(texts[0]), after)
		l.Decisions(event, after)
	}
	for n, question := range questions(known, c.Input) {
		question.CallID = id
		l.emit("", transcript.Event{
			ID: id + ".q" + strconv.Itoa(n), Parent: id, Kind: transcript.Question, Text: question.Question, Decision: question,
		})
	}
	if known.Meaning == transcript.Todos {
		l.todos(id, c.Input)
	}
}

// dynamic is the call that a call of a tool that was looked up first stands
// for: the tool's own are known by their names, those of servers by a prefix.
func dynamic(c content) content {
	if c.Name != "CallDynamicTool" {
		return c
	}
	parts := transcript.Members(c.Input, "namespace", "toolName", "arguments")
	name := transcript.Text(parts[1])
	if name == "" || parts[2] == nil {
		return c
	}
	if transcript.Text(parts[0]) != "cursor" {
		name = "mcp_" + name
	}
	return content{Type: c.Type, Name: name, Input: parts[2]}
}

// questions are those a call asks.
func questions(known toolspecs.Call, input []byte) []*transcript.Decision {
	var asked []struct {
		Prompt  string `json:"prompt"`
		Options []struct {
			Label string `json:"label"`
		} `json:"options"`
	}
	if known.Question == "" || json.Unmarshal(transcript.Member(input, known.Question), &asked) != nil {
		return nil
	}
	var list []*transcript.Decision
	for _, q := range asked {
		decision := &transcript.Decision{Kind: transcript.DecisionAsked, Question: q.Prompt}
		for _, option := range q.Options {
			decision.Options = append(decision.Options, transcript.Option{Label: option.Label})
		}
		list = append(list, decision)
	}
	return list
}

// todos tells the list as a call sets it. One that only changes some of the
// list is left alone: what it is merged into is not known.
func (l *lines) todos(call string, input []byte) {
	if string(transcript.Member(input, "merge")) == "true" {
		return
	}
	items := []transcript.Item{}
	for _, element := range transcript.Elements(transcript.Member(input, "todos")) {
		fields := transcript.Members(element, "content", "status")
		text, status := transcript.Text(fields[0]), transcript.Text(fields[1])
		if text != "" && !strings.EqualFold(status, "cancelled") {
			items = append(items, transcript.Item{Text: text, State: todoStates[strings.ToLower(status)]})
		}
	}
	l.emit("", transcript.Event{ID: call + ".todo", Parent: call, Kind: transcript.Todo, Items: items})
}

// ended tells how a turn ended, where the tool says so.
func (l *lines) ended(said spoken) {
	switch {
	case said.done():
		l.emit("turn", transcript.Event{Kind: transcript.Turn, Text: transcript.TurnCompleted})
	case said.Status == "error":
		l.failed(said.Error)
	default: // aborted, and what a later version may call it
		l.emit("turn", transcript.Event{Kind: transcript.Turn, Text: transcript.TurnInterrupted})
	}
}

// failed tells that a turn broke off.
func (l *lines) failed(why string) {
	l.emit("turn", transcript.Event{Kind: transcript.Turn, Text: transcript.TurnFailed, Result: &transcript.ResultInfo{Failed: true, Text: why}})
}

// slugOf is the name of the folder that stands for the project of a transcript.
func slugOf(file string) string {
	before, _, found := strings.Cut(file, "/agent-transcripts/")
	if !found {
		return ""
	}
	return path.Base(before)
}

// above is the folder, at or above a path, that has this slug: a slug cannot be
// read back, for slashes and dots and hyphens are one in it.
func above(named, slug string) string {
	named = strings.ReplaceAll(named, `\`, "/")
	if slug == "" || !path.IsAbs(named) && (len(named) < 2 || named[1] != ':') {
		return ""
	}
	for folder := path.Clean(named); ; folder = path.Dir(folder) {
		if slugged(folder, "/:.") == slug || slugged(folder, "/:") == slug {
			return folder
		}
		if folder == path.Dir(folder) {
			return ""
		}
	}
}

// slugged is a path as the tool names its folder, with these characters as
// hyphens. A drive's letter and its colon leave one.
func slugged(folder, replaced string) string {
	folder = strings.ReplaceAll(strings.TrimPrefix(folder, "/"), ":/", "/")
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(replaced, r) {
			return '-'
		}
		return r
	}, folder)
}
