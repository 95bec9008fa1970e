package redact

import "strings"

// command is a program whose short options take a password. Long ones say so
// themselves.
type command struct {
	name     string
	attached string // -pX: letters whose value may follow at once
	apart    string // -p X: letters whose value is the next word
	pair     string // -u user:password, user%password
	within   string // a word that must stand in the command
	joined   string // /p:X: what a word begins with whose rest is the password
	last     string // the option that makes the last word the password
}

var commands = []command{
	{name: "mysql", attached: "p"},
	{name: "mariadb", attached: "p"},
	{name: "mysqldump", attached: "p"},
	{name: "mysqladmin", attached: "p"},
	{name: "sshpass", attached: "p", apart: "p"},
	{name: "redis-cli", apart: "a"},
	{name: "valkey-cli", apart: "a"},
	{name: "curl", attached: "u", pair: "u"},
	{name: "wget", pair: "u"},
	{name: "http", pair: "a"},
	{name: "https", pair: "a"},
	{name: "xh", pair: "a"},
	{name: "docker", apart: "p", within: "login"},
	{name: "podman", apart: "p", within: "login"},
	{name: "helm", apart: "p", within: "login"},
	{name: "az", apart: "p", within: "login"},
	{name: "oc", apart: "p", within: "login"},
	{name: "ldapsearch", apart: "w", attached: "w"},
	{name: "ldapmodify", apart: "w", attached: "w"},
	{name: "mongo", apart: "p"},
	{name: "mongosh", apart: "p"},
	{name: "mongodump", apart: "p"},
	{name: "smbclient", pair: "U"},
	{name: "rpcclient", pair: "U"},
	{name: "sqlcmd", apart: "P", attached: "P"},
	{name: "7z", attached: "p"},
	{name: "unzip", apart: "P"},
	{name: "zip", apart: "P"},
	{name: "clickhouse-client", apart: "p"},
	{name: "influx", apart: "p"},
	{name: "cqlsh", apart: "p"},
	{name: "ansible-playbook", apart: "k"},
	{name: "ipmitool", apart: "P"},
	{name: "snmpwalk", apart: "A"},
	{name: "lftp", pair: "u"},
	{name: "xfreerdp", joined: "/p:"},
	{name: "htpasswd", last: "-b"},
	{name: "net", within: " use ", last: "/user:"},
}

// commandLimit is how much of a command line is looked at, in bytes.
const commandLimit = 1 << 10

// options looks for passwords among the options of a command.
func (c command) options(p *pass, at, n int) {
	if end := at + n; end >= len(p.text) || p.text[end] != ' ' || at > 0 && p.text[at-1] != '/' && !startsCommand(p.text[at-1]) {
		return
	}
	line := p.text[at+n : min(len(p.text), at+n+commandLimit)]
	if end := endOfCommand(line); end >= 0 {
		line = line[:end]
	}
	p.work += len(line)
	if c.within != "" && !strings.Contains(line, c.within) {
		return
	}
	lastWord := 0
	for offset := 0; offset < len(line); {
		word, next := wordAt(line, offset)
		if word != "" {
			lastWord = next - len(word)
		}
		switch {
		case len(word) >= 2 && word[0] == '-' && word[1] != '-':
			c.option(p, line, at+n, offset, next)
		case c.joined != "" && strings.HasPrefix(word, c.joined):
			from, to := unquoted(line, next-len(word)+len(c.joined), next)
			p.emitOption(at+n+from, at+n+to)
		case word == "--user" || word == "--auth" || word == "--proxy-user":
			c.second(p, line, at+n, next)
		}
		offset = next
	}
	if c.last != "" && strings.Contains(line, " "+c.last) {
		if from, to := unquoted(line, lastWord, len(strings.TrimRight(line, " "))); from < to && invented(line[from:to]) {
			p.emit(at+n+from, at+n+to)
		}
	}
}

func (c command) option(p *pass, line string, base, offset, next int) {
	word, end := wordAt(line, offset)
	letter := word[1:2]
	switch {
	case len(word) > 2 && strings.Contains(c.attached, letter) && c.pair == "":
		from, to := unquoted(line, end-len(word)+2, end)
		p.emitOption(base+from, base+to)
	case len(word) == 2 && strings.Contains(c.apart, letter):
		value, after := wordAt(line, next)
		from, to := unquoted(line, after-len(value), after)
		p.emitOption(base+from, base+to)
	case len(word) == 2 && strings.Contains(c.pair, letter):
		c.second(p, line, base, next)
	case strings.Contains(c.pair, letter) && strings.Contains(word, ":"):
		from, to := unquoted(line, end-len(word)+2, end)
		p.emitOption(base+from+strings.IndexByte(line[from:to], ':')+1, base+to)
	}
}

// second is the password of a pair: what follows the user.
func (c command) second(p *pass, line string, base, next int) {
	value, after := wordAt(line, next)
	from, to := unquoted(line, after-len(value), after)
	if at := strings.IndexAny(line[from:to], ":%,"); at >= 0 && at+1 < to-from {
		p.emitOption(base+from+at+1, base+to)
	}
}

func (p *pass) emitOption(from, to int) {
	if from >= to {
		return
	}
	if value := p.text[from:to]; len(value) >= 4 && notPlaceholder(value) && !allCaps(value) && !isPath(value) && !strings.HasPrefix(value, "-") {
		p.emit(from, to)
	}
}

func startsCommand(before byte) bool { return strings.IndexByte(" \t\n\"'`$(;&|>", before) >= 0 }

func endOfCommand(line string) int {
	for i := range len(line) {
		switch line[i] {
		case '\n':
			if i > 0 && line[i-1] == '\\' {
				continue
			}
			return i
		case '|', ';':
			return i
		case '&':
			if i+1 < len(line) && line[i+1] == '&' {
				return i
			}
		}
	}
	return -1
}

// wordAt is the next word of a command from an offset on, quotes and all, and
// where it ends.
func wordAt(line string, at int) (word string, end int) {
	for at < len(line) && strings.IndexByte(" \t\\\n=", line[at]) >= 0 {
		at++
	}
	end = at
	quote := byte(0)
	for end < len(line) {
		b := line[end]
		switch {
		case quote != 0 && b == quote:
			quote = 0
		case quote == 0 && (b == '"' || b == '\''):
			quote = b
		case quote == 0 && (b == ' ' || b == '\t' || b == '\n' || b == '\\'):
			return line[at:end], end
		}
		end++
	}
	return line[at:end], end
}

func unquoted(line string, from, to int) (int, int) {
	for from < to && (line[from] == '"' || line[from] == '\'') {
		from++
	}
	for from < to && strings.IndexByte("\"'`,.)", line[to-1]) >= 0 {
		to--
	}
	return from, to
}
