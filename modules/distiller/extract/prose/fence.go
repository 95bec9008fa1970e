package prose

import (
	"iter"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// WithoutFences drops fenced code blocks: code is not prose.
func WithoutFences(s string) string {
	if !hasFences(s) {
		return s
	}
	var b strings.Builder
	for at, line := range fenced(s) {
		if at == outside {
			b.WriteString(line)
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
