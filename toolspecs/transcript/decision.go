package transcript

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strconv"
	"strings"
)

// Kinds of a Decision.
const (
	DecisionAsked = "asked" // answered through the agent's asking tool
	DecisionPlan  = "plan"  // a plan that was approved
	DecisionBlock = "block" // a DECISION: block in the agent's words
)

// decisionWord opens a block; it counts only in this spelling.
const decisionWord = "DECISION:"

// ParseDecisions finds the DECISION: blocks in a text:
//
//	DECISION: <topic>
//	Question: … / Options: … / Chosen: … / Rationale: … / Trade-offs: …
//
// The fields come in any order and may carry list marks and bold; options are
// separated by bars, commas, or stand as a list. A block ends at a blank line
// before other text. Without fields, `DECISION: use B over A because …` says
// it all on one line. Text in code fences, code spans and quotes is an example
// of a block, not a block.
func ParseDecisions(text string) []Decision {
	if !strings.Contains(text, "DECISION") {
		return nil
	}
	var parser decisionParser
	for line := range strings.Lines(text) {
		parser.line(strings.TrimRight(line, " \t\r\n"))
	}
	parser.finish()
	return parser.found
}

// DecisionEvents are the decisions that stand in a text of the event, a reply
// or the content of a file it wrote, as events of their own that hang at it.
func DecisionEvents(from Event, text string) []Event {
	var events []Event
	for n, decision := range ParseDecisions(text) {
		events = append(events, Event{
			Tool: from.Tool, Session: from.Session, Time: from.Time, Subagent: from.Subagent,
			ID: from.ID + ".d" + strconv.Itoa(n), Parent: from.ID, Kind: Decided, Decision: &decision,
		})
	}
	return events
}

// ChoiceID is the id of a decision that is known by its session, question (of
// a plan: topic) and choice: hooks that tell of one without naming the call
// then agree with the record that comes later.
func ChoiceID(session string, decision Decision) string {
	sum := sha256.New()
	for _, part := range append([]string{decision.Kind, decision.Question, decision.Topic}, decision.Chosen...) {
		_, _ = io.WriteString(sum, part+"\x00")
	}
	return session + "/choice:" + hex.EncodeToString(sum.Sum(nil)[:8])
}

type decisionParser struct {
	found []Decision
	open  *decisionBlock
	fence string // the marks that opened the code fence we are in
}

// decisionBlock is a block being read. Fields are joined from their lines;
// options stay apart, because a list of them has one per line.
type decisionBlock struct {
	topic   string
	fields  map[string]string
	options []string
	current string // field that takes further lines
	blank   bool   // the last line was blank
}

func (p *decisionParser) line(raw string) {
	if p.inFence(raw) {
		p.finish()
		return
	}
	line := strings.TrimLeft(raw, " \t")
	if strings.HasPrefix(line, ">") || len(raw)-len(line) > 3 && p.open == nil {
		p.finish()
		return
	}
	plain, listed := unmark(line)
	if topic, ok := strings.CutPrefix(plain, decisionWord); ok {
		p.finish()
		p.open = &decisionBlock{topic: strings.TrimSpace(topic), fields: map[string]string{}}
		return
	}
	if p.open != nil && !p.open.take(line, plain, listed) {
		p.finish()
	}
}

// inFence follows code fences; the fence lines themselves belong to them.
func (p *decisionParser) inFence(raw string) bool {
	line := strings.TrimLeft(raw, " \t")
	marks := line[:len(line)-len(strings.TrimLeft(line, "`~"))]
	if p.fence != "" {
		if len(marks) >= len(p.fence) && marks[0] == p.fence[0] && len(marks) == len(line) {
			p.fence = ""
		}
		return true
	}
	if strings.HasPrefix(marks, "```") || strings.HasPrefix(marks, "~~~") {
		p.fence = marks
		return true
	}
	return false
}

// take adds a line to the block; false when the line is beyond its end.
func (b *decisionBlock) take(line, plain string, listed bool) bool {
	if line == "" {
		b.blank = true
		return true
	}
	afterBlank := b.blank
	b.blank = false
	if name, value, ok := decisionField(plain); ok {
		b.current = name
		b.add(value)
		return true
	}
	openList := b.current == "options" && listed && (!afterBlank || len(b.options) == 0)
	if openList || b.current != "" && !afterBlank {
		b.add(plain)
		return true
	}
	return false
}

func (b *decisionBlock) add(value string) {
	switch {
	case value == "":
	case b.current == "options":
		b.options = append(b.options, value)
	case b.fields[b.current] == "":
		b.fields[b.current] = value
	default:
		b.fields[b.current] += " " + value
	}
}

func (p *decisionParser) finish() {
	if p.open == nil {
		return
	}
	block := p.open
	p.open = nil
	if block.topic == "" && len(block.fields) == 0 {
		return
	}
	p.found = append(p.found, block.decision())
}

