package redact

import (
	"strings"
)

// piped is what a command is given on its standard input: echo 'X' | sudo -S. With
// pairs it is a user and a password.
func piped(pairs bool) func(p *pass, at, n int) {
	return func(p *pass, at, _ int) {
		from := max(0, at-tokenWindow)
		line := p.text[from:at]
		if start := strings.LastIndexByte(line, '\n'); start >= 0 {
			from, line = from+start+1, line[start+1:]
		}
		p.work += len(line)
		bar := strings.LastIndexByte(line, '|')
		if bar < 0 || strings.TrimSpace(line[bar+1:]) != "" {
			return
		}
		end := len(strings.TrimRight(line[:bar], " \t"))
		begin, to := unquoted(line, strings.LastIndexByte(line[:end], ' ')+1, end)
		if pairs {
			colon := strings.IndexByte(line[begin:to], ':')
			if colon < 0 {
				return
			}
			begin += colon + 1
		}
		if value := line[begin:to]; len(value) >= 6 && invented(value) {
			p.emit(from+begin, from+to)
		}
	}
}

// passwordFile is a line of a .pgpass file: host, port, database, user, password.
func passwordFile(p *pass, at, n int) {
	rest := p.text[at+n : min(len(p.text), at+n+tokenWindow)]
	if end := strings.IndexAny(rest, "\n\r\\\"' "); end >= 0 {
		rest = rest[:end]
	}
	p.work += len(rest)
	parts := strings.SplitN(rest, ":", 3)
	if len(parts) < 3 || len(parts[2]) < 4 || !mixed(parts[2]) || strings.Contains(rest, "/") {
		return
	}
	p.emit(at+n+len(rest)-len(parts[2]), at+n+len(rest))
}

// signature is what signs an address: whoever has it may do what the address says.
func signature(p *pass, at, n int) {
	from := wordStart(p.text, at, 20)
	if from == 0 || p.text[from-1] != '?' && p.text[from-1] != '&' || at+n >= len(p.text) || p.text[at+n] != '=' {
		return
	}
	value := p.text[at+n+1 : min(len(p.text), at+n+1+tokenWindow)]
	if end := strings.IndexAny(value, "& \t\n\r\"'`#<>\\;,)"); end >= 0 {
		value = value[:end]
	}
	p.work += len(value)
	if hexKey(value) || len(value) >= 24 && random(value) {
		p.emit(at+n+1, at+n+1+len(value))
	}
}
