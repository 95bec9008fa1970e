// Package compaction compares what a session held before a compaction of its context with
// the summary that its tool made of it.
package compaction

import (
	"path"
	"strings"
	"unicode"

	"github.com/carryover-go/carryover/modules/distiller"
)

// The kinds of an Item.
const (
	File     = "file"
	Command  = "command"
	Error    = "error"
	Decision = "decision"
)

// Item is one thing that a session held. Kept says that the summary mentions
// it: a file by its name, all else by its words.
type Item struct {
	Kind   string
	Text   string
	Kept   bool
	Source distiller.Source
}

// minWord is the shortest word, in letters, that says something.
const minWord = 4

// Compare looks each thing up in the summary. "" for a summary that cannot be
// read keeps nothing.
func Compare(facts distiller.Facts, trail distiller.Trail, summary string) []Item {
	c := comparison{summary: plain(summary), seen: map[string]bool{}}
	for _, file := range facts.Files {
		c.add(File, file.Path, strings.Contains(c.summary, plain(path.Base(file.Path))), file.Source)
	}
	for _, step := range trail.Calls {
		if step.Shell {
			c.add(Command, step.What, c.has(step.What), step.Source)
		}
	}
	for _, failure := range facts.Failures {
		c.add(Command, failure.What, c.has(failure.What), failure.Source)
		c.add(Error, failure.Why, c.has(failure.Why), failure.Source)
	}
	for _, d := range facts.Decisions {
		chosen := strings.Join(d.Chosen, "; ")
		text := chosen
		if d.Question != "" {
			text = d.Question + " → " + chosen
		}
		c.add(Decision, text, c.has(chosen) || c.says(chosen), d.Source)
	}
	return c.items
}

type comparison struct {
	summary string
	items   []Item
	seen    map[string]bool
}

func (c *comparison) add(kind, text string, kept bool, source distiller.Source) {
	if plain(text) == "" || c.seen[kind+text] {
		return
	}
	c.seen[kind+text] = true
	c.items = append(c.items, Item{Kind: kind, Text: text, Kept: kept, Source: source})
}

func (c *comparison) has(text string) bool {
	text = plain(text)
	return text != "" && strings.Contains(c.summary, text)
}

// says whether all words of a text that say something are in the summary.
func (c *comparison) says(text string) bool {
	found := false
	for _, word := range strings.FieldsFunc(plain(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len([]rune(word)) < minWord {
			continue
		}
		if !strings.Contains(c.summary, word) {
			return false
		}
		found = true
	}
	return found
}

// plain is a text in lower case with single spaces.
func plain(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }
