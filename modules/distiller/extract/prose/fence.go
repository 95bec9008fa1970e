package prose

import (
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// WithoutFences drops fenced code blocks: code is not prose.
//
// Aider fences code that has backticks in it with tags, each on a line of its own.
func WithoutFences(s string) string {
	if !strings.Contains(s, "```") && !tagFence.MatchString(s) {
		return s
	}
	var b strings.Builder
	fence := ""
	for line := range strings.Lines(s) {
		trimmed := strings.TrimSpace(line)
		tag := tagFence.FindString(trimmed)
		switch {
		case fence == "" && tag != "" && tag[1] != '/' && strings.Contains(s, "\n</"+tag[1:]):
			fence = "</" + tag[1:]
		case fence == "" && strings.HasPrefix(trimmed, "```"):
			fence = "```"
		case fence == "":
			b.WriteString(line)
		case fence == "```" && strings.HasPrefix(trimmed, fence), trimmed == fence:
			fence = ""
		}
	}
	return b.String()
}

// Fence is a fenced code block with the language that it names, "" for none.
type Fence struct {
	Lang  string
	Lines []string // those with something on them
}

// Fences are the fenced code blocks of a text; a tag is told as the language.
func Fences(s string) []Fence {
	if !strings.Contains(s, "```") && !tagFence.MatchString(s) {
		return nil
	}
	var out []Fence
	end := "" // what closes the block, "" outside of one
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		tag := tagFence.FindString(line)
		switch {
		case end == "" && tag != "" && tag[1] != '/' && strings.Contains(s, "\n</"+tag[1:]):
			out, end = append(out, Fence{Lang: strings.Trim(tag, "<>")}), "</"+tag[1:]
		case end == "" && strings.HasPrefix(line, "```"):
			lang, _, _ := strings.Cut(strings.Trim(line, "` "), " ")
			out, end = append(out, Fence{Lang: strings.ToLower(lang)}), "```"
		case end == "":
		case end == "```" && strings.HasPrefix(line, end), line == end:
			end = ""
		case line != "":
			at := &out[len(out)-1]
			at.Lines = append(at.Lines, line)
		}
	}
	return out
}

// tagFence is a line that begins or ends code.
var tagFence = lazyregexp.New(`(?m)^</?(?:source|code|pre|codeblock|sourcecode)>$`)
