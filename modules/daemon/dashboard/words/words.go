// Package words says values in the words of the dashboard's pages.
package words

import (
	"path"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/display"
	"github.com/dustin/go-humanize"
)

// BaseOf is what a project is called: the last part of its path.
func BaseOf(of string) string {
	if of == "" {
		return "no project"
	}
	return path.Base(of)
}

// Age is how long ago something was.
func Age(d time.Duration) string {
	switch {
	case d < 0:
		return "in the future"
	case d < time.Minute:
		return "just now"
	}
	return display.Duration(d) + " ago"
}

// Parsed is the time of a stamp; an unknown one is zero.
func Parsed(stamp string) time.Time {
	at, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return time.Time{}
	}
	return at
}

// Span is a piece of a text: as it is, as code, or as what was looked for.
type Span struct {
	Text string
	Code bool
	Mark bool
}

// Spans splits a line of Markdown at its code spans; nothing else of Markdown
// is known here.
func Spans(text string) []Span {
	var list []Span
	for i, piece := range strings.Split(text, "`") {
		if piece != "" {
			list = append(list, Span{Text: piece, Code: i%2 == 1})
		}
	}
	return list
}

// Marked splits a snippet at what was looked for. Marks are bytes, in order; a
// wrong one is left out.
func Marked(text string, marks [][2]int) []Span {
	var list []Span
	end := 0
	for _, mark := range marks {
		if mark[0] < end || mark[1] <= mark[0] || mark[1] > len(text) {
			continue
		}
		if mark[0] > end {
			list = append(list, Span{Text: text[end:mark[0]]})
		}
		list = append(list, Span{Text: text[mark[0]:mark[1]], Mark: true})
		end = mark[1]
	}
	if end < len(text) {
		list = append(list, Span{Text: text[end:]})
	}
	return list
}

// Counted is a number of things: "1 session", "2,000 sessions".
func Counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return humanize.Comma(int64(n)) + " " + thing + "s"
}

// Turn says whose turn it is.
func Turn(who string) string {
	switch who {
	case "user":
		return "waits for you"
	case "agent":
		return "left in the middle"
	case "done":
		return "answered"
	}
	return ""
}

// ShellWord is a word as a POSIX shell reads it.
func ShellWord(word string) string {
	isPlain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=:@,+", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !isPlain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// CommandLine is a command as a POSIX shell reads it.
func CommandLine(argv []string) string {
	words := make([]string, len(argv))
	for i, word := range argv {
		words[i] = ShellWord(word)
	}
	return strings.Join(words, " ")
}
