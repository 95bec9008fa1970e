package continuity

import (
	"regexp"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/ledger"
)

// Fields is what an agent saved. A field it did not name is nil; one it called
// "none" is empty.
type Fields struct {
	CurrentTask string
	Completed   []string
	InProgress  []string
	Blocked     []string
	NextSteps   []string
	Decisions   []ledger.AgentChose
	Uncertain   []string
	Files       []ledger.FileRange
	Notes       []string // lines outside of every field, as they stand
}

// field is one of the eight.
type field int

const (
	noField field = iota
	fieldTask
	fieldCompleted
	fieldInProgress
	fieldBlocked
	fieldNext
	fieldDecisions
	fieldUncertain
	fieldFiles
)

// fieldNames are the names and their aliases, in lower case.
var fieldNames = map[string]field{
	"current task": fieldTask, "current tasks": fieldTask, "task": fieldTask, "tasks": fieldTask,
	"completed": fieldCompleted, "completed item": fieldCompleted, "completed items": fieldCompleted,
	"in progress": fieldInProgress, "in-progress": fieldInProgress,
	"blocked": fieldBlocked, "blocker": fieldBlocked, "blockers": fieldBlocked,
	"next steps": fieldNext, "next step": fieldNext, "next": fieldNext,
	"key decisions": fieldDecisions, "key decision": fieldDecisions, "decisions": fieldDecisions, "decision": fieldDecisions,
	"uncertain": fieldUncertain, "uncertain item": fieldUncertain, "uncertain items": fieldUncertain,
	"files": fieldFiles, "file": fieldFiles,
}

var (
	// nameLine is a line that begins with a name: list and bold prefixes are
	// allowed.
	nameLine = regexp.MustCompile(`^\s*(?:[-*•]\s+)?(?:#+\s+)?[*_]{0,3}([A-Za-z][A-Za-z -]{2,16}?)[*_]{0,3}\s*:\s*[*_]{0,3}\s*(.*)$`)
	listItem = regexp.MustCompile(`^\s*(?:[-*•+]|\d{1,3}[.)]|\[[ xX]\])\s+(?:\[[ xX]\]\s+)?(.*)$`)
	fileRef  = regexp.MustCompile(`^(.+?)(?::(\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*))?$`)
	nothing  = []string{"none", "n/a", "nothing", "-", "(none)"}
)

// ParseFields reads what stands between <<< and >>>. Nothing of it is lost:
// what belongs to no field becomes a note.
func ParseFields(text string) Fields {
	var p fieldParser
	for _, line := range strings.Split(unfolded(text), "\n") {
		p.line(line)
	}
	return p.fields
}

// unfolded breaks a text that stands on one line before each name in it.
func unfolded(text string) string {
	text = strings.TrimSpace(text)
	if strings.Contains(text, "\n") {
		return text
	}
	return inlineName.ReplaceAllString(text, "\n$1:")
}

var inlineName = func() *regexp.Regexp {
	var names []string
	for name := range fieldNames {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) })
	return regexp.MustCompile(`(?i)(?:^|[;|,.]\s*|\s+)(` + strings.Join(names, "|") + `)\s*:`)
}()

type fieldParser struct {
	fields Fields
	now    field
	listed bool // the field's values stand in a list
	values int
}

// nameIn reads the name of a field at the beginning of a line, and what follows.
func nameIn(line string) (named field, rest string) {
	if match := nameLine.FindStringSubmatch(line); match != nil {
		return fieldNames[strings.ToLower(strings.TrimSpace(match[1]))], match[2]
	}
	return noField, ""
}

func isField(line string) bool {
	named, _ := nameIn(line)
	return named != noField
}

func (p *fieldParser) line(line string) {
	if named, rest := nameIn(line); named != noField {
		p.now, p.listed, p.values = named, false, 0
		p.value(rest, false)
		return
	}
	if item := listItem.FindStringSubmatch(line); item != nil {
		p.listed = true
		p.value(item[1], false)
		return
	}
	p.value(line, p.listed)
}

