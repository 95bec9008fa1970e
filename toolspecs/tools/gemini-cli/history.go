package geminicli

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// session reads the first record. A resumed session gets a second file with
// the same id and no message; the time makes the two events differ.
func (c *chat) session(record []byte) {
	parts := transcript.Members(record, "sessionId", "startTime", "kind", "directories", "summary")
	c.state.Session, c.state.Started = transcript.Text(parts[0]), transcript.Text(parts[1])
	c.state.Agent = transcript.Text(parts[2]) == "subagent"
	event := transcript.Event{
		ID: c.state.Session + "/" + c.state.Started + "#session", Time: kit.Time(c.state.Started),
		Kind: transcript.Session, Start: &transcript.Start{},
	}
	if c.state.Agent {
		event.Start.How, event.Start.From = "subagent", c.parent
	}
	for _, directory := range transcript.Elements(parts[3]) {
		c.state.Cwd = transcript.Text(directory)
		event.WorkDir = &transcript.WorkDir{Cwd: c.state.Cwd}
		break
	}
	c.emit(event)
	c.title(transcript.Text(parts[4]))
}

// set reads a change of the metadata. Its messages replace the whole history:
// that is how a session begins, how a compaction looks, and what follows a failure of
// the model. Messages come with new ids then, so nothing of them is reported
// again; the history that was read before stays as it was.
func (c *chat) set(change []byte) {
	parts := transcript.Members(change, "messages", "summary")
	c.title(transcript.Text(parts[1]))
	if parts[0] == nil {
		return
	}
	c.state.Repeats = time.Time{}
	var prompts prints
	var compaction *message
	for _, element := range transcript.Elements(parts[0]) {
		m := parseMessage(element)
		kind, _ := transcript.Peek(element, "type")
		if string(kind) != "user" {
			continue
		}
		said := c.spoken(m)
		switch {
		case said.context != "":
			c.readWorkDir(m, said.context)
		case strings.HasPrefix(said.text, "<state_snapshot>"):
			compaction = &m
		case said.text != "":
			prompts = append(prompts, transcript.Fingerprint(m.ID))
		}
	}
	switch {
	case compaction != nil:
		c.compacted(*compaction)
	case len(prompts) < len(c.state.Prompts):
		c.failed(prompts)
	}
	c.state.Prompts = prompts[max(0, len(prompts)-maxPrompts):]
}

// compacted reads a compaction of the context. Who asked for it is not said, and what
// was kept has new ids.
func (c *chat) compacted(summary message) {
	if len(c.state.Prompts) == 0 {
		return // a chat that begins with the summary of another
	}
	c.state.Answered = nil
	c.emit(transcript.Event{
		ID: summary.ID + "#0", Time: summary.Time, Kind: transcript.Compacted,
		Text: c.spoken(summary).text, Compaction: &transcript.CompactionInfo{},
	})
}

// failed ends a turn whose model call failed: the tool takes the prompt out of
// its history. It stays in ours, for it is what the user still wants. What was
// stopped is taken out, too, and has ended already.
func (c *chat) failed(left prints) {
	gone := c.state.Prompts[len(c.state.Prompts)-1]
	if c.state.Ended || slices.Contains(left, gone) {
		return
	}
	c.state.Answered = nil
	c.emit(transcript.Event{
		ID: c.recordID() + "#turn", Kind: transcript.Turn, Text: transcript.TurnFailed,
		Result: &transcript.ResultInfo{Failed: true, Text: "the call of the model failed"},
	})
}

// rewind takes turns back, from a prompt on.
func (c *chat) rewind(to string) {
	at := slices.Index(c.state.Prompts, transcript.Fingerprint(to))
	if at < 0 {
		return
	}
	taken := len(c.state.Prompts) - at
	c.state.Prompts, c.state.Answered = c.state.Prompts[:at], nil
	c.emit(transcript.Event{ID: c.recordID() + "#rewind", Kind: transcript.Rollback, Turns: taken})
}

func (c *chat) title(text string) {
	if text = strings.TrimSpace(text); text == "" || strings.HasPrefix(text, "<state_snapshot>") {
		return
	}
	c.emit(transcript.Event{ID: c.recordID() + "#title", Kind: transcript.Title, Text: text})
}

// workspace is the first directory that the context of a session names.
var workspace = regexp.MustCompile(`(?:Workspace Directories:\**|following directories:|working in the directory:)\s*(?:- )?(\S[^\n]*)`)

// readWorkDir reads where the session works: it stands nowhere but in the text that
// opens the history.
func (c *chat) readWorkDir(m message, context string) {
	found := workspace.FindStringSubmatch(context)
	if found == nil || found[1] == c.state.Cwd {
		return
	}
	c.state.Cwd = strings.TrimSpace(found[1])
	c.emit(transcript.Event{
		ID: c.recordID() + "#place", Time: m.Time, Kind: transcript.Session,
		Start: &transcript.Start{}, WorkDir: &transcript.WorkDir{Cwd: c.state.Cwd},
	})
}
