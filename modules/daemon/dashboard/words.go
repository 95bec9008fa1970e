package dashboard

import (
	"fmt"
	"html/template"
	"net/url"
	"path"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/dustin/go-humanize"

	"github.com/carryover-go/carryover/modules/daemon/display"
	"github.com/carryover-go/carryover/modules/distiller/render"
)

// functions are what templates call.
func functions(now func() time.Time) template.FuncMap {
	return template.FuncMap{
		"ago":     func(at time.Time) string { return age(now().Sub(at)) },
		"stamp":   func(at time.Time) string { return at.UTC().Format(time.RFC3339) },
		"clock":   func(at time.Time) string { return at.UTC().Format("2 Jan 15:04:05Z") },
		"time":    parsed,
		"number":  func(n int) string { return humanize.Comma(int64(n)) },
		"tokens":  func(n int64) string { return humanize.SIWithDigits(float64(n), 0, "") },
		"brief":   render.ShortID,
		"base":    path.Base,
		"session": sessionURL,
		"line":    lineURL,
		"spans":   spans,
		"plain":   plain,
		"shorten": shorten,
		"counted": counted,
		"add":     func(a, b int) int { return a + b },
		"turn":    turnWords,
		"day":     func(at time.Time) string { return at.Format("2 Jan") },
	}
}

// baseOf is what a project is called: the last part of its path.
func baseOf(of string) string {
	if of == "" {
		return "no project"
	}
	return path.Base(of)
}

// age is how long ago something was.
func age(d time.Duration) string {
	switch {
	case d < 0:
		return "in the future"
	case d < time.Minute:
		return "just now"
	}
	return display.Duration(d) + " ago"
}

// parsed is the time of a stamp; an unknown one is zero.
func parsed(stamp string) time.Time {
	at, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return time.Time{}
	}
	return at
}

// sessionURL is the page of a session.
func sessionURL(tool, id string) string {
	return "/sessions/" + url.PathEscape(tool) + "/" + url.PathEscape(id)
}

// lineURL is the page of a session at a line of its transcript, or at an
// offset of it where there are no lines.
func lineURL(tool, id string, line, offset int64) string {
	if line > 0 {
		return fmt.Sprintf("%s?line=%d&offset=%d#at", sessionURL(tool, id), line, offset)
	}
	return fmt.Sprintf("%s?offset=%d#at", sessionURL(tool, id), offset)
}

// span is a piece of a text: as it is, as code, or as what was looked for.
type span struct {
	Text string
	Code bool
	Mark bool
}

// spans splits a line of Markdown at its code spans; nothing else of Markdown
// is known here.
func spans(text string) []span {
	var list []span
	for i, piece := range strings.Split(text, "`") {
		if piece != "" {
			list = append(list, span{Text: piece, Code: i%2 == 1})
		}
	}
	return list
}

// marked splits a snippet at what was looked for. Marks are bytes, in order; a
// wrong one is left out.
func marked(text string, marks [][2]int) []span {
	var list []span
	end := 0
	for _, mark := range marks {
		if mark[0] < end || mark[1] <= mark[0] || mark[1] > len(text) {
			continue
		}
		if mark[0] > end {
			list = append(list, span{Text: text[end:mark[0]]})
		}
		list = append(list, span{Text: text[mark[0]:mark[1]], Mark: true})
		end = mark[1]
	}
	if end < len(text) {
		list = append(list, span{Text: text[end:]})
	}
	return list
}

// plain is a text without what hides or reorders it: terminal sequences and
// control characters but line ends and tabs, and direction marks.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t':
			return r
		case r == '\x1b':
			return '␛'
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == utf8.RuneError:
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
}

// shorten cuts a text to n runes.
func shorten(n int, text string) string {
	runes := 0
	for i := range text {
		if runes++; runes > n {
			return text[:i] + "…"
		}
	}
	return text
}

// counted is a number of things: "1 session", "2,000 sessions".
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return humanize.Comma(int64(n)) + " " + thing + "s"
}

// turnWords says whose turn it is.
func turnWords(who string) string {
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

// shellWord is a word as a POSIX shell reads it.
func shellWord(word string) string {
	isPlain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=:@,+", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !isPlain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
