// Package shell reads the text of shell commands as far as a handoff needs it:
// which programs run, on what, and whether the exit status of each can be seen
// from outside. It is no shell: quotes, comments, here documents and operators
// are understood, expansions stay as they stand.
package shell

import (
	"path"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// maxText bounds how much of a text is parsed, in bytes.
const maxText = 4 << 10

// Command is one simple command of a shell text.
type Command struct {
	Text   string   // as it stands, with assignments, without redirections at its end
	Argv   []string // without assignments and the words of if, while, for
	Writes []string // targets of > and >>, but /dev/null
	Dir    string   // of a cd before it in the same text, "" when none
	Next   string   // the operator that follows: | || && & ; or "" at the end
	Muted  bool     // a stream of it goes to /dev/null
	Hidden bool     // its exit status does not show in that of the text
}

// Commands splits a shell text into its simple commands, those that a shell, a
// container or another machine runs (bash -c "…", docker exec, ssh) included.
func Commands(text string) []Command {
	return commands(text, 0)
}

// deepest is how many shells inside shells are looked into.
const deepest = 4

func commands(text string, depth int) []Command {
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "")
	}
	p := parser{text: WithoutHereDocs(text)}
	p.run()
	markHidden(p.out, p.pipefail(), p.errexit())
	var out []Command
	for _, c := range p.out {
		inner, ok := script(c.Argv)
		if !ok || depth == deepest {
			out = append(out, c)
			continue
		}
		found := commands(inner, depth+1)
		for i := range found {
			found[i].Hidden = found[i].Hidden || c.Hidden
		}
		if n := len(found); n > 0 {
			found[n-1].Next = c.Next
		}
		out = append(out, found...)
	}
	setDirs(out)
	return out
}

func setDirs(list []Command) {
	dir := ""
	for i, c := range list {
		if len(c.Argv) == 2 && c.Argv[0] == "cd" {
			if to := c.Argv[1]; isAbs(to) {
				dir = to
			} else {
				dir = path.Join(dir, to)
			}
		}
		list[i].Dir = dir
	}
}

func isAbs(p string) bool {
	return strings.HasPrefix(p, "/") || (len(p) > 2 && p[1] == ':' && p[2] == '/')
}

