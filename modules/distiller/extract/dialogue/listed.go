package dialogue

import (
	"iter"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/words"
)

// ListedBy are the labelled entries of a reply that a prompt goes through, nil for
// none. A list that the prompt leads in to by a request and a heading of its own is
// the prompt's.
func ListedBy(prompt, reply string, lex *words.Lexicon) []distiller.Option {
	first := numbered.FindStringIndex(prompt)
	if first == nil {
		return nil
	}
	before := strings.TrimSpace(prompt[:first[0]])
	if strings.HasSuffix(before, ":") && strings.Contains(before, "\n") && lex.Weight(before) >= ownLeadIn {
		return nil
	}
	return Listed(reply, Points(prompt))
}

// ownLeadIn is how many words of content a request before a list has at least.
const ownLeadIn = 6

// Listed are the labelled entries of a reply that an answer with more than one label
// goes through: the last list that has them all and asks, else the last that has them
// all, else the first entry of each label, wherever they stand; nil where some label is
// none of the reply's. Headings are none.
func Listed(text string, answer []distiller.Option) []distiller.Option {
	if len(answer) < 2 {
		return nil
	}
	var first []distiller.Option
	var lists [][]distiller.Option
	for o, isHeading := range labelledLines(text) {
		if isHeading {
			continue
		}
		if !hasLabel(first, o.Label) && len(first) < maxListed {
			first = append(first, o)
		}
		switch n := len(lists); {
		case o.Label == "1" || o.Label == "A":
			lists = append(lists, []distiller.Option{o})
		case n > 0 && follows(lists[n-1][len(lists[n-1])-1].Label, o.Label):
			lists[n-1] = append(lists[n-1], o)
		}
	}
	lacksOne := func(list []distiller.Option) bool {
		return slices.ContainsFunc(answer, func(o distiller.Option) bool { return !hasLabel(list, o.Label) })
	}
	lists = slices.DeleteFunc(lists, lacksOne)
	for _, list := range slices.Backward(lists) {
		if slices.ContainsFunc(list, func(o distiller.Option) bool { return strings.ContainsAny(o.Text, "?？") }) {
			return list
		}
	}
	switch n := len(lists); {
	case n > 0:
		return lists[n-1]
	case lacksOne(first):
		return nil
	}
	return first
}

// labelledLines are the lines at the end of a text that begin with a label, and whether
// each is a heading.
func labelledLines(text string) iter.Seq2[distiller.Option, bool] {
	return func(yield func(distiller.Option, bool) bool) {
		lines := strings.Split(prose.WithoutFences(text), "\n")
		for _, line := range lines[max(0, len(lines)-listedLines):] {
			line = strings.TrimSpace(line)
			m := labelled.FindStringSubmatch(line)
			if m != nil && !yield(distiller.Option{Label: strings.ToUpper(m[2]), Text: prose.Clip(prose.Plain(m[3]), optionRunes)}, strings.HasPrefix(line, "#")) {
				return
			}
		}
	}
}

func hasLabel(list []distiller.Option, label string) bool {
	return slices.ContainsFunc(list, func(o distiller.Option) bool { return o.Label == label })
}

// Bounds of a list of points: those of a review are paragraphs.
const (
	listedLines = 200
	maxListed   = 20
)

// PointedAt are the numbered entries of a reply that a short prompt names by their
// numbers alone ("fix 3 too"), nil for none. A number that counts something ("add 3
// tests") names no entry, unless it counts all of them ("fix all 5", "those 3 steps").
func PointedAt(prompt, reply string, lex *words.Lexicon) []distiller.Option {
	if reply == "" || len(strings.Fields(prompt)) > 2*maxPointing {
		return nil
	}
	var out []distiller.Option
	for _, said := range prose.Statements(prompt) {
		if tokens := strings.Fields(said.Text); len(tokens) <= maxPointing {
			out = append(out, pointedAt(tokens, reply, lex)...)
		}
	}
	return out
}

// maxPointing is how many words a sentence has at most that only points.
const maxPointing = 10

func pointedAt(tokens []string, reply string, lex *words.Lexicon) []distiller.Option {
	var entries []distiller.Option
	var out []distiller.Option
	for i, token := range tokens {
		label := strings.Trim(token, "#.,;:!?()")
		if !allDigits(label) || len(label) > 2 {
			continue
		}
		if entries == nil {
			entries = numberedEntries(reply)
		}
		if i > 0 && (lex.In(words.All, tokens[i-1]) || lex.In(words.Pointer, tokens[i-1])) {
			if all := listOf(entries, label); all != nil {
				return all
			}
		}
		if i+1 < len(tokens) && lex.Weight(tokens[i+1]) > 0 && !allDigits(tokens[i+1]) {
			continue
		}
		if o := entryOf(entries, label); o.Text != "" {
			out = append(out, o)
		}
	}
	return out
}

// numberedEntries are the entries of a text that begin with a number, headings too, each with the
// indented lines below it.
func numberedEntries(text string) []distiller.Option {
	entries := []distiller.Option{}
	within := false
	for line := range strings.Lines(prose.WithoutFences(text)) {
		bare := strings.TrimSpace(line)
		m := labelled.FindStringSubmatch(bare)
		switch last := len(entries) - 1; {
		case m != nil && allDigits(m[2]):
			entries, within = append(entries, distiller.Option{Label: m[2], Text: prose.Plain(m[3])}), true
		case within && bare != "" && line[0] == ' ':
			entries[last].Text = prose.Clip(entries[last].Text+" "+prose.Plain(bare), entryRunes)
		case bare != "":
			within = false
		}
	}
	return entries
}

// entryRunes bounds an entry with what stands below it.
const entryRunes = 240

// listOf are the entries of the last list that counts from one to a number and no further, nil for
// no such list.
func listOf(entries []distiller.Option, last string) []distiller.Option {
	for end, o := range slices.Backward(entries) {
		if o.Label != last || end+1 < len(entries) && follows(last, entries[end+1].Label) {
			continue
		}
		first := end
		for first > 0 && follows(entries[first-1].Label, entries[first].Label) {
			first--
		}
		if first < end && entries[first].Label == "1" {
			return entries[first : end+1]
		}
	}
	return nil
}

// entryOf is the last entry with a label that stands among others of its list.
func entryOf(entries []distiller.Option, label string) distiller.Option {
	for i, o := range slices.Backward(entries) {
		if o.Label == label && (i > 0 && follows(entries[i-1].Label, label) || i+1 < len(entries) && follows(label, entries[i+1].Label)) {
			return o
		}
	}
	return distiller.Option{}
}
