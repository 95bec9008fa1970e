package cli

import (
	"regexp"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// lastColumn is the beginning of what a line says: the bullet or the columns before it
// stand apart by two blanks or more.
var lastColumn = regexp.MustCompile(`^(?:\s*- |.*?\S {2,}|\s+)*`)

// Wrap is a text as the screen has room for it.
func (s Screen) Wrap(text string) string {
	if s.Width == 0 {
		return text
	}
	return wrapped(text, s.Width)
}

// wrapped breaks the lines of a text between words where they are wider than the
// screen. What is left of a line goes on below the beginning of its last column.
func wrapped(text string, width int) string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if ansi.StringWidth(line) > width {
			line = wrappedLine(line, width)
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

func wrappedLine(line string, width int) string {
	head := lastColumn.FindString(line)
	if ansi.StringWidth(head) > width*2/3 {
		head = ""
	}
	indent := max(2, ansi.StringWidth(head))
	var out strings.Builder
	out.WriteString(head)
	at := ansi.StringWidth(head)
	for i, word := range strings.Split(line[len(head):], " ") {
		wide := ansi.StringWidth(word)
		switch {
		case i == 0:
		case at+1+wide > width && at > indent:
			out.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		default:
			out.WriteByte(' ')
			at++
		}
		out.WriteString(word)
		at += wide
	}
	return out.String()
}
