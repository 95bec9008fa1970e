// Package continuity is the protocol by which an agent that nobody integrated
// can save its state and ask for earlier work: commands it prints or leaves in
// a file, what is kept of them, and the text it is given.
package continuity

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Verb says what an agent asks for.
type Verb string

// The commands of the protocol.
const (
	Save      Verb = "save"      // text: the fields between <<< and >>>
	Load      Verb = "load"      // no text
	Search    Verb = "search"    // text: what to look for
	Uncertain Verb = "uncertain" // text: what the agent is not sure of
)

// Command is one command with its text.
type Command struct {
	Verb Verb
	Text string
}

// identity tells two commands apart however their lines were broken.
func (c Command) identity() string {
	return string(c.Verb) + " " + strings.Join(strings.Fields(c.Text), "")
}

// Line is a row as it is seen. GoesOn says that it ends at the edge, so that the
// next one is the same line.
type Line struct {
	Text   string
	GoesOn bool
}

// prefix begins every command.
const prefix = "->continuity:"

// maxQuoted is how many rows a text in quotes may take.
const maxQuoted = 12

// Find reads the commands on rows. What stands in a fence, in a quote, in a box
// or in the output of a tool is an example or somebody else's text, and no
// command. open is the text of a save whose end has not come.
func Find(rows []Line) (commands []Command, open string) {
	f := finder{lines: join(rows)}
	for f.at < len(f.lines) {
		f.next()
	}
	return f.found, f.open
}

// join puts lines together that were broken at the edge.
func join(rows []Line) []string {
	var lines []string
	goesOn := false
	for _, row := range rows {
		if goesOn && len(lines) > 0 {
			lines[len(lines)-1] += strings.TrimLeft(row.Text, " ")
		} else {
			lines = append(lines, row.Text)
		}
		goesOn = row.GoesOn
	}
	return lines
}

// finder goes through lines.
type finder struct {
	lines  []string
	at     int
	fence  string // that is open
	output int    // indentation of the tool output that is shown; -1: none
	found  []Command
	open   string
}

func (f *finder) next() {
	line := f.lines[f.at]
	f.at++
	if f.fenced(line) || f.foreign(line) {
		return
	}
	rest, ok := strings.CutPrefix(undecorated(line), prefix)
	if !ok {
		return
	}
	verb := rest
	if end := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) }); end >= 0 {
		verb = rest[:end]
	}
	argument := strings.TrimSpace(rest[len(verb):])
	switch Verb(verb) {
	case Save:
		f.save(argument)
	case Load:
		if argument == "" {
			f.found = append(f.found, Command{Verb: Load})
		}
	case Search, Uncertain:
		if text, ok := f.quoted(argument); ok {
			f.found = append(f.found, Command{Verb(verb), text})
		}
	}
}

// save reads up to >>>. A block that another command interrupts, or the end,
// stays open.
func (f *finder) save(argument string) {
	body, ok := strings.CutPrefix(argument, "<<<")
	if !ok && argument == "" && f.at < len(f.lines) { // <<< on the next line
		if body, ok = strings.CutPrefix(undecorated(f.lines[f.at]), "<<<"); ok {
			f.at++
		}
	}
	if !ok {
		return
	}
	f.open = ""
	lines := []string{}
	for line := body; ; line = f.lines[f.at-1] {
		if inner, ended := strings.CutSuffix(strings.TrimSpace(line), ">>>"); ended {
			text := strings.TrimSpace(strings.Join(append(lines, inner), "\n"))
			f.found = append(f.found, Command{Save, text})
			return
		}
		lines = append(lines, strings.TrimRightFunc(line, unicode.IsSpace))
		if f.at == len(f.lines) || strings.HasPrefix(undecorated(f.lines[f.at]), prefix) {
			f.open = strings.TrimSpace(strings.Join(said(lines), "\n"))
			return
		}
		f.at++
	}
}

// said is what of the lines behind a <<< the agent can have meant, where no >>>
// follows: a screen that renders Markdown takes a line of >>> for an empty
// quote and shows nothing. A block ends where something stands after an empty
// line that is neither a field nor an item, or where the screen's own begins.
func said(lines []string) []string {
	blank := -1
	for i, line := range lines {
		_, first := leading(line)
		switch {
		case first == utf8.RuneError:
			if blank < 0 {
				blank = i
			}
			continue
		case i > 0 && strings.ContainsRune(quoteMarks+outputMarks+agentMarks+screenMarks, first) && !isField(line):
			return lines[:i]
		case blank >= 0 && !isField(line) && listItem.FindString(line) == "":
			return lines[:blank]
		}
		blank = -1
	}
	return lines
}

// quoted reads a text in quotes, over several lines; without quotes it is the
// rest of the line.
func (f *finder) quoted(argument string) (text string, ok bool) {
	first, size := utf8.DecodeRuneInString(argument)
	closing, isQuote := map[rune]string{'"': `"`, '“': "”", '\'': "'"}[first]
	if !isQuote {
		return argument, argument != ""
	}
	text = argument[size:]
	for range maxQuoted {
		if inner, after, ended := strings.Cut(text, closing); ended && strings.TrimSpace(after) == "" {
			inner = strings.TrimSpace(inner)
			return inner, inner != ""
		}
		if f.at == len(f.lines) {
			break
		}
		text += " " + strings.TrimSpace(f.lines[f.at])
		f.at++
	}
	return "", false
}

// fenced follows fences of Markdown.
func (f *finder) fenced(line string) bool {
	text := undecorated(line)
	for _, mark := range []string{"```", "~~~"} {
		if !strings.HasPrefix(text, mark) {
			continue
		}
		switch f.fence {
		case "":
			f.fence = mark
		case mark:
			f.fence = ""
		}
		return true
	}
	return f.fence != ""
}

// Marks in front of a line: of a quote, a box, what a person typed; of a
// tool's output, which goes on while lines are indented more; and those that
// agents' screens put before what the agent says.
const (
	quoteMarks  = ">❯›|│┃║▌▏$%"
	outputMarks = "⎿└├╰"
	agentMarks  = "●⏺•✦◆∙"
	screenMarks = "─━═╭╰┌└✻✶✽✢✳⏵▣▀▄█"
)

// foreign says that a line is not what the agent itself says.
func (f *finder) foreign(line string) bool {
	indent, first := leading(line)
	switch {
	case first == utf8.RuneError: // an empty line belongs to what is around it
		return false
	case strings.ContainsRune(outputMarks, first):
		f.output = indent + 1
		return true
	case f.output > 0 && indent >= f.output:
		return true
	}
	f.output = 0
	return strings.ContainsRune(quoteMarks, first)
}

// leading is how far a line is indented, in characters, and what comes first.
func leading(line string) (indent int, first rune) {
	for _, r := range line {
		if r != ' ' && r != '\t' {
			return indent, r
		}
		indent++
	}
	return indent, utf8.RuneError
}

// undecorated is a line without its indentation and an agent's mark.
func undecorated(line string) string {
	line = strings.TrimSpace(line)
	if first, size := utf8.DecodeRuneInString(line); size > 0 && strings.ContainsRune(agentMarks, first) {
		line = strings.TrimSpace(line[size:])
	}
	return line
}
