package extract

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Open questions are those nobody answered:
//
//   - a question of an asking tool without a decision for it;
//   - the questions at the end of the last reply, until the person says
//     something of substance; a bare "yes" answers the last of them only;
//   - what the last reply says it is not sure of, and what stands under a
//     heading like "Open questions";
//   - TODO and FIXME notes that the agent says it left, or that an edit added.
type questionRules struct {
	asked  []askedQuestion
	ending []distiller.Statement // of the last reply
	left   []distiller.Statement // of an earlier one, passed over by a "yes"
	prior  []distiller.Statement
}

type askedQuestion struct {
	text   string
	callID string
	src    distiller.Source
}

const maxQuestions = 8

func (q *questionRules) carry(prior []distiller.Statement) { q.prior = limit(prior, maxQuestions) }

func (q *questionRules) add(e *event) {
	if e.Subagent {
		return
	}
	switch e.Kind {
	case transcript.Question:
		if e.Decision != nil && e.Decision.Question != "" {
			a := askedQuestion{text: oneLine(e.Decision.Question), callID: e.Decision.CallID, src: e.src}
			q.asked = limit(append(slices.Clone(q.asked), a), maxQuestions)
		}
	case transcript.Decided:
		q.answered(e)
	case transcript.Prompt:
		q.prompt(e)
	case transcript.Reply:
		q.ending = endingQuestions(e)
	}
}

func (q *questionRules) answered(e *event) {
	if e.Decision == nil || len(e.Decision.Chosen) == 0 {
		return
	}
	q.asked = slices.DeleteFunc(slices.Clone(q.asked), func(a askedQuestion) bool {
		return strings.EqualFold(a.text, oneLine(e.Decision.Question)) || e.Decision.Question == "" && a.callID == e.Decision.CallID
	})
}

func (q *questionRules) prompt(e *event) {
	if !ownWords(e.Located) || e.req.words == "" {
		return
	}
	if !isNudge(e.req.words) {
		q.asked, q.ending, q.left = nil, nil, nil
		q.prior = nil
		return
	}
	if n := len(q.ending); n > 1 {
		q.left = limit(append(slices.Clone(q.left), q.ending[:n-1]...), 3)
	}
	q.ending = nil
}

// endingWindow is how many statements at the end of a reply may ask.
const endingWindow = 12

var openHeadings = []string{"open question", "question", "unclear", "to clarify", "offene", "questions ouvertes", "pregunta", "вопрос", "soru", "未解決", "待确认", "질문", "미해결"}

var doubts = []string{"not sure", "unclear whether", "unclear if", "couldn't verify", "could not verify", "haven't verified", "not verified", "unverified", "haven't tested", "not been tested", "untested", "can't confirm", "needs confirmation", "remains to be seen", "i notice "}

func endingQuestions(e *event) []distiller.Statement {
	said := e.said
	var out []distiller.Statement
	for i, s := range said {
		low := strings.ToLower(s.text)
		switch {
		case isQuestion(s.text) && i >= len(said)-endingWindow && len(s.text) > 8:
		case s.bullet && hasAny(strings.ToLower(s.heading), openHeadings...):
		case hasAny(low, doubts...):
		case hasAny(s.text, "TODO", "FIXME") && !hasAny(low, "todo list", "todowrite", "todos"):
		default:
			continue
		}
		out = append(out, distiller.Statement{Text: clip(s.text, 220), Source: e.src})
	}
	return limit(out, 5)
}

func (q *questionRules) facts(s *State) []distiller.Statement {
	var out []distiller.Statement
	for _, a := range q.asked {
		out = append(out, distiller.Statement{Text: clip(a.text, 200) + " (asked, no answer)", Source: a.src})
	}
	out = append(out, q.ending...)
	out = append(out, q.left...)
	out = append(out, s.code.left()...)
	out = append(out, q.prior...)
	if len(out) > maxQuestions {
		out = out[:maxQuestions]
	}
	return out
}