// WithoutHereDocs drops the bodies of here documents: they are data.
func WithoutHereDocs(text string) string {
	if !strings.Contains(text, "<<") {
		return text
	}
	var b strings.Builder
	end := ""
	for line := range strings.Lines(text) {
		if end != "" {
			if strings.TrimSpace(line) == end {
				end = ""
			}
			continue
		}
		b.WriteString(line)
		if _, after, ok := strings.Cut(line, "<<"); ok && !strings.HasPrefix(after, "<") {
			after = strings.TrimLeft(after, "-~ ")
			word := strings.FieldsFunc(after, func(r rune) bool { return strings.ContainsRune(" \n\t;&|)>", r) })
			if len(word) > 0 {
				end = strings.Trim(word[0], `"'\`)
			}
		}
	}
	return b.String()
}

type parser struct {
	text   string
	at     int // the byte being read
	begin  int // where the command being read began
	word   strings.Builder
	open   bool // a word is being read
	redir  bool // the next word is a redirection target
	cur    Command
	out    []Command
	groups []int // where each open ( or { began in out
	closed int   // where the group that just closed began, -1 for none
}

func (p *parser) run() {
	t := p.text
	p.closed = -1
	for i := 0; i < len(t); i++ {
		c := t[i]
		p.at = i
		switch {
		case c == '\\' && i+1 < len(t):
			i++
			if t[i] != '\n' {
				p.put(t[i])
			}
		case c == '\'' || c == '"':
			i = p.quoted(i)
		case c == '#' && !p.open:
			for i+1 < len(t) && t[i+1] != '\n' {
				i++
			}
		case c == ' ' || c == '\t' || c == '\r':
			p.endWord()
		case c == '&' && (strings.HasPrefix(t[i:], "&>") || i > 0 && t[i-1] == '>'): // &> file, 2>&1
		case c == '\n' || c == ';' || c == '|' || c == '&':
			op := operator(t[i:])
			p.endCommand(op)
			i += len(op) - 1
		case c == '>':
			p.redirect()
		case c == '<':
			p.endWord()
		case (c == '(' || c == ')' || c == '{' || c == '}') && !p.open:
			p.group(c)
		case c == ')' && len(p.groups) > 0 && !strings.ContainsAny(p.word.String(), "($"):
			p.group(c)
		default:
			p.put(c)
		}
	}
	p.at = len(t)
	p.endCommand("")
}

// operator is the one that a text begins with; a line end counts as ";".
func operator(t string) string {
	if len(t) > 1 && t[0] == t[1] && (t[0] == '|' || t[0] == '&') {
		return t[:2]
	}
	if len(t) > 1 && t[:2] == "|&" {
		return "|&"
	}
	return t[:1]
}

func (p *parser) group(c byte) {
	if c == '(' || c == '{' {
		p.groups = append(p.groups, len(p.out))
		p.begin = p.at + 1
		return
	}
	p.endCommand("")
	if n := len(p.groups); n > 0 {
		p.closed = p.groups[n-1]
		p.groups = p.groups[:n-1]
	}
}

func (p *parser) put(c byte) {
	p.open = true
	p.word.WriteByte(c)
}

// quoted reads a quoted string that begins at i and returns its last index.
func (p *parser) quoted(i int) int {
	q := p.text[i]
	p.open = true
	for i++; i < len(p.text) && p.text[i] != q; i++ {
		if p.text[i] == '\\' && q == '"' && i+1 < len(p.text) && strings.IndexByte("\"\\$`", p.text[i+1]) >= 0 {
			i++
		}
		p.word.WriteByte(p.text[i])
	}
	return i
}

func (p *parser) redirect() {
	if w := p.word.String(); w == "1" || w == "2" || w == "&" {
		p.word.Reset()
		p.open = false
	}
	p.endWord()
	p.redir = true
}

func (p *parser) endWord() {
	if !p.open {
		return
	}
	w := p.word.String()
	p.word.Reset()
	p.open = false
	if !p.redir {
		p.cur.Argv = append(p.cur.Argv, w)
		return
	}
	p.redir = false
	switch w {
	case "/dev/null":
		p.cur.Muted = true
	case "1", "2", "":
	default:
		p.cur.Writes = append(p.cur.Writes, w)
	}
}

// reserved are the words of the shell's own syntax that stand before a command.
var reserved = setOf("if then elif else while until do ! time")

func (p *parser) endCommand(op string) {
	p.endWord()
	p.redir = false
	p.cur.Text = redirections.ReplaceAllString(strings.TrimSpace(p.text[min(p.begin, p.at):p.at]), "")
	p.begin = p.at + max(1, len(op))
	switch op {
	case "\n":
		op = ";"
	case "|&":
		op = "|"
	}
	argv := p.cur.Argv
	for len(argv) > 0 && (assignment(argv[0]) || reserved[argv[0]]) {
		p.cur.Hidden = p.cur.Hidden || reserved[argv[0]] && argv[0] != "time" && argv[0] != "then"
		argv = argv[1:]
	}
	p.cur.Argv = argv
	if len(argv) > 0 || len(p.cur.Writes) > 0 {
		p.cur.Next = op
		p.out = append(p.out, p.cur)
		p.closed = -1
	} else if op != "" && len(p.out) > 0 {
		p.afterGroup(op)
	}
	p.cur = Command{}
}

// afterGroup lets the operator behind a group count for all of it.
func (p *parser) afterGroup(op string) {
	last := &p.out[len(p.out)-1]
	if last.Next == "" || last.Next == ";" && op != ";" {
		last.Next = op
	}
	if p.closed >= 0 && op != "&&" && op != ";" {
		for i := p.closed; i < len(p.out)-1; i++ {
			p.out[i].Hidden = true
		}
	}
	p.closed = -1
}

// redirections at the end of a command say where its output goes, not what it
// does.
var redirections = lazyregexp.New(`(?:\s*(?:[12&]?>+\s*/dev/null|2>&1))+$`)

func assignment(w string) bool {
	i := strings.IndexByte(w, '=')
	if i <= 0 {
		return false
	}
	for _, r := range w[:i] {
		if r != '_' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			return false
		}
	}
	return true
}

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}
