// Package threads joins sessions into threads of work: what was begun, where it
// stands and whose turn it is, over all projects and tools. It is a pure function
// of what is known of the sessions: no clock, no disk, no chance.
package threads

import (
	"path"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/ledger"
)

// Outline is a session in the few facts that threads are made of.
type Outline struct {
	ledger.SessionKey
	Project     ledger.Project
	Directory   string // worktree
	Branch      string
	First, Last time.Time
	From        string // session of the same tool it came from
	How         string // fork, clear, copy

	Task     string // "" when it was only told to go on
	Next     string
	Outcome  string // of the last request
	Turn     string // user, agent or done
	TurnText string
	Commits  []string // "abbrev subject", as last recorded
	Stat     string   // of work that is not committed
	Files    []string // that it changed
	Names    []string // things of the work that its requests name
	Words    []string // of its requests
	Asked    string   // the request in plain words, where it has enough of them to be told from others
	Todo     bool     // a step of its plan is open
}

// OutlineOf is the outline of a session, by the facts of its own events alone; false
// for one in which nothing was worked on.
func OutlineOf(session ledger.Session, facts distiller.Facts) (Outline, bool) {
	if !facts.Worked || session.Subagent || facts.Subagent != nil {
		return Outline{}, false
	}
	o := Outline{
		SessionKey: session.SessionKey, Project: session.Project, Directory: session.Worktree, Branch: session.Branch,
		First: session.First, Last: session.Last, From: session.From, How: session.How,
	}
	if facts.Task != nil {
		o.Task = facts.Task.Text
	}
	if facts.Next != nil {
		o.Next = facts.Next.Text
	}
	if facts.Turn != nil {
		o.Turn, o.TurnText = facts.Turn.Who, facts.Turn.Text
	}
	if facts.Git != nil {
		o.Commits, o.Stat = facts.Git.Commits, facts.Git.Stat
	}
	o.addWork(facts)
	return o, true
}

// addWork adds what was changed and what the requests name.
func (o *Outline) addWork(facts distiller.Facts) {
	for _, file := range facts.Files {
		if file.Change != "read" {
			o.Files = append(o.Files, path.Clean(strings.TrimPrefix(file.Path, o.Directory+"/")))
		}
	}
	texts := []string{o.Task, facts.Title}
	if facts.Task != nil {
		texts = append(texts, facts.Task.Now, facts.Task.Goal)
	}
	for _, request := range facts.Requests {
		texts = append(texts, request.Text)
		o.Outcome = request.Outcome
	}
	for _, step := range facts.Progress {
		o.Todo = o.Todo || step.State == "todo" || step.State == "doing" || step.State == "blocked"
	}
	if words := ledger.Words(o.Task); len(words) >= minAsked {
		o.Asked = strings.Join(words, " ")
	}
	for _, text := range texts {
		o.Names = append(o.Names, namesIn(text)...)
		o.Words = append(o.Words, wordsIn(text)...)
	}
}

// minAsked is how many words a request must have so that asking it again is no chance.
const minAsked = 4

// minWord is the length of a word, in characters, below which it says little of the
// work.
const minWord = 5

// namesIn are the words of a text that are names by their form: an issue, a path, an
// identifier of several parts, a version or a file.
func namesIn(text string) []string {
	var names []string
	for _, word := range strings.FieldsFunc(text, betweenNames) {
		word = strings.TrimFunc(word, func(r rune) bool { return r != '#' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if isName(word) {
			names = append(names, strings.ToLower(word))
		}
	}
	return names
}

// betweenNames says that a name ends here: at a space, and between the members of a URL's
// query.
func betweenNames(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("?&=", r) }

func isName(word string) bool {
	if rest, is := strings.CutPrefix(word, "#"); is {
		return rest != "" && strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsDigit(r) }) < 0
	}
	if utf8.RuneCountInString(word) < minWord {
		return false
	}
	inner := word[1 : len(word)-1]
	return strings.ContainsAny(inner, "_/.:") || strings.ContainsAny(inner, "-") && strings.IndexFunc(word, unicode.IsDigit) >= 0 ||
		strings.IndexFunc(word, unicode.IsLower) >= 0 && strings.IndexFunc(inner, unicode.IsUpper) >= 0
}

// wordsIn are the plain words of a text that are long enough to say something.
func wordsIn(text string) []string {
	var words []string
	for _, field := range strings.Fields(text) {
		if isName(strings.Trim(field, ".,:;!?()[]{}'\"`*")) {
			continue
		}
		for _, word := range ledger.Words(field) {
			if utf8.RuneCountInString(word) >= minWord || word[0] >= utf8.RuneSelf {
				words = append(words, word)
			}
		}
	}
	return words
}

// issue is the number of an issue as names of branches have it.
var issue = regexp.MustCompile(`(?i)\b[a-z]+-\d+\b`)

// issuesIn are the issues and the branch itself that a branch's name names.
func issuesIn(branch string) []string {
	if branch == "" || trunks[branch] {
		return nil
	}
	return append(issue.FindAllString(strings.ToLower(branch), -1), strings.ToLower(branch))
}
