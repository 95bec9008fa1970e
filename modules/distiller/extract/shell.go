package extract

import (
	"path"
	"slices"
	"strings"
)

// maxCommand bounds how much of a command is parsed, in bytes.
const maxCommand = 4 << 10

// simple is one simple command of a shell text.
type simple struct {
	argv   []string
	writes []string // targets of > and >>
	dir    string   // of a cd before it in the same text, "" when none
}

// shellCommands splits a shell text into its simple commands. It is no shell:
// quotes, comments, here documents and operators are understood, expansions
// stay as they stand.
func shellCommands(text string) []simple {
	if len(text) > maxCommand {
		text = strings.ToValidUTF8(text[:maxCommand], "")
	}
	p := shellParser{text: withoutHereDocs(text)}
	p.run()
	var out []simple
	for _, c := range p.out {
		if inner, ok := innerShell(c.argv); ok && len(inner) < len(text) {
			out = append(out, shellCommands(inner)...)
			continue
		}
		out = append(out, c)
	}
	dir := ""
	for i := range out {
		if len(out[i].argv) == 2 && out[i].argv[0] == "cd" {
			if isAbs(out[i].argv[1]) {
				dir = out[i].argv[1]
			} else {
				dir = path.Join(dir, out[i].argv[1])
			}
		}
		out[i].dir = dir
	}
	return out
}

// innerShell finds the script of `bash -lc "…"`.
func innerShell(argv []string) (string, bool) {
	if len(argv) < 3 {
		return "", false
	}
	switch path.Base(argv[0]) {
	case "bash", "sh", "zsh":
		if strings.HasPrefix(argv[1], "-") && strings.HasSuffix(argv[1], "c") {
			return argv[2], true
		}
	}
	return "", false
}

// withoutHereDocs drops the bodies of here documents: they are data.
func withoutHereDocs(text string) string {
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

type shellParser struct {
	text  string
	word  strings.Builder
	open  bool // a word is being read
	redir bool // the next word is a redirection target
	cur   simple
	out   []simple
}

func (p *shellParser) run() {
	t := p.text
	for i := 0; i < len(t); i++ {
		c := t[i]
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
		case c == ' ' || c == '\t':
			p.endWord()
		case c == '\n' || c == ';' || c == '|' || c == '&' && !strings.HasPrefix(t[i:], "&>"):
			if c == '&' && i > 0 && t[i-1] == '>' { // 2>&1
				continue
			}
			p.endCommand()
		case c == '>':
			p.redirect()
		case c == '<':
			p.endWord()
		case (c == '(' || c == ')' || c == '{' || c == '}') && !p.open:
		default:
			p.put(c)
		}
	}
	p.endCommand()
}

func (p *shellParser) put(c byte) {
	p.open = true
	p.word.WriteByte(c)
}

