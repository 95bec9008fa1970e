package codex

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// question is one entry of the asking tool's questions.
type question struct {
	ID       string              `json:"id"`
	Header   string              `json:"header"`
	Question string              `json:"question"`
	Options  []transcript.Option `json:"options"`
}

func parseQuestions(raw []byte) []question {
	var questions []question
	if raw == nil || json.Unmarshal(raw, &questions) != nil {
		return nil
	}
	return questions
}

func (q question) decision(call string) *transcript.Decision {
	return &transcript.Decision{
		Kind: transcript.DecisionAsked, Topic: q.Header, Question: q.Question, Options: q.Options, CallID: call,
	}
}

// questions emits what the agent asks, one event each.
func (c *calls) questions(event transcript.Event, call string, raw []byte) {
	for n, q := range parseQuestions(raw) {
		c.derived(event, "q"+strconv.Itoa(n), transcript.Event{
			Kind: transcript.Question, Text: q.Question, Decision: q.decision(call),
		})
	}
}

// asked keeps the questions of a call until they are answered; those too long
// to keep are left out, and their answers then name only the question.
func (c *calls) asked(name string, arguments []byte) []byte {
	known, _ := c.Calls.Lookup(name)
	if known.Meaning != transcript.Ask {
		return nil
	}
	raw := transcript.Member(arguments, known.Question)
	if len(raw) > maxAsked {
		return nil
	}
	return raw
}

// answered reads the answers in the output of the asking call.
func (c *calls) answered(open openCall, output string) {
	for _, event := range choices(c.state.Thread, open, output) {
		c.emit("", "", event)
	}
}

// choices are the user's answers in an output, or in the payload of a hook, to
// the questions of a call.
func choices(thread string, open openCall, output string) []transcript.Event {
	var reply struct {
		Answers map[string]struct {
			Answers []string `json:"answers"`
		} `json:"answers"`
	}
	if open.Asked == nil || json.Unmarshal([]byte(output), &reply) != nil {
		return nil
	}
	var events []transcript.Event
	for n, q := range parseQuestions(open.Asked) {
		if chosen := reply.Answers[q.ID].Answers; len(chosen) > 0 {
			events = append(events, choice(thread, open, n, q, chosen))
		}
	}
	return events
}

// verifiedAnswer reads the answers from the record that keeps them through a
// compaction; it stands before the output and wins over it.
func (c *calls) verifiedAnswer(payload []byte) {
	var kept struct {
		Call      string `json:"call_id"`
		Questions []struct {
			Question string `json:"question"`
			Answer   string `json:"answer"`
		} `json:"questions"`
	}
	if json.Unmarshal(payload, &kept) != nil {
		return
	}
	open := c.state.find(kept.Call)
	if open == nil {
		return
	}
	asked := parseQuestions(open.Asked)
	open.Asked = nil
	for n, entry := range kept.Questions {
		q := question{Question: entry.Question}
		if n < len(asked) {
			q = asked[n]
		}
		if strings.TrimSpace(entry.Answer) != "" {
			c.emit("", "", choice(c.state.Thread, *open, n, q, []string{entry.Answer}))
		}
	}
}

// choice is an answer. The call's id comes from the model's provider and recurs
// in other threads, so the thread stands before it.
func choice(thread string, open openCall, n int, q question, chosen []string) transcript.Event {
	decision := q.decision(open.ID)
	decision.Chosen = chosen
	return transcript.Event{
		ID:     thread + "/call:" + open.ID + "#" + strconv.Itoa(n),
		Parent: open.Event, Kind: transcript.Decided, Decision: decision,
	}
}
