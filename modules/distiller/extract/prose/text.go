// Package prose splits text into lines, sentences and list entries, takes
// Markdown off and shortens. It knows nothing of sessions.
package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// scanBytes bounds how much of one tool output the rules look at: the head and
// the tail that the ledger keeps, so that a transcript read straight from disk
// and the same one read from the ledger give the same facts.
const scanBytes = 2 << 10

// Excerpt returns the head and the tail of a tool output, joined by a newline. The
// tail begins with a whole line, or at least with a whole word.
func Excerpt(s string) string {
	if len(s) <= 2*scanBytes {
		return s
	}
	tail := strings.ToValidUTF8(s[len(s)-scanBytes:], "")
	if at := strings.IndexAny(tail, " \t\r\n"); at >= 0 && at < scanBytes/4 {
		if line := strings.IndexByte(tail, '\n'); line >= 0 && line < scanBytes/4 {
			at = line
		}
		tail = tail[at+1:]
	}
	return strings.ToValidUTF8(s[:scanBytes], "") + "\n" + tail
}

// Clip shortens s to at most n runes, at a rune boundary and better at a word
// boundary, and marks the cut.
func Clip(s string, n int) string {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s
	}
	runes, end := 0, 0
	for i := range s {
		if runes == n-1 {
			end = i
			break
		}
		runes++
	}
	head := s[:end]
	if i := strings.LastIndexByte(head, ' '); i > len(head)*3/4 {
		head = head[:i]
	}
	return strings.TrimRight(head, " ,;:") + "…"
}

// Code shows a command or a line of an output as code, clipped to n characters: a backtick
// in it would end the code, and stands as an apostrophe.
func Code(s string, n int) string {
	return "`" + Clip(strings.ReplaceAll(s, "`", "'"), n) + "`"
}

// OneLine folds all white space into single spaces.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Statement is one sentence or list entry of a text, with what surrounds it.
type Statement struct {
	Text    string
	Heading string // the last heading or "Next steps:" line above
	Loose   bool   // that is such a line, and this no entry of the list below it
	Bullet  bool
	State   string // "done", "todo" or "blocked" for a task-list entry
	Strong  bool   // something in it is set in bold
	Row     bool   // a row of a table, see Report
}

// directive is a line of a reply that is for the program that shows it
// ("::git-commit{cwd=…}" of the Codex app).
var directive = lazyregexp.New(`^::[a-z][a-z-]*\{`)

// Statements splits prose into sentences, one per list entry or sentence, with
// Markdown decoration taken off.
func Statements(text string) []Statement { return statements(text, false) }

// Report is what Statements gives with the rows of tables among it, as entries, and the few
// words of a code block behind the line that leads to it: a table is an account, and nothing
// in it is said to anybody.
func Report(text string) []Statement { return statements(withQuoted(text), true) }

func statements(text string, tables bool) []Statement {
	var out []Statement
	var at above
	body := strings.TrimSpace(Unwrapped(forFences(text, wasCode+"\n")))
	left := len(body)
	for line := range strings.Lines(body) {
		left -= len(line)
		if line = strings.TrimSpace(line); line == wasCode {
			at.passes()
			continue
		}
		if tables && strings.HasPrefix(line, "|") {
			out = withRow(out, line, at.heading)
			continue
		}
		if !strings.ContainsFunc(line, wordRune) || HasPrefixAny(line, "|", ">") || directive.MatchString(line) {
			continue // nothing, or a line that only parts the text
		}
		if at.takes(line, left == 0) {
			continue
		}
		at.led = false
		entry, bullet := TrimBullet(line)
		entry, state := trimCheckbox(entry)
		if bullet || state != "" {
			if entry = Plain(entry); entry != "" {
				out = append(out, Statement{Text: entry, Heading: at.heading, Bullet: true, State: state, Strong: strings.Contains(line, "**")})
			}
			continue
		}
		under, led := at.heading, at.loose
		if at.loose { // it has led to this
			at.heading, at.loose = at.of, false
		}
		for _, s := range SplitSentences(line) {
			strong := strings.Contains(s, "**")
			if s = Plain(s); s != "" {
				out = append(out, Statement{Text: s, Heading: under, Loose: led, Strong: strong})
			}
			if lead := strings.TrimRight(s, ":："); lead != s { // a long line may head a list, too
				at.heading, at.loose = lead, true
			}
		}
	}
	return out
}

