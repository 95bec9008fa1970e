package prose

import (
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// WithoutFences drops fenced code blocks: code is not prose.
func WithoutFences(s string) string { return forFences(s, "") }

// wasCode stands on a line where a code block was.
const wasCode = "\x01"

// forFences is a text with something in place of its fenced code blocks.
func forFences(s, mark string) string {
	if !hasFences(s) {
		return s
	}
	var b strings.Builder
	for at, line := range fenced(s) {
		switch at {
		case outside:
			b.WriteString(line)
		case closes:
			b.WriteString(mark)
		}
	}
	return b.String()
}

// Fence is a fenced code block with the language that it names, "" for none.
type Fence struct {
	Lang  string
	Lines []string // those with something on them
}

// Fences are the fenced code blocks of a text; a tag stands as the language.
func Fences(s string) []Fence {
	if !hasFences(s) {
		return nil
	}
	var out []Fence
	for at, line := range fenced(s) {
		line = strings.TrimSpace(line)
		switch {
		case at == opens && tagFence.MatchString(line):
			out = append(out, Fence{Lang: strings.Trim(line, "<>")})
		case at == opens:
			lang, _, _ := strings.Cut(strings.Trim(line, "` "), " ")
			out = append(out, Fence{Lang: strings.ToLower(lang)})
		case at == inside && line != "":
			last := &out[len(out)-1]
			last.Lines = append(last.Lines, line)
		}
	}
	return out
}

// quotedRunes is how long a code block is at most that is part of the sentence before it.
const quotedRunes = 120

// quoted is a paragraph that is nothing but a piece of code, or a link.
var quoted = lazyregexp.New("^(?:`[^`]+`|\\[[^\\]\\n]+\\]\\([^)\\s]+\\))[.,]?$")

// withQuoted puts a code block of one line behind the line that leads to it by a colon: a
// name, an address, a title that the text speaks of.
func withQuoted(s string) string {
	var out []string
	led := -1 // the line that leads to the block
	var block []string
	for at, line := range fenced(s) {
		trimmed := strings.TrimSpace(line)
		switch {
		case at == opens:
			block = nil
		case at == inside && trimmed != "":
			block = append(block, trimmed)
		case at == closes && led >= 0 && len(block) == 1 && utf8.RuneCountInString(block[0]) <= quotedRunes && !strings.Contains(block[0], "`"):
			out[led] = strings.TrimRight(out[led], " \r\n") + " `" + block[0] + "`\n"
		}
		out = append(out, line)
		if at == outside && led >= 0 && quoted.MatchString(trimmed) {
			out[led], out[len(out)-1] = strings.TrimRight(out[led], " \r\n")+" "+trimmed+"\n", ""
		}
		switch {
		case at == outside && strings.HasSuffix(strings.TrimRight(trimmed, "*"), ":"):
			led = len(out) - 1
		case at == closes, at == outside && trimmed != "":
			led = -1
		}
	}
	return strings.Join(out, "")
}

func hasFences(s string) bool { return strings.Contains(s, "```") || tagFence.MatchString(s) }

// place is where a line stands to the fences of its text.
type place int

const (
	outside place = iota
	opens
	inside
	closes
)

// fenced are the lines of a text, each with where it stands.
//
// Aider fences code that has backticks in it with tags, each on a line of its own.
func fenced(s string) iter.Seq2[place, string] {
	return func(yield func(place, string) bool) {
		end := "" // what closes the block, "" outside of one
		for line := range strings.Lines(s) {
			at, trimmed := outside, strings.TrimSpace(line)
			tag := tagFence.FindString(trimmed)
			switch {
			case end == "" && tag != "" && tag[1] != '/' && strings.Contains(s, "\n</"+tag[1:]):
				at, end = opens, "</"+tag[1:]
			case end == "" && strings.HasPrefix(trimmed, "```"):
				at, end = opens, "```"
			case end == "":
			case end == "```" && strings.HasPrefix(trimmed, end), trimmed == end:
				at, end = closes, ""
			default:
				at = inside
			}
			if !yield(at, line) {
				return
			}
		}
	}
}

// tagFence is a line that begins or ends code.
var tagFence = lazyregexp.New(`(?m)^</?(?:source|code|pre|codeblock|sourcecode)>$`)
