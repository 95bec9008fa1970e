package quality

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// sections is a handoff by its sections, for the labels. Two lines that follow one
// another count as one, since a fact may stand on both.
type sections struct {
	raw      string
	names    []string // of the sections, in their order; "" is what stands before the first
	lines    map[string][]string
	headings bool
}

// level makes two writings of one text the same: case and white space.
func level(s string) string {
	var b strings.Builder
	space := false
	for _, r := range strings.ToLower(s) {
		if unicode.IsSpace(r) {
			if !space {
				b.WriteByte(' ')
			}
			space = true
			continue
		}
		space = false
		b.WriteRune(r)
	}
	return b.String()
}

var (
	heading  = regexp.MustCompile(`^##\s+(.*?)\s*$`)
	noLetter = regexp.MustCompile(`[^\pL\pN_\s-]`)
)

func newSections(raw string) *sections {
	t := &sections{raw: raw, names: []string{""}, lines: map[string][]string{}}
	at := ""
	for line := range strings.Lines(raw) {
		line = strings.TrimRight(line, "\n")
		if m := heading.FindStringSubmatch(line); m != nil {
			at, t.headings = strings.TrimSpace(level(noLetter.ReplaceAllString(m[1], " "))), true
			if !slices.Contains(t.names, at) {
				t.names = append(t.names, at)
			}
			continue
		}
		t.lines[at] = append(t.lines[at], level(line))
	}
	return t
}

// in are the lines of the sections whose names begin so, an empty line behind
// each section. A text without headings is searched as a whole.
func (t *sections) in(names ...string) []string {
	if !t.headings {
		return t.lines[""]
	}
	var out []string
	for _, have := range t.names {
		if slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(have, n) }) {
			out = append(append(out, t.lines[have]...), "")
		}
	}
	return out
}

// everywhere are the lines of all sections but the pointer to the long report.
func (t *sections) everywhere() []string {
	if !t.headings {
		return t.lines[""]
	}
	var out []string
	for _, have := range t.names {
		if have != "full history" {
			out = append(append(out, t.lines[have]...), "")
		}
	}
	return out
}

// together says whether a line, or it and the next, has all words.
func together(lines, words []string) bool {
	if len(words) == 0 {
		return false
	}
	for i, l := range lines {
		if i+1 < len(lines) {
			l += " " + lines[i+1]
		}
		if hasAll(l, words) {
			return true
		}
	}
	return false
}

// anyWay says whether one of several ways to tell something stands in the lines.
func anyWay(lines []string, ways [][]string) bool {
	return slices.ContainsFunc(ways, func(words []string) bool { return together(lines, words) })
}

// hasAll says whether a line has all words.
func hasAll(line string, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(line, level(w)) })
}

// onOneLine says whether one line has all words.
func onOneLine(lines, words []string) bool {
	return slices.ContainsFunc(lines, func(l string) bool { return hasAll(l, words) })
}

// namesPath says whether lines name a file: by its path, or by the shortest end
// of it that is none of another file's.
func namesPath(lines []string, path string, others []string) bool {
	p := level(path)
	parts := strings.Split(p, "/")
	end := p
	for n := 1; n <= len(parts); n++ {
		end = strings.Join(parts[len(parts)-n:], "/")
		if !slices.ContainsFunc(others, func(o string) bool {
			o = level(o)
			return o != p && (o == end || strings.HasSuffix(o, "/"+end))
		}) {
			break
		}
	}
	return slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, p) || aloneIn(l, end) })
}

// aloneIn finds a name that is no part of a longer one.
func aloneIn(line, name string) bool {
	for from := 0; ; {
		i := strings.Index(line[from:], name)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(line[:i])
		after, _ := utf8.DecodeRuneInString(line[i+len(name):])
		if !nameRune(before) && before != '.' && !nameRune(after) {
			return true
		}
		from = i + 1
	}
}

func nameRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-')
}

var (
	taskMark  = regexp.MustCompile(`^[^\pL\pN_]*(?:task|goal|request|now|last)\s*:\s*`)
	nudgeLine = regexp.MustCompile(`^(?:yes|y|yep|ok|okay|ok do it|do it|go|go on|go ahead|continue|proceed|sure|thanks|next|weiter|devam|계속)$`)
	markup    = regexp.MustCompile(`<(?:local-command|command-name|command-message|bash-(?:in|std)|system-reminder|environment_context|recommended_plugins|task-notification|user-prompt-submit-hook|ide_)|^caveat:|this session is being continued|\[request interrupted|\[carryover\]`)
)

// wrongTask says that a text stands in the place of the task that is none: one
// the label names, a nudge, markup of the tool.
func wrongTask(lines, wrong []string) bool {
	for _, w := range wrong {
		w = level(w)
		for _, l := range lines {
			bare := strings.TrimRight(strings.TrimLeft(taskMark.ReplaceAllString(l, ""), " >*-•\"“”'`("), " \"“”'`).!…")
			if utf8.RuneCountInString(w) >= 12 && strings.Contains(l, w) || bare == w {
				return true
			}
		}
	}
	words, nudges := 0, 0
	for _, l := range lines {
		if strings.TrimSpace(l) != "" {
			words++
			nudges += int(is(nudgeLine.MatchString(strings.TrimRight(strings.TrimLeft(l, " >*-•\"“'`"), " \"”'`.!…"))))
		}
		if markup.MatchString(l) {
			return true
		}
	}
	return words > 0 && words == nudges
}
