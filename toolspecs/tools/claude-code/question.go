package claudecode

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// question is one entry of the asking tool's questions.
type question struct {
	Question string              `json:"question"`
	Header   string              `json:"header"`
	Multi    bool                `json:"multiSelect"`
	Options  []transcript.Option `json:"options"`
}

func (q question) decision(call string) *transcript.Decision {
	return &transcript.Decision{
		Kind: transcript.DecisionAsked, Topic: q.Header, Question: q.Question, Options: q.Options, CallID: call,
	}
}

// questions emits what the agent asks, one event each.
func (c *calls) questions(event transcript.Event, call string, raw []byte) {
	for n, q := range parseQuestions(raw) {
		c.emit("", transcript.Event{
			ID: event.ID + ".q" + strconv.Itoa(n), Parent: event.ID, Kind: transcript.Question,
			Text: q.Question, Decision: q.decision(call),
		})
	}
}

func parseQuestions(raw []byte) []question {
	var questions []question
	if raw == nil || json.Unmarshal(raw, &questions) != nil {
		return nil
	}
	return questions
}

// answers emits the user's choices.
func (c *calls) answers(call openCall, text string) {
	for _, event := range answered(call, c.record.Result, text) {
		c.emit("", event)
	}
}

// answered are the user's choices in a structured result. text is what the
// model was given, the only place of the answers in versions without one.
func answered(call openCall, result []byte, text string) []transcript.Event {
	parts := transcript.Members(result, "questions", "answers", "annotations")
	questions := parseQuestions(parts[0])
	var answers map[string]json.RawMessage
	if parts[1] == nil || json.Unmarshal(parts[1], &answers) != nil {
		questions, answers = quotedAnswers(text)
	}
	var events []transcript.Event
	for n, q := range questions {
		answer := answerText(answers[q.Question])
		if answer == "" {
			continue
		}
		decision := q.decision(call.ID)
		decision.Chosen = []string{answer}
		if q.Multi {
			decision.Chosen = strings.Split(answer, ", ")
		}
		decision.Rationale = note(parts[2], q.Question)
		events = append(events, transcript.Event{
			ID: decisionID(call.ID, n), Parent: call.Event, Kind: transcript.Decided, Decision: decision,
		})
	}
	return events
}

var quotedAnswer = regexp.MustCompile(`"([^"]+)"="([^"]+)"`)

func quotedAnswers(text string) ([]question, map[string]json.RawMessage) {
	var questions []question
	answers := map[string]json.RawMessage{}
	for _, pair := range quotedAnswer.FindAllStringSubmatch(text, -1) {
		questions = append(questions, question{Question: pair[1]})
		answers[pair[1]], _ = json.Marshal(pair[2])
	}
	return questions, answers
}

// answerText is an answer as one text; several labels may come as a list.
func answerText(raw []byte) string {
	var list []string
	if json.Unmarshal(raw, &list) == nil {
		return strings.Join(list, ", ")
	}
	return transcript.Text(raw)
}

// note is what the user wrote beside an answer.
func note(annotations []byte, question string) string {
	if annotations == nil {
		return ""
	}
	return transcript.Text(transcript.Member(transcript.Members(annotations, question)[0], "notes"))
}