func (b *decisionBlock) decision() Decision {
	if b.current == "" {
		return oneLineDecision(b.topic)
	}
	decision := Decision{
		Kind: DecisionBlock, Topic: b.topic, Question: b.fields["question"], Options: splitOptions(b.options),
		Rationale: b.fields["rationale"], Tradeoffs: b.fields["trade-offs"],
	}
	if chosen := b.fields["chosen"]; chosen != "" {
		decision.Chosen = splitChosen(chosen, decision.Options)
	}
	return decision
}

// decisionField splits "Chosen: x" into its name and value.
func decisionField(plain string) (name, value string, ok bool) {
	name, value, found := strings.Cut(plain, ":")
	if !found || len(name) > 12 {
		return "", "", false
	}
	switch name = strings.ToLower(strings.TrimSpace(name)); name {
	case "tradeoffs", "trade offs", "tradeoff", "trade-off":
		name = "trade-offs"
	case "option":
		name = "options"
	case "question", "options", "chosen", "rationale", "trade-offs":
	default:
		return "", "", false
	}
	return name, strings.TrimSpace(value), true
}

// unmark takes list marks and bold off a line and says whether it was a list
// item: "- **Chosen:** x" becomes "Chosen: x".
func unmark(line string) (plain string, listed bool) {
	plain, listed = trimListMark(line)
	if rest, bold := strings.CutPrefix(plain, "**"); bold {
		label, after, closed := strings.Cut(rest, "**")
		if closed {
			plain = label + after
		}
	}
	return strings.TrimSpace(plain), listed
}

func trimListMark(line string) (rest string, listed bool) {
	for _, mark := range []string{"- ", "* ", "+ "} {
		if rest, ok := strings.CutPrefix(line, mark); ok {
			return strings.TrimSpace(rest), true
		}
	}
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	if digits > 0 && digits < 4 && len(line) > digits+1 && (line[digits] == '.' || line[digits] == ')') && line[digits+1] == ' ' {
		return strings.TrimSpace(line[digits+2:]), true
	}
	return line, false
}

// splitOptions takes one line of options apart, or a list of them as it is.
func splitOptions(lines []string) []Option {
	parts := lines
	if len(lines) == 1 {
		line := lines[0]
		if inner, ok := strings.CutPrefix(line, "["); ok && strings.HasSuffix(inner, "]") && !strings.ContainsAny(inner[:len(inner)-1], "[]") {
			line = inner[:len(inner)-1] // [A, B, C]
		}
		mark := ","
		if strings.Contains(line, "|") {
			mark = "|"
		}
		parts = strings.Split(line, mark)
	}
	var options []Option
	for _, part := range parts {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		option := Option{Label: part}
		for _, mark := range []string{": ", " — ", " – ", " - "} {
			if label, about, ok := strings.Cut(part, mark); ok && label != "" {
				option = Option{Label: strings.TrimSpace(label), Description: strings.TrimSpace(about)}
				break
			}
		}
		options = append(options, option)
	}
	return options
}

// splitChosen reads several choices only where each of them was an option.
func splitChosen(chosen string, options []Option) []string {
	known := map[string]bool{}
	for _, option := range options {
		known[strings.ToLower(option.Label)] = true
	}
	parts := strings.Split(chosen, ",")
	for i, part := range parts {
		parts[i] = strings.TrimSpace(part)
		if len(parts) > 1 && !known[strings.ToLower(parts[i])] {
			return []string{chosen}
		}
	}
	return parts
}

// oneLineDecision reads "use B over A because R"; whatever does not fit that
// form stays the topic.
func oneLineDecision(text string) Decision {
	decision := Decision{Kind: DecisionBlock, Topic: text}
	head, reason, _ := splitAtWord(text, "because", "since")
	decision.Rationale = reason
	chosen, refused, compared := splitAtWord(head, "over", "instead of", "rather than")
	verb := false
	for _, word := range []string{"use", "go with", "choose", "pick", "prefer", "keep", "adopt"} {
		if rest, ok := trimPrefixFold(chosen, word+" "); ok {
			chosen, verb = strings.TrimSpace(rest), true
			break
		}
	}
	if chosen != "" && (compared || verb) {
		decision.Chosen = []string{chosen}
	}
	if compared && refused != "" {
		decision.Rejected = []Refused{{Option: refused}}
	}
	return decision
}

// splitAtWord cuts at the first of the words that stands alone in the text.
func splitAtWord(text string, words ...string) (before, after string, ok bool) {
	for _, word := range words {
		if before, after, ok := strings.Cut(text, " "+word+" "); ok {
			return strings.Trim(before, " ,"), strings.TrimSpace(after), true
		}
	}
	return strings.TrimSpace(text), "", false
}

func trimPrefixFold(text, prefix string) (string, bool) {
	if len(text) < len(prefix) || !strings.EqualFold(text[:len(prefix)], prefix) {
		return text, false
	}
	return text[len(prefix):], true
}
