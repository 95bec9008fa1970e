package dialogue

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
)

// before is what a question leans on: the sentence before it, under the heading
// it stands under.
func before(lines []string, at int, sentences []string, sentence int) string {
	for i := sentence - 1; i >= 0; i-- {
		if s := unlisted(sentences[i]); utf8.RuneCountInString(s) > 12 {
			return prose.Clip(headingAbove(lines[:at], false)+s, 200)
		}
	}
	head := headingAbove(lines[:at], true)
	if at > 0 && tableRow(lines[at-1]) {
		return prose.Clip(head+tableAbove(lines[:at]), 200)
	}
	for i := at - 1; i >= max(0, at-3); i-- {
		line, _ := prose.TrimBullet(strings.TrimSpace(lines[i]))
		all := prose.SplitSentences(line)
		if s := prose.Plain(all[max(0, len(all)-1)]); utf8.RuneCountInString(s) > 12 {
			return prose.Clip(head+s, 200)
		}
	}
	return strings.TrimSuffix(head, ": ")
}

// unlisted is a sentence without Markdown, and without the number it may begin with:
// "**2. Shall I?**".
func unlisted(sentence string) string {
	bare, _ := prose.TrimBullet(prose.Plain(sentence))
	return bare
}

// tableRow says that a line is of a table.
func tableRow(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "|") }

// tableAbove is the table that lines end with: of each row below its head the first
// cell and the last.
func tableAbove(lines []string) string {
	var rows []string
	for _, line := range slices.Backward(lines) {
		if !tableRow(line) {
			break
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if strings.Trim(strings.Join(cells, ""), " -:") == "" {
			return strings.Join(rows, "; ") // above is the head
		}
		first, last := prose.Plain(cells[0]), prose.Plain(cells[len(cells)-1])
		if len(cells) > 1 && last != "" {
			first += ": " + last
		}
		rows = slices.Insert(rows, 0, first)
	}
	return strings.Join(rows, "; ")
}

// headingAbove is the heading that the end of a text stands under, with a colon:
// a marked one before a line that merely ends in a colon. Such a line heads what
// follows at once, and the whole of its list where the text ends inside of that.
func headingAbove(lines []string, inList bool) string {
	weak, near := "", true
	for _, line := range slices.Backward(lines) {
		h, ok := prose.HeadingOf(strings.TrimSpace(line))
		h = strings.TrimSuffix(h, ":") + ": "
		switch {
		case ok && strings.HasPrefix(strings.TrimSpace(line), "#"):
			return h
		case ok && weak == "" && near:
			weak = h
		}
		near = near && inList && listLine(line)
	}
	return weak
}