// value adds to the field at hand; goesOn says that it is the rest of the last
// value, which was too long for its line.
func (p *fieldParser) value(text string, goesOn bool) {
	text = strings.TrimSpace(text)
	f := &p.fields
	switch {
	case text == "":
		p.listed = false
		return
	case p.now != noField && p.values == 0 && slices.Contains(nothing, strings.ToLower(text)):
		p.none()
		return
	}
	p.values++
	switch p.now {
	case noField:
		f.Notes = append(f.Notes, text)
	case fieldTask:
		f.CurrentTask = strings.TrimSpace(f.CurrentTask + " " + text)
	case fieldCompleted:
		if goesOn {
			f.Completed = more(f.Completed, text, goesOn)
			return
		}
		for _, part := range parts(text) {
			f.Completed = append(f.Completed, short(part)...)
		}
	case fieldInProgress:
		f.InProgress = more(f.InProgress, text, goesOn)
	case fieldBlocked:
		f.Blocked = more(f.Blocked, text, goesOn)
	case fieldNext:
		f.NextSteps = more(f.NextSteps, text, goesOn)
	case fieldUncertain:
		f.Uncertain = more(f.Uncertain, text, goesOn)
	case fieldFiles:
		f.Files = append(f.Files, files(text)...)
	case fieldDecisions:
		if last := len(f.Decisions) - 1; goesOn && last >= 0 {
			f.Decisions[last] = chosen(joined(f.Decisions[last]) + " " + text)
			return
		}
		for _, part := range parts(text) {
			f.Decisions = append(f.Decisions, chosen(part))
		}
	}
}

// none empties the field at hand, where saving replaces.
func (p *fieldParser) none() {
	for named, list := range map[field]*[]string{
		fieldInProgress: &p.fields.InProgress, fieldBlocked: &p.fields.Blocked, fieldNext: &p.fields.NextSteps,
	} {
		if named == p.now && *list == nil {
			*list = []string{}
		}
	}
}

func more(values []string, text string, goesOn bool) []string {
	if last := len(values) - 1; goesOn && last >= 0 {
		values[last] += " " + text
		return values
	}
	return append(values, parts(text)...)
}

// parts splits a line of several values.
func parts(text string) []string {
	var list []string
	for _, part := range strings.Split(text, ";") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// maxItemWords is how long an item of a list within a line is at most, in words.
const maxItemWords = 4

// short takes "User model, JWT utils" apart; a sentence with a comma stays whole.
func short(text string) []string {
	list := strings.Split(text, ", ")
	for i, item := range list {
		list[i] = strings.TrimSpace(item)
		if n := len(strings.Fields(item)); n == 0 || n > maxItemWords {
			return []string{text}
		}
	}
	return list
}

// because separates a decision from its reason.
var because = regexp.MustCompile(`(?i)\s+(?:because|—|–|--)\s+`)

func chosen(text string) ledger.AgentChose {
	if at := because.FindStringIndex(text); at != nil {
		return ledger.AgentChose{Decision: text[:at[0]], Reasoning: text[at[1]:]}
	}
	return ledger.AgentChose{Decision: text}
}

func joined(c ledger.AgentChose) string {
	if c.Reasoning == "" {
		return c.Decision
	}
	return c.Decision + " because " + c.Reasoning
}

// files reads paths with the lines behind them: "a.go:10-20, b.go".
func files(text string) []ledger.FileRange {
	var list []ledger.FileRange
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ';' || r == ' ' || r == '\t' }) {
		part = strings.Trim(part, "`,\"'")
		// A comma separates files; between numbers it separates ranges.
		for _, name := range strings.Split(part, ",") {
			if last := len(list) - 1; last >= 0 && list[last].Lines != "" && isRange(name) && strings.Contains(part, ",") {
				list[last].Lines += "," + name
				continue
			}
			if match := fileRef.FindStringSubmatch(name); match != nil {
				list = append(list, ledger.FileRange{Path: match[1], Lines: match[2]})
			}
		}
	}
	return list
}

func isRange(text string) bool {
	return text != "" && strings.Trim(text, "0123456789-") == ""
}

// Empty says that nothing was saved at all.
func (f Fields) Empty() bool {
	return f.CurrentTask == "" && len(f.Completed)+len(f.InProgress)+len(f.Blocked)+len(f.NextSteps)+
		len(f.Decisions)+len(f.Uncertain)+len(f.Files)+len(f.Notes) == 0
}
