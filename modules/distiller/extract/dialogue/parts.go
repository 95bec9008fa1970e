package dialogue

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// Bounds of the parts of a long request.
const (
	maxParts   = 24
	partRunes  = 900
	leadRunes  = 80 // of a line that stands before the first entry of a list
	titleRunes = 40 // of a line without a stop that stands for a heading
)

// entry begins an entry of a list, with its number.
var entry = lazyregexp.New(`^\s*(?:[-*+•]|(\d{1,2}[.)]))\s+`)

// Parts are the parts of a request that is too long to be quoted, in their order: its paragraphs and
// the entries of its lists, the first of them behind the headings they stand under, without code and tables.
// Nil for a request that is quoted whole.
func Parts(text string) []string {
	if utf8.RuneCountInString(text) <= MaxWords {
		return nil
	}
	var p parts
	fenced := false
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(bare, "```"):
			fenced = !fenced
			p.end()
		case fenced:
		case bare == "":
			p.open = false
		case strings.HasPrefix(bare, "|"): // a table
		case continued.MatchString(bare): // pasted from the list of a tool
		case strings.HasPrefix(bare, "#"):
			p.under(bare)
		default:
			p.add(line, bare)
		}
	}
	p.end()
	p.titled()
	return p.list
}

// titled lets a line that was taken for a heading stand for itself: nothing has come under it.
func (p *parts) titled() {
	if n := len(p.headings); n > 0 && p.headings[n-1].level == unmarked {
		text := p.headings[n-1].text
		p.headings = p.headings[:n-1]
		p.begin(text)
	}
}

// withEntries are the lines of a prompt that the person wrote, and the entries of their lists that
// are no sentences: names of files.
func withEntries(lines []string, human []bool) []string {
	var out []string
	own := false // the last line that is not blank
	for i, line := range lines {
		bare := strings.TrimSpace(line)
		if bare != "" {
			own = human[i] || own && !IsLog(bare) && (entry.MatchString(line) || line[0] == ' ' && IsProse(bare))
		}
		if bare == "" || own {
			out = append(out, line)
		}
	}
	return out
}

// continued is how Claude Code begins the summary of a session.
var continued = lazyregexp.New(`This session is being continued from`)

// parts are the parts that were read so far.
type parts struct {
	list     []string
	headings []heading // that nothing has stood under yet
	lead     string    // a line that ends in a colon: it leads to a list, or to code
	open     bool      // the next line may go on with the last part
}

// unmarked is the level of a line that stands for a heading without its mark.
const unmarked = 7

type heading struct {
	level int
	text  string
}

// under begins what stands under a heading; those that it stands beside or above are done.
func (p *parts) under(bare string) {
	p.end()
	p.titled()
	text := strings.TrimLeft(bare, "#")
	now := heading{len(bare) - len(text), strings.TrimRight(prose.Plain(text), ":")}
	p.headings = append(slices.DeleteFunc(p.headings, func(h heading) bool { return h.level >= now.level }), now)
}

// end lets a lead stand for itself: no list has come behind it.
func (p *parts) end() {
	if lead := p.lead; lead != "" {
		p.lead = ""
		p.begin(lead)
	}
	p.open = false
}

func (p *parts) add(line, bare string) {
	m := entry.FindStringSubmatch(line)
	switch {
	case m == nil && p.open:
		last := len(p.list) - 1
		if !strings.HasSuffix(p.list[last], "…") {
			p.list[last] = prose.Clip(p.list[last]+" "+prose.Plain(bare), partRunes)
		}
		p.open = !ends(bare)
	case m == nil && !ends(bare) && utf8.RuneCountInString(bare) <= titleRunes:
		p.titled()
		p.headings = append(p.headings, heading{unmarked, prose.Plain(bare)})
	case m == nil && strings.HasSuffix(bare, ":") && utf8.RuneCountInString(bare) <= leadRunes:
		p.end()
		p.lead = prose.Plain(bare)
	case m == nil:
		p.end()
		p.begin(prose.Plain(bare))
	default:
		text := strings.TrimSpace(m[1] + " " + prose.Plain(line[len(m[0]):]))
		if p.lead != "" {
			text, p.lead = p.lead+" "+text, ""
		}
		p.begin(text)
	}
}

// begin adds a part, unless it says nothing.
func (p *parts) begin(text string) {
	if len(p.list) == maxParts || !strings.ContainsFunc(text, unicode.IsLetter) {
		return
	}
	for _, h := range slices.Backward(p.headings) {
		text = h.text + ": " + text
	}
	p.list, p.headings, p.open = append(p.list, prose.Clip(text, partRunes)), nil, !ends(text)
}

// ends says that a line ends a sentence: the next one begins another.
func ends(line string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(line, "*_`)\"' "))
	return strings.ContainsRune(".!?:;。！？：；", r)
}
