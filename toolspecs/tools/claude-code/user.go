package claudecode

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

const interruption = "[Request interrupted by user"

// user reads what was sent to the model: prompts, results, summaries.
func (s *session) user() {
	content := transcript.Member(s.record.Message, "content")
	if s.record.CompactSummary || s.unmarkedSummary(content) {
		s.compacted(contentText(content))
		return
	}
	s.flushBoundary()
	if text := transcript.Text(content); text != "" {
		s.prompt("0", text, false)
		return
	}
	var texts []string
	first := ""
	for i, block := range transcript.Elements(content) {
		part := strconv.Itoa(i)
		switch kind, _ := transcript.Peek(block, "type"); string(kind) {
		case "tool_result":
			s.result(part, block)
		case "text":
			text := transcript.Text(transcript.Member(block, "text"))
			if first == "" {
				first = part
			}
			texts = append(texts, text)
		}
	}
	if first != "" {
		s.prompt(first, s.spoken(texts), true)
	}
}

// continuation begins the summary that a session goes on from.
const continuation = "This session is being continued from a previous conversation"

// unmarkedSummary knows a summary that carries no flag, as the first record of
// a session of 1.0.56 that was continued from another file: nothing stands
// before it.
func (s *session) unmarkedSummary(content []byte) bool {
	return s.record.Parent == "" && !s.record.Sidechain && strings.HasPrefix(contentText(content), continuation)
}

// spoken joins the blocks of a prompt, without those that programs put beside
// the user's own words.
func (s *session) spoken(texts []string) string {
	var own []string
	for _, text := range texts {
		if !s.Spec.MachinePrompt(text) {
			own = append(own, text)
		}
	}
	if len(own) == 0 {
		own = texts
	}
	return strings.Join(own, "\n")
}

// commandOutput and commandOutputEnd enclose what a slash command printed. That of
// /compact holds what hooks printed before the compaction.
const (
	commandOutput    = "<local-command-stdout>"
	commandOutputEnd = "</local-command-stdout>"
)

// withoutOurs is a prompt without what our own hook printed into the output of a command.
func withoutOurs(text string) string {
	if !strings.HasPrefix(text, commandOutput) {
		return text
	}
	before, _, found := strings.Cut(text, transcript.Sentinel)
	if !found {
		return text
	}
	return before + commandOutputEnd
}

func (s *session) prompt(part, text string, blocks bool) {
	text = withoutOurs(text)
	switch {
	case strings.TrimSpace(text) == "":
	case transcript.Ours(text):
		s.emit(part, transcript.Event{Kind: transcript.Restored})
	case strings.HasPrefix(text, interruption):
		s.state.Busy, s.state.Ended = false, true
		s.emit(part, transcript.Event{Kind: transcript.Turn, Text: transcript.TurnInterrupted})
	case s.ran(part, text), s.printed(part, text):
		s.state.Ended = false
	default:
		origin := s.origin(text, blocks)
		if origin == transcript.Machine && isCommand(text) {
			s.state.Command = s.record.UUID
		}
		if (origin == transcript.Typed || origin == transcript.Queued) && s.state.isRepeated(text) {
			return
		}
		s.state.Ended = false
		s.state.Busy = s.state.Busy || !strings.HasPrefix(text, "<local-command") && !s.record.Meta
		s.emit(part, transcript.Event{Kind: transcript.Prompt, Text: text, Origin: origin, Planning: s.record.Planning && (origin == transcript.Typed || origin == transcript.Queued)})
	}
}

// origin says who wrote a prompt. The fields that say so came late, so that
// their absence proves nothing.
func (s *session) origin(text string, blocks bool) transcript.Origin {
	rec := s.record
	switch {
	case s.inSubagent():
		return transcript.Injected
	case rec.Origin != "" && rec.Origin != "human" && rec.Origin != "task-notification":
		return transcript.Injected
	case rec.Origin == "task-notification", rec.Meta, s.Spec.MachinePrompt(text), isSlash(text):
		return transcript.Machine
	case rec.TurnOrigin != "" && rec.TurnOrigin != "human" && rec.TurnOrigin != "sdk":
		return transcript.Machine
	case blocks && rec.Parent != "" && rec.Parent == s.state.Command:
		return transcript.Machine // the expanded text of a slash command
	case rec.PromptSource == "queued":
		return transcript.Queued
	}
	return transcript.Typed
}

func isCommand(text string) bool {
	return strings.HasPrefix(text, "<command-")
}

// slash is a slash command as it is typed; a path has a second slash.
var slash = regexp.MustCompile(`^/[a-zA-Z][\w:-]*(\s|$)`)

func isSlash(text string) bool { return slash.MatchString(text) }
