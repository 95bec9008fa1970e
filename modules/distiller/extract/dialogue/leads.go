package dialogue

import (
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// listInShort is a long request with its list, each entry by its lead; "" where it has
// no list, or marks that stand here and there, as in what a program shows.
func listInShort(lines []string) string {
	entries, numbered, lists := 0, 0, 0
	within := false
	var short []string
	for _, line := range lines {
		text := prose.Plain(line)
		entry := listLine(line)
		if entry {
			text = lead(line)
			entries++
			if entryStart.MatchString(line) {
				numbered++
			}
			if !within {
				lists++
			}
		}
		within = entry
		short = append(short, prose.Clip(text, 2*maxLead))
	}
	if entries < severalEntries || numbered < severalEntries && lists > 1 {
		return ""
	}
	return strings.Join(short, " ")
}

// Plan is what a question asks to carry out, in short: the steps listed above it, each by its
// lead; "" where it asks for something else.
func (a *Question) Plan() string {
	if !a.listed || len(a.Options) < severalEntries {
		return ""
	}
	var steps []string
	for _, o := range a.Options {
		step := prose.Clip(strings.TrimRight(lead(o.Text), " :."), max(maxPlan/len(a.Options), minLead))
		steps = append(steps, o.Label+") "+step)
	}
	return strings.Join(steps, "; ")
}

// maxPlan bounds a plan in short, in runes.
const maxPlan = 150

// severalEntries are so many that the end of a list is worth more than the words of its
// first entries.
const severalEntries = 3

// lead is how an entry of a list begins: what it sets in bold, else its first clause.
func lead(entry string) string {
	if m := boldStart.FindStringSubmatch(entry); m != nil {
		return prose.Plain(m[1] + m[2])
	}
	plain := prose.Plain(entry)
	at := clauseEnd.FindStringIndex(plain)
	if at == nil || at[0] < minLead {
		return prose.Clip(plain, maxLead)
	}
	return prose.Clip(plain[:at[0]], maxLead)
}

// The lead of an entry: at least so long, in bytes, and at most, in runes.
const (
	minLead = 20
	maxLead = 90
)

var (
	boldStart = lazyregexp.New(`^(\s*(?:[-*•]|\d+[.)])\s+)\*\*([^*]+)\*\*`)
	clauseEnd = lazyregexp.New(`: | — | – |[.;] |。|；|：`)
)
