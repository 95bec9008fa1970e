package render

import (
	"strings"
	"unicode"

	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/internal/width"
)

// What a transcript says must not be able to look like the frame around it:
// no control characters, no terminal sequences, no line breaks, none of our
// markers, no heading, no fence, no comment, no sentence of our headers. Nor may
// it end or begin what stands around us: no tag of any kind (each tool has its
// own), and no line that begins as one of another speaker.

var (
	terminal = lazyregexp.New(`\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])|\x{9b}[0-9;?]*[ -/]*[@-~]`)
	ticks    = lazyregexp.New("`{2,}")
	tildes   = lazyregexp.New("~{3,}")
	marker   = lazyregexp.New(`(?i)\[\s*(/?\s*(?:carryover|inst))\s*\]`)
	protocol = lazyregexp.New(`(?i)resume\s+protocol`)
	sentence = lazyregexp.New(`(?i)` + strings.ReplaceAll(strings.Join(headSentences, "|"), " ", `\s+`))
	opening  = lazyregexp.New(`<([\pL_/!?|%])`)
	closing  = lazyregexp.New(`-->`)
	heading  = lazyregexp.New(`^(?:#+(?:\s+|$)|[=*_-]{3,}\s*|[>|+*-]\s+)+`)
	role     = lazyregexp.New(`(?i)^([^\pL\pN]*(?:human|user|assistant|system|developer|tool)[^\pL\pN:：]*)[:：]`)
)

// maxPiece bounds a piece of text before it is cleaned, in bytes: no line
// shows more of it.
const maxPiece = 4 << 10

// clean makes a piece of transcript text safe to stand in one line. Whatever
// is taken out is taken out before anything is looked for, and what is found
// is broken up, not removed: nothing can join into what was looked for.
func clean(s string) string {
	if isPath(s) {
		return s
	}
	return cleaned(s)
}

func cleaned(s string) string {
	s = strings.ToValidUTF8(s[:min(len(s), maxPiece)], "")
	s = visible(terminal.ReplaceAllString(s, ""))
	s = strings.Join(strings.Fields(s), " ")
	s = ticks.ReplaceAllString(s, "`")
	s = tildes.ReplaceAllString(s, "~")
	s = marker.ReplaceAllString(s, "($1)")
	s = protocol.ReplaceAllString(s, "resume-protocol")
	s = sentence.ReplaceAllStringFunc(s, func(said string) string { return strings.ReplaceAll(said, " ", "-") })
	s = noTags(s)
	s = closing.ReplaceAllString(s, "-- >")
	s = noSpeaker(strings.TrimSpace(heading.ReplaceAllString(s, "")))
	if strings.Count(s, "`")%2 == 1 {
		s = strings.ReplaceAll(s, "`", "'")
	}
	return s
}

// isPath says that a text is a path or a name of plain characters: nothing that
// is looked for can be in it. Most pieces are.
func isPath(s string) bool {
	if s == "" || len(s) > maxPiece || s[0] == '-' || s[0] == '_' {
		return false
	}
	for i := range len(s) {
		if b := s[i]; (b < 'a' || b > 'z') && (b < 'A' || b > 'Z') && (b < '-' || b > '9') && b != '_' { // - . / and digits
			return false
		}
	}
	return true
}

// noTags puts a space behind what would begin a tag: no reader of tags takes
// one with a space there.
func noTags(s string) string { return opening.ReplaceAllString(s, "< $1") }

// noSpeaker keeps a text from beginning as the turn of a speaker.
func noSpeaker(s string) string { return role.ReplaceAllString(s, "$1 -") }

// visible drops what hides or reorders text (controls, direction marks, zero
// width characters, tags) and turns every white space into a space. The
// joiners that emoji and some scripts need stay behind a letter of theirs.
func visible(s string) string {
	prev := rune(0)
	return strings.Map(func(r rune) rune {
		before := prev
		prev = r
		switch {
		case r > ' ' && r < '\x7f':
		case unicode.IsSpace(r), r == '\u2028', r == '\u2029', r == '\u0085':
			return ' '
		case r == '\u200d' || r == '\u200c':
			if before < 0x300 {
				return -1
			}
		case unicode.IsControl(r), unicode.In(r, unicode.Cf, unicode.Co), r == '\ufffd':
			return -1
		}
		return r
	}, s)
}

// inner keeps a line of ours from beginning like a heading or as a speaker's
// turn: a long text may be broken anywhere. Items of a list begin with a word of
// ours, or with a text that was cleaned.
func inner(line string) string {
	if !strings.HasPrefix(line, "- ") {
		line = noSpeaker(line)
	}
	if strings.HasPrefix(line, "#") {
		return width.Truncate("· "+line, maxWidth)
	}
	return line
}

// code puts text of a tool into a code span: one line, no backtick inside, at
// most n runes.
func code(s string, n int) string {
	s = strings.ReplaceAll(clean(s), "`", "'")
	if s == "" {
		return ""
	}
	return "`" + width.Truncate(s, n) + "`"
}

// maxOutput is how much of a tool's output may stand in the handoff, in runes.
const maxOutput = 150

// output is a line of a tool's output.
func output(s string) string { return code(s, maxOutput) }

// quote is what a person said.
func quote(s string) string {
	if s = clean(s); s == "" {
		return ""
	}
	return `"` + s + `"`
}
