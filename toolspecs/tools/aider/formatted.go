package aider

import (
	"regexp"
	"strings"
)

// style is how a run is written down: by Aider, or by a formatter of Markdown
// that a person let loose on the history. A formatter takes the two blanks off
// the end of a block, puts blank lines around the lines of a prompt, which it
// takes for headings, and a quotation mark before each line of a quotation.
type style int

const (
	undecided style = iota // before the first prompt of a run
	written                // by Aider itself
	formatted
)

// decide looks at the first prompt of a run: it follows Aider's announcements,
// so no heading of a reply can be taken for it, and Aider ends it with blanks.
func (b *blocks) decide(text string) {
	if b.style != undecided || !isMarked(text) {
		return
	}
	if b.open == nil && b.last != tool && b.last != header || b.open != nil && b.open.kind != tool {
		return
	}
	b.style = written
	if !hard(text) {
		b.style = formatted
		b.close()
	}
}

// endsFormatted says that this line belongs to the open block no more. What
// looks like a prompt within a reply is a heading of the model, as long as
// nothing of Aider's own stood between.
func (b *blocks) endsFormatted(text string) bool {
	switch b.open.kind {
	case prompt:
		if isMarked(text) {
			return isCommand(b.open.lines[0])
		}
		return !blank(text)
	case lint, tool: // of Aider's own only a report goes on: each of its lines is quoted
		return len(b.open.lines) > 0 && !isQuoted(text)
	case reply, long:
		if b.blanks == 0 {
			return false
		}
		own := isQuoted(text) && b.known(text)
		if b.fence != "" { // which the formatter may have left open
			return own
		}
		return own || isQuoted(text) && hard(text) || isPrompt(text) && b.blanks > 1
	}
	return false
}

// isQuoted says that a line may be Aider's own, with blanks at its end or not.
func isQuoted(text string) bool { return isTool(text) || text == ">" }

// isMarked says that a line may be one of a prompt, with blanks at its end or not.
func isMarked(text string) bool { return strings.HasPrefix(text, "#### ") || text == "####" }

// isCommand says that a marked line is a command, which has one line.
func isCommand(line string) bool {
	return strings.HasPrefix(line, "#### /") || strings.HasPrefix(line, "#### !")
}

// answered is a question of Aider with the answer behind it, in the forms of
// its versions.
var answered = regexp.MustCompile(`\? (?:\[[Yy]/[Nn]\] |\(Y\)es/\(N\)o\S*.*\[\w+\]: )?\w+$`)

// escaped is a character before which a formatter puts a backslash.
var escaped = regexp.MustCompile(`\\([_*])`)

// unescape takes the backslashes of a formatter out.
func unescape(text string) string { return escaped.ReplaceAllString(text, "$1") }