// quoted reads a quoted string that begins at i and returns its last index.
func (p *shellParser) quoted(i int) int {
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

func (p *shellParser) redirect() {
	if w := p.word.String(); w == "1" || w == "2" || w == "&" {
		p.word.Reset()
		p.open = false
	}
	p.endWord()
	p.redir = true
}

func (p *shellParser) endWord() {
	if !p.open {
		return
	}
	w := p.word.String()
	p.word.Reset()
	p.open = false
	if p.redir {
		p.redir = false
		if w != "/dev/null" && w != "1" && w != "2" && w != "" {
			p.cur.writes = append(p.cur.writes, w)
		}
		return
	}
	p.cur.argv = append(p.cur.argv, w)
}

func (p *shellParser) endCommand() {
	p.endWord()
	p.redir = false
	for len(p.cur.argv) > 0 && assignment(p.cur.argv[0]) {
		p.cur.argv = p.cur.argv[1:]
	}
	if len(p.cur.argv) > 0 || len(p.cur.writes) > 0 {
		p.out = append(p.out, p.cur)
	}
	p.cur = simple{}
}

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

// unwrap takes the programs off that only start another one.
func unwrap(argv []string) []string {
	for range 4 {
		if len(argv) < 2 {
			return argv
		}
		switch path.Base(argv[0]) {
		case "sudo", "time", "nohup", "exec", "command", "npx", "bunx", "env", "xvfb-run", "stdbuf":
			argv = skipFlags(argv[1:])
		case "timeout", "gtimeout", "nice":
			argv = skipFlags(argv[1:])
			if len(argv) > 1 {
				argv = argv[1:]
			}
		case "uv", "poetry", "pipenv", "pdm", "rye", "hatch", "bundle", "pnpm", "yarn", "npm", "direnv", "dotenv":
			if argv[1] != "run" && argv[1] != "exec" {
				return argv
			}
			rest := skipFlags(argv[2:])
			if len(rest) == 0 || ((argv[0] == "npm" || argv[0] == "pnpm" || argv[0] == "yarn") && argv[1] == "run") {
				return argv // npm run test is a script of its own
			}
			argv = rest
		case "nix", "mise", "rtx", "asdf", "docker", "rbenv":
			rest := afterMark(argv)
			if rest == nil {
				return argv
			}
			argv = rest
		default:
			return argv
		}
	}
	return argv
}

func skipFlags(argv []string) []string {
	for len(argv) > 0 && (strings.HasPrefix(argv[0], "-") || assignment(argv[0])) {
		argv = argv[1:]
	}
	return argv
}

// afterMark is what follows --command, -c or -- of a wrapper.
func afterMark(argv []string) []string {
	for i, w := range argv {
		if (w == "--command" || w == "-c" || w == "--") && i+1 < len(argv) {
			return argv[i+1:]
		}
	}
	return nil
}

// quiet programs neither fail nor succeed in a way worth telling.
var quiet = setOf("cd echo printf export source . set pwd true sleep mkdir clear wait exit local return then do done fi if for while else")

// probes are commands whose failing answers a question.
var probes = setOf("grep rg egrep fgrep ag ack test [ [[ diff cmp which type command ls find fd pgrep pkill lsof stat cat head tail sed awk wc file tree cut sort uniq xargs nl less bat")

// family names what a simple command does, so that two spellings of one thing
// are seen as the same: program, and subcommand where the program has them.
func family(argv []string) string {
	argv = unwrap(argv)
	if len(argv) == 0 {
		return ""
	}
	prog := path.Base(argv[0])
	rest := skipFlags(argv[1:])
	switch prog {
	case "git", "go", "cargo", "gh", "docker", "kubectl", "dotnet", "make", "just", "mvn", "gradle", "gradlew", "bundle", "rails",
		"pip", "pip3", "brew", "terraform", "deno", "bun", "swift", "mix", "composer", "php", "hk", "tox", "nox":
		if len(rest) > 0 {
			return prog + " " + rest[0]
		}
	case "npm", "pnpm", "yarn", "mise", "rush", "nx", "turbo", "lerna":
		if len(rest) > 1 && (rest[0] == "run" || rest[0] == "-s") {
			return prog + " " + rest[1]
		}
		if len(rest) > 0 {
			return prog + " " + rest[0]
		}
	case "python", "python3", "py":
		if len(argv) > 2 && argv[1] == "-m" {
			return argv[2]
		}
		return "python"
	case "node":
		if len(rest) > 0 {
			return "node " + path.Base(rest[0])
		}
	}
	return prog
}

// filterFlags choose tests by name; their value is no target.
var filterFlags = setOf("-t -run --run -k --grep -g --filter --testNamePattern --test-name-pattern -m --name -n --test")

// filterMark begins a filter among the targets.
const filterMark = "filter "

// targets are the arguments of a command that are neither flags nor part of
// its family: what a test run or a build was asked to look at.
func targets(argv []string) []string {
	fam := strings.Fields(family(argv))
	var out []string
	words := unwrap(argv)
	for i, w := range words {
		if i > 0 && filterFlags[words[i-1]] {
			out = slices.Insert(out, 0, filterMark+w)
			continue
		}
		if i == 0 || strings.HasPrefix(w, "-") || (len(fam) > 1 && w == fam[1]) || w == "run" || w == "-m" || w == fam[0] {
			continue
		}
		out = append(out, w)
	}
	return out
}

// commandKey is a shell text without what does not change what it does: the
// change of directory before it, pagers after it, white space.
func commandKey(text string) string {
	text = withoutHereDocs(text)
	key := oneLine(text)
	for range 3 {
		if strings.HasPrefix(key, "cd ") {
			if i := strings.Index(key, "&& "); i > 0 {
				key = key[i+3:]
			}
		}
	}
	for _, tail := range []string{" | tail", " | head"} {
		if i := strings.LastIndex(key, tail); i > 0 {
			key = key[:i]
		}
	}
	key = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(key), "2>&1"))
	return clip(key, 300)
}