// withRow adds a row of a table. The line of dashes below its head makes the head none.
func withRow(list []Statement, line, heading string) []Statement {
	if !strings.ContainsFunc(line, wordRune) {
		if n := len(list) - 1; n >= 0 && list[n].Row {
			list = list[:n]
		}
		return list
	}
	var cells []string
	for cell := range strings.SplitSeq(strings.Trim(line, "|"), "|") {
		if cell = Plain(cell); strings.ContainsFunc(cell, wordRune) {
			cells = append(cells, cell)
		}
	}
	if len(cells) == 0 {
		return list
	}
	text := cells[0]
	if len(cells) > 1 {
		text += ": " + strings.Join(cells[1:], " | ")
	}
	return append(list, Statement{Text: text, Heading: heading, Bullet: true, Row: true, Strong: strings.Contains(line, "**")})
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// wrapped is how long a line is at least that was broken by its width and not
// by its writer, in runes.
const wrapped = 60

// Unwrapped joins the lines of a paragraph or list entry that was wrapped at
// some width, so that a sentence stands on one line.
func Unwrapped(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		if n := len(out) - 1; n >= 0 && goesOn(out[n], line) {
			out[n] += " " + strings.TrimSpace(line)
			continue
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// lettered begins an entry of a list that counts in letters: "B) …", "(c) …".
var lettered = lazyregexp.New(`^[*_(]*[A-Ha-h][).][*_]*\s+\S`)

// goesOn says that a line goes on with the sentence of the line above.
func goesOn(above, line string) bool {
	bare, head := strings.TrimSpace(line), strings.TrimSpace(above)
	if bare == "" || head == "" || IsBullet(bare) || lettered.MatchString(bare) || strings.HasPrefix(bare, "|") || strings.HasPrefix(bare, ">") || strings.HasPrefix(head, "|") || strings.HasPrefix(head, ">") {
		return false
	}
	if _, heading := HeadingOf(bare); heading {
		return false
	}
	if _, heading := HeadingOf(head); heading || strings.ContainsAny(head[len(head)-1:], ".!?:;`*|") || strings.HasSuffix(head, "。") {
		return false
	}
	return utf8.RuneCountInString(head) >= wrapped
}

// IsBullet says whether a line is a list entry.
func IsBullet(line string) bool {
	_, ok := TrimBullet(line)
	return ok
}

// TrimBullet takes "- ", "* ", "• " or "1. " off a line.
func TrimBullet(line string) (string, bool) {
	for _, mark := range []string{"- ", "* ", "• ", "+ "} {
		if rest, ok := strings.CutPrefix(line, mark); ok {
			return strings.TrimSpace(rest), true
		}
	}
	digits := 0
	for digits < len(line) && line[digits] >= '0' && line[digits] <= '9' {
		digits++
	}
	if digits > 0 && digits < 3 && len(line) > digits+1 && (line[digits] == '.' || line[digits] == ')') && line[digits+1] == ' ' {
		return strings.TrimSpace(line[digits+2:]), true
	}
	return line, false
}

// trimCheckbox takes "[x] ", "[ ] " or a tick off a list entry.
func trimCheckbox(s string) (string, string) {
	for _, mark := range []string{"[x] ", "[X] ", "✅ ", "✓ ", "✔ ", "✔️ ", "☑ "} {
		if rest, ok := strings.CutPrefix(s, mark); ok {
			return rest, "done"
		}
	}
	for _, mark := range []string{"[ ] ", "☐ ", "⬜ "} {
		if rest, ok := strings.CutPrefix(s, mark); ok {
			return rest, "todo"
		}
	}
	for _, mark := range []string{"⏳ ", "⌛ "} {
		if rest, ok := strings.CutPrefix(s, mark); ok {
			return rest, "blocked"
		}
	}
	return s, ""
}

var link = lazyregexp.New(`\[([^\]\n]+)\]\(([^)\s]+)\)`)

// Plain takes emphasis, links and surrounding decoration off a sentence.
func Plain(s string) string {
	s = strings.NewReplacer("/**", "/**", "**/", "**/", "**", "", "’", "'", "‘", "'").Replace(s) // but a pattern of paths keeps its stars
	s = link.ReplaceAllStringFunc(s, func(l string) string {
		m := link.FindStringSubmatch(l)
		if m[1] == m[2] || strings.HasPrefix(m[1], "http") {
			return m[2]
		}
		return m[1]
	})
	s = strings.TrimFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || r == '*' || (r > 0x2000 && unicode.Is(unicode.So, r))
	})
	return OneLine(s)
}

// SplitSentences cuts at sentence ends that are followed by white space, and
// at the full-width ones of Chinese and Japanese.
func SplitSentences(line string) []string {
	var out []string
	start := 0
	marks := strings.Count(line, "`")
	code := false // inside of `…`, which says what it says
	for i, r := range line {
		end := i + utf8.RuneLen(r)
		if r == '`' && marks%2 == 0 {
			code = !code
		}
		switch r {
		case '。', '！', '？':
		case '.', '!', '?':
			if code || end < len(line) && line[end] != ' ' {
				continue
			}
			if r == '.' && abbreviation(line[start:i]) {
				continue
			}
		default:
			continue
		}
		out = append(out, line[start:end])
		start = end
	}
	if rest := strings.TrimSpace(line[start:]); rest != "" {
		out = append(out, rest)
	}
	return out
}

// abbreviation says that a full stop after s does not end the sentence.
func abbreviation(s string) bool {
	s = s[strings.LastIndexByte(s, ' ')+1:]
	switch strings.ToLower(s) {
	case "e.g", "i.e", "etc", "vs", "cf", "z.b", "no", "nr":
		return true
	}
	return len(s) == 1 && s[0] >= '0' && s[0] <= '9'
}

// IsQuestion says whether a sentence asks.
func IsQuestion(s string) bool {
	s = strings.TrimRight(s, " )\"'*”")
	return strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？")
}

// Fallback is s, or other when there is none.
func Fallback(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// HasAny reports whether s holds one of the phrases.
func HasAny(s string, phrases ...string) bool {
	for _, p := range phrases {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// HasPrefixAny reports whether s begins with one of the phrases.
func HasPrefixAny(s string, phrases ...string) bool {
	for _, p := range phrases {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// ContentWords are the words that carry meaning, in lower case: enough to see
// whether two texts speak of the same thing.
func ContentWords(s string) map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_'
	}) {
		if len(w) >= 4 && !stopWords[w] {
			words[w] = true
		}
	}
	return words
}

var stopWords = SetOf("this that with from have will would could should what when where which there their then than them they " +
	"into your please make sure also need want just like some more about only been were does done using very here")

// SetOf is the set of the words of a text.
func SetOf(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// Repeats says that one text repeats the other.
func Repeats(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	return strings.Contains(a, b) || strings.Contains(b, a)
}

// UnderHeading is a statement with the heading it stands under, where it says little
// without.
func UnderHeading(s Statement) string {
	if s.Bullet && s.Heading != "" && utf8.RuneCountInString(s.Heading) < 40 && utf8.RuneCountInString(s.Text) < 60 {
		return s.Heading + ": " + s.Text
	}
	return s.Text
}
