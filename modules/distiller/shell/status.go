package shell

import (
	"slices"
	"strconv"
	"strings"
)

// pipefail says that the text makes a pipe fail with any of its commands.
func (p *parser) pipefail() bool { return p.sets("pipefail") }

// errexit says that the text ends at the first command that fails.
func (p *parser) errexit() bool {
	return p.sets("-e", "-eu", "-ex", "-eo", "-euo", "-euxo", "-exo", "errexit")
}

func (p *parser) sets(options ...string) bool {
	return slices.ContainsFunc(p.out, func(c Command) bool {
		return len(c.Argv) > 1 && c.Argv[0] == "set" && slices.ContainsFunc(c.Argv[1:], func(w string) bool { return slices.Contains(options, w) })
	})
}

// markHidden notes whose exit status can't be seen in that of the whole text.
func markHidden(list []Command, pipefail, errexit bool) {
	for i := range list {
		list[i].Hidden = list[i].Hidden || hidden(list, i, pipefail, errexit)
	}
}

func hidden(list []Command, i int, pipefail, errexit bool) bool {
	if list[i].Next == "|" && !pipefail {
		return true
	}
	for ; i < len(list); i++ {
		switch list[i].Next {
		case "|", "&&": // the end of the pipe, or of the chain, tells
		case "||":
			return i+1 >= len(list) || !fails(list[i+1:])
		case ";":
			if i+1 == len(list) {
				return false
			}
			return !errexit && !fails(list[i+1:])
		case "&":
			return true
		default:
			return false
		}
	}
	return false
}

// fails says that what follows hands the failing on: `|| exit 1`, or
// `rc=$?; …; exit $rc`.
func fails(rest []Command) bool {
	for _, c := range rest {
		if len(c.Argv) > 1 && (c.Argv[0] == "exit" || c.Argv[0] == "return") && c.Argv[1] != "0" || len(c.Argv) == 1 && c.Argv[0] == "false" {
			return true
		}
		if c.Next != ";" && c.Next != "&&" {
			return false
		}
	}
	return false
}

// Filter is what the output of a command goes through before it is seen.
type Filter struct {
	Head    int    // only so many lines from the start, 0 for all
	Tail    bool   // only lines from the end
	Pattern string // only lines that hold it
	Other   bool   // changed in another way: counted, cut into columns …
}

// Whole says that nothing of a short output is left out.
func (f Filter) Whole() bool { return f.Pattern == "" && !f.Other }

// FilterOf reads the pipe behind the command at that place.
func FilterOf(list []Command, at int) Filter {
	var f Filter
	for ; at < len(list)-1 && list[at].Next == "|"; at++ {
		argv := list[at+1].Argv
		if len(argv) == 0 {
			continue
		}
		switch Program(argv) {
		case "head":
			f.Head = count(argv, 10)
		case "tail":
			f.Tail = true
		case "cat", "tee", "less", "more", "ts", "nl":
		case "grep", "egrep", "fgrep", "rg", "ag", "findstr", "Select-String":
			if slices.ContainsFunc(argv[1:], func(w string) bool {
				return strings.HasPrefix(w, "-") && strings.Contains(w, "v") && !strings.HasPrefix(w, "--") || w == "--invert-match"
			}) {
				f.Other = true
				continue
			}
			f.Pattern += strings.Join(argv[1:], " ")
			f.Other = f.Other || slices.ContainsFunc(argv, func(w string) bool { return w == "-c" || w == "-o" || w == "--count" || w == "-q" })
		default:
			f.Other = true
		}
	}
	return f
}

func count(argv []string, otherwise int) int {
	for _, w := range argv[1:] {
		if n, err := strconv.Atoi(strings.TrimLeft(w, "-nc=")); err == nil && n > 0 {
			return n
		}
	}
	return otherwise
}

// Echo is what a text prints by itself: literal words, or an exit status.
type Echo struct {
	Text   string // literal part; in front of the status
	Status bool   // an exit status follows the literal part
	Of     int    // place of the command whose status it is, or which it follows
	If     string // the operator before it: && or ||, else ""
}

// Echoes are the echo commands of a text.
func Echoes(list []Command) []Echo {
	var out []Echo
	for i, c := range list {
		if len(c.Argv) < 2 || c.Argv[0] != "echo" && c.Argv[0] != "printf" || len(c.Writes) > 0 {
			continue
		}
		text := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(strings.Join(c.Argv[1:], " "), "-e "), "-n "), `\n`))
		e := Echo{Text: text, Of: i - 1}
		if i > 0 && (list[i-1].Next == "&&" || list[i-1].Next == "||") {
			e.If = list[i-1].Next
		}
		for e.If != "" && e.Of > 0 && Program(list[e.Of].Argv) == "echo" {
			e.Of--
		}
		for _, mark := range []string{"${PIPESTATUS[0]}", "$PIPESTATUS", "${pipestatus[1]}", "$pipestatus[1]", "$?", "${?}", "$LASTEXITCODE"} {
			if before, _, ok := strings.Cut(text, mark); ok {
				e.Text, e.Status = strings.TrimSpace(before), true
				e.Of = statusOf(list, i, strings.Contains(strings.ToLower(mark), "pipestatus"))
				break
			}
		}
		out = append(out, e)
	}
	return out
}

// statusOf is the place of the command whose status an echo at i prints: the
// end of the pipe before it, or with first its beginning.
func statusOf(list []Command, i int, first bool) int {
	at := i - 1
	for first && at > 0 && list[at-1].Next == "|" {
		at--
	}
	return at
}

// Says reports whether a line is what the echo printed.
func (e Echo) Says(line string) bool {
	line = strings.TrimSpace(line)
	if !e.Status {
		return e.Text != "" && (slices.Contains(e.lines(), line) || strings.Contains(e.Text, "$") && strings.HasPrefix(line, strings.SplitN(e.Text, "$", 2)[0]) && !strings.HasPrefix(e.Text, "$"))
	}
	_, ok := e.StatusIn(line)
	return ok
}

// lines are those that the literal part prints.
func (e Echo) lines() []string {
	if !strings.Contains(e.Text, "\n") && !strings.Contains(e.Text, `\n`) {
		return []string{e.Text}
	}
	var out []string
	for line := range strings.SplitSeq(strings.ReplaceAll(e.Text, `\n`, "\n"), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// StatusIn reads the exit status off the line that the echo printed.
func (e Echo) StatusIn(line string) (status int, ok bool) {
	if !e.Status {
		return 0, false
	}
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), e.Text)
	if !ok {
		return 0, false
	}
	word := strings.FieldsFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	if len(word) == 0 || e.Text == "" && word[0] != strings.TrimSpace(rest) {
		return 0, false
	}
	n, err := strconv.Atoi(word[0])
	return n, err == nil
}
