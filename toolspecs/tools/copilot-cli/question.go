package copilotcli

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// asked is one thing that a call of the asking tool wants to know.
type asked struct {
	Field    string              `json:"field,omitempty"` // its name in the answer, where a call asks several things
	About    string              `json:"about,omitempty"` // what it is, there
	Multi    bool                `json:"multi,omitempty"`
	Decision transcript.Decision `json:"decision"` // its question is that of the whole call
}

// asks is the decision that is to be made. Of a call that asks several things
// the message alone would not say which.
func (q asked) asks() transcript.Decision {
	decision := q.Decision
	if q.About != "" {
		decision.Question += " (" + q.About + ")"
	}
	return decision
}

// questions emits what the agent asks the user, one event each.
func (s *session) questions(event transcript.Event, arguments []byte) []asked {
	list := questionsOf(event.Call.ID, arguments)
	for n, q := range list {
		decision := q.asks()
		s.emit("", transcript.Event{
			ID: event.ID + ".q" + strconv.Itoa(n), Parent: event.ID, Kind: transcript.Question, Text: decision.Question, Decision: &decision,
		})
	}
	return list
}

// questionsOf reads the arguments of the asking tool: a message and the fields
// of a form, before 1.0.102 a question and its choices.
func questionsOf(call string, arguments []byte) []asked {
	parts := transcript.Members(arguments, "message", "requestedSchema", "question", "choices")
	decision := transcript.Decision{Kind: transcript.DecisionAsked, Question: transcript.Text(parts[0]), CallID: call}
	if parts[1] == nil {
		decision.Question = transcript.Text(parts[2])
		decision.Options = labels(parts[3])
	}
	if decision.Question == "" {
		return nil
	}
	fields := fieldsOf(decision, transcript.Member(parts[1], "properties"))
	switch len(fields) {
	case 0:
		return []asked{{Decision: decision}}
	case 1:
		fields[0].Field, fields[0].About = "", ""
	}
	return fields
}

// fieldsOf are the fields of a form, each a question of its own.
func fieldsOf(message transcript.Decision, properties []byte) []asked {
	var fields []asked
	for walker := transcript.Walk(properties); ; {
		key, value, ok := walker.Next()
		if !ok {
			return fields
		}
		parts := transcript.Members(value, "title", "description", "type", "enum", "oneOf", "items")
		field := asked{Field: string(key), Multi: transcript.Text(parts[2]) == "array", Decision: message}
		field.Decision.Topic = transcript.Text(parts[0])
		field.About = cmp.Or(transcript.Text(parts[1]), field.Decision.Topic, field.Field)
		items := transcript.Members(parts[5], "enum", "anyOf")
		for _, list := range [][]byte{parts[3], parts[4], items[0], items[1]} {
			field.Decision.Options = append(field.Decision.Options, labels(list)...)
		}
		fields = append(fields, field)
	}
}

// labels are options: texts, or the values that an answer names, with a title.
func labels(list []byte) []transcript.Option {
	var options []transcript.Option
	for _, element := range transcript.Elements(list) {
		option := transcript.Option{Label: transcript.Text(element)}
		if option.Label == "" {
			parts := transcript.Members(element, "const", "title")
			option = transcript.Option{Label: transcript.Text(parts[0]), Description: transcript.Text(parts[1])}
		}
		options = append(options, option)
	}
	return options
}

// chosen is how the tool tells the model what the user said.
var chosen = regexp.MustCompile(`(?s)^User (?:selected|responded): (.+)$`)

// answersIn are the user's choices in what the model was given. Of several
// fields each is named; where only one was filled in, its name is left out, and
// the choice is that of the whole message.
func answersIn(list []asked, text string) []transcript.Decision {
	found := chosen.FindStringSubmatch(strings.TrimSpace(text))
	if found == nil || len(list) == 0 {
		return nil
	}
	if len(list) == 1 {
		return []transcript.Decision{list[0].answered(found[1])}
	}
	values := valuesOf(list, found[1])
	if values == nil {
		whole := list[0].Decision
		whole.Topic, whole.Options, whole.Chosen = "", nil, []string{found[1]}
		return []transcript.Decision{whole}
	}
	var decisions []transcript.Decision
	for n, q := range list {
		if values[n] != "" {
			decisions = append(decisions, q.answered(values[n]))
		}
	}
	return decisions
}

// answered is the decision with what was chosen.
func (q asked) answered(value string) transcript.Decision {
	decision := q.asks()
	decision.Chosen = []string{value}
	if q.Multi {
		decision.Chosen = strings.Split(value, ", ")
	}
	return decision
}

// valuesOf takes a list of name=value apart; values may hold commas. It is nil
// when no field is named.
func valuesOf(list []asked, text string) []string {
	type span struct{ field, name, value int }
	var spans []span
	for n, q := range list {
		name := q.Field + "="
		at := strings.Index(text, ", "+name)
		if strings.HasPrefix(text, name) {
			at = -2
		} else if at < 0 {
			continue
		}
		spans = append(spans, span{n, at, at + 2 + len(name)})
	}
	if spans == nil {
		return nil
	}
	slices.SortFunc(spans, func(a, b span) int { return a.name - b.name })
	values := make([]string, len(list))
	for i, p := range spans {
		end := len(text)
		if i+1 < len(spans) {
			end = spans[i+1].name
		}
		values[p.field] = text[p.value:max(p.value, end)]
	}
	return values
}

// approved is how the model learns that the user accepted its plan.
const approved = "Plan approved!"

// planOf is what a plan is called: the first line of its summary.
func planOf(arguments []byte) string {
	summary := transcript.Text(transcript.Member(arguments, "summary"))
	topic, _, _ := strings.Cut(strings.TrimLeft(summary, "-*# \t\n"), "\n")
	return strings.TrimSpace(topic)
}

// approval is the user's yes to a plan.
func approval(call, plan string) transcript.Decision {
	return transcript.Decision{Kind: transcript.DecisionPlan, Topic: plan, Chosen: []string{"approved"}, CallID: call}
}
