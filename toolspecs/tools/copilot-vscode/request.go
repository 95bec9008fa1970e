package copilotvscode

import (
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// States of a request's answer.
const (
	answerComplete  = 1
	answerCancelled = 2
	answerFailed    = 3
)

// request is one request of a session and what is known of its answer.
type request struct {
	id    string
	value any
	calls int  // calls emitted so far: the second from the start is the second of the answer, whoever names it
	final bool // the answer will not change any more
}

// request maps a request. What it asks is emitted at once, its answer's words when
// they are final.
func (s *session) request(index int, value any) {
	s.count("request")
	id := text(value, "requestId")
	if id == "" {
		id = s.id + "/" + strconv.Itoa(index)
	}
	if when := moment(value, "timestamp"); !when.IsZero() {
		s.time = when
	}
	ending, why := endOf(value)
	s.from = request{id: id, value: value, final: ending != ""}
	s.prompt()
	for _, part := range list(value, "response") {
		s.count(partName(part))
	}
	rounds := list(value, "result", "metadata", "toolCallRounds")
	own := roundIDs(rounds)
	s.compactions(func(round string) bool { return !own[round] })
	if len(rounds) > 0 {
		s.rounds(rounds)
	} else {
		s.parts(list(value, "response"))
	}
	s.usage()
	s.end(ending, why)
}

func (s *session) prompt() {
	words := strings.TrimSpace(text(s.from.value, "message", "text"))
	if words == "" {
		words = strings.TrimSpace(markdown(at(s.from.value, "message")))
	}
	words = strings.TrimPrefix(words, "@agent ") // whom it is for: a button like "Try Again" puts it there too
	switch {
	case words == "":
	case transcript.Ours(words):
		s.emit(s.from.id+"#prompt", transcript.Event{Kind: transcript.Restored})
	default:
		s.emit(s.from.id+"#prompt", transcript.Event{Kind: transcript.Prompt, Text: words, Origin: transcript.Typed})
	}
}

// endOf says how an answer ended, and why if it failed: "" while it has not.
func endOf(value any) (ending, why string) {
	why = text(value, "result", "errorDetails", "message")
	state, known := number(value, "modelState", "value")
	cancelled, _ := at(value, "isCanceled").(bool)
	switch {
	case cancelled, known && state == answerCancelled:
		return transcript.TurnInterrupted, ""
	case known && state == answerFailed, why != "":
		return transcript.TurnFailed, why
	case known && state == answerComplete, !known && at(value, "result") != nil:
		return transcript.TurnCompleted, ""
	}
	return "", ""
}

func (s *session) end(ending, why string) {
	if ending == "" {
		return
	}
	event := transcript.Event{Kind: transcript.Turn, Text: ending, Time: moment(s.from.value, "modelState", "completedAt")}
	if why != "" {
		event.Result = &transcript.ResultInfo{Failed: true, Text: why}
	}
	s.emit(s.from.id+"#turn", event)
}

// usage reads how full the context was in the last round of a request.
func (s *session) usage() {
	sent, _ := number(s.from.value, "result", "metadata", "promptTokens")
	received, _ := number(s.from.value, "result", "metadata", "outputTokens")
	if sent+received <= 0 {
		return
	}
	model := strings.TrimPrefix(text(s.from.value, "modelId"), "copilot/")
	s.emit(s.from.id+"#usage", transcript.Event{Kind: transcript.UsageRead, Usage: &transcript.UsageInfo{
		Context: int64(sent + received), Window: s.Spec.Window(model), Model: model,
	}})
}

// rounds maps an answer by what went to and came from the model, which is all
// there at once when the answer ends: words, calls with their arguments, and
// results.
func (s *session) rounds(rounds []any) {
	results := at(s.from.value, "result", "metadata", "toolCallResults")
	for i, round := range rounds {
		s.say("t"+strconv.Itoa(i), text(round, "response"))
		for _, value := range list(round, "toolCalls") {
			s.call(text(value, "name"), []byte(text(value, "arguments")), at(results, text(value, "id")))
		}
		if id := text(round, "id"); id != "" {
			s.compactions(func(last string) bool { return last == id })
		}
	}
}

// say emits words of an answer.
func (s *session) say(part, words string) {
	words = strings.TrimSpace(words)
	if words == "" || !s.from.final {
		return
	}
	if transcript.Ours(words) {
		s.emit(s.from.id+"#"+part, transcript.Event{Kind: transcript.Restored})
		return
	}
	event := s.emit(s.from.id+"#"+part, transcript.Event{Kind: transcript.Reply, Text: words})
	s.Decisions(event, words)
}
