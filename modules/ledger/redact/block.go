package redact

import (
	"strings"
	"sync"

	"github.com/carryover-go/carryover/modules/ledger/redact/internal/scan"
)

// Secrets that their surroundings tell: keys between two lines, users in an
// address, headers, cookies, lists of words.

var privateKey = sync.OnceValue(func() scan.Pattern {
	// Up to its end, or, when it was cut off before that, as far as it looks
	// like a key. What separates lines may be a line break, its escape, quotes
	// or diff marks.
	return scan.NewPattern(`-----BEGIN [A-Za-z0-9 ]*(?:PRIVATE KEY(?: BLOCK)?|Static key V1)-----`)
})

// endsKey reports whether the label of a block is that of a key which is secret.
func endsKey(label string) bool {
	return strings.Contains(label, "PRIVATE KEY") || strings.Contains(label, "Static key")
}

func pemKey(p *pass, at, _ int) {
	text := p.text[:min(len(p.text), at+blockWindow)]
	_, head, ok := privateKey().Match(text, at)
	if !ok || at < p.runs.block {
		return
	}
	p.work += len(text) - at
	p.runs.block = len(text)
	if end := strings.Index(text[head:], "-----END "); end >= 0 {
		to := head + end + len("-----END ")
		if dashes := strings.Index(text[to:], "-----"); dashes >= 0 && endsKey(text[to:to+dashes]) {
			p.runs.block = to
			p.spans = append(p.spans, span{at, to + dashes + 5, p.rule})
			return
		}
	}
	to, long := head, false
	for {
		next := to
		for next < len(text) && strings.IndexByte(" \t\r\n\\\"'+,>|n", text[next]) >= 0 {
			next++
		}
		from := next
		for next < len(text) && isBase64(text[next]) {
			next++
		}
		if next-from < 16 {
			break
		}
		to, long = next, true
	}
	p.runs.block = to
	if long {
		p.spans = append(p.spans, span{at, to, p.rule})
	}
}

// headless are the lines of a key whose first line is not there: base64 in full
// lines up to an end.
func pemEnd(p *pass, at, _ int) {
	if !endsKey(p.text[at:min(len(p.text), at+60)]) {
		return
	}
	from := at
	for from > p.runs.block && at-from < signedWindow {
		b := p.text[from-1]
		if !isBase64(b) && b != '\n' && b != '\r' && b != '\\' && b != ' ' {
			break
		}
		from--
	}
	p.work += at - from
	p.runs.block = at
	if to := len(strings.TrimRight(p.text[from:at], "\n\r\\ ")); to > 40 && entropy(p.text[from:from+to]) > 4.5 {
		p.emit(from+len(p.text[from:at])-len(strings.TrimLeft(p.text[from:at], "\n\r\\ n")), from+to)
	}
}

// addressUser is the user and password of an address. The password may have an
// @ in it: the last one counts.
func addressUser(p *pass, at, n int) {
	from := at + n
	to, host := from, -1
	for to < len(p.text) && to-from < tokenWindow && strings.IndexByte(" \t\n\r\"'`<>/\\", p.text[to]) < 0 {
		if p.text[to] == '@' {
			host = to
		}
		to++
	}
	p.work += to - from
	if host < 0 || host+1 >= len(p.text) || !scan.IsWord(p.text[host+1]) && p.text[host+1] != '[' {
		return
	}
	user, password, ok := strings.Cut(p.text[from:host], ":")
	if !ok || len(user)+len(password) < 4 || len(password) < 3 || strings.ContainsAny(user, "?#@[](){}$") || strings.ContainsAny(password[:1], "$({<%*") || !notPlaceholder(password) {
		return
	}
	if strings.ContainsAny(password, "[]{}()$,|") && !mixed(password) {
		return
	}
	p.emit(from, host)
}

// header is what follows Authorization: a scheme and its credentials, or these
// alone.
func header(p *pass, at, n int) {
	operand, ok := operandAfter(p.text, name{from: at, to: at + n})
	if !ok || operand.kind == sentence && !strings.Contains(p.text[at+n:operand.from], ":") {
		return
	}
	from := operand.from
	for _, scheme := range []string{"basic ", "bearer ", "token ", "apikey ", "digest ", "negotiate ", "api-key "} {
		if len(p.text) >= from+len(scheme) && strings.EqualFold(p.text[from:from+len(scheme)], scheme) {
			from = skipBlanks(p.text, from+len(scheme))
			break
		}
	}
	p.credentials(from, from > operand.from)
}

func (p *pass) credentials(from int, scheme bool) {
	to := from
	for to < len(p.text) && to-from < signedWindow && (isBase64(p.text[to]) || strings.IndexByte(".~:", p.text[to]) >= 0) {
		to++
	}
	p.work += to - from
	value := strings.TrimRight(p.text[from:to], ".:")
	if len(value) < 8 || !notPlaceholder(value) {
		return
	}
	if scheme && (mixed(value) || manyLetters(value, 20) || strings.Contains(decoded(value), ":")) || random(value) && len(value) >= 16 {
		p.emit(from, from+len(value))
	}
}

func bearer(p *pass, at, n int) {
	from := skipBlanks(p.text, at+n)
	to := from
	for to < len(p.text) && to-from < signedWindow && (isBase64(p.text[to]) || p.text[to] == '.' || p.text[to] == '~') {
		to++
	}
	p.work += to - from
	if value := strings.TrimRight(p.text[from:to], "."); len(value) >= 16 && (mixed(value) || manyLetters(value, 20)) {
		p.emit(from, from+len(value))
	}
}

// cookies are the values of a Cookie header that look made by a generator.
func cookies(p *pass, at, n int) {
	line := p.text[at+n : min(len(p.text), at+n+signedWindow)]
	if at < p.runs.cookie {
		return
	}
	if end := strings.IndexAny(line, "\n\r\"'`"); end >= 0 {
		line = line[:end]
	}
	p.work += len(line)
	p.runs.cookie = at + n + len(line)
	for offset := 0; offset < len(line); {
		pair, next := line[offset:], len(line)
		if end := strings.IndexByte(pair, ';'); end >= 0 {
			pair, next = pair[:end], offset+end+1
		}
		if name, value, ok := strings.Cut(pair, "="); ok && len(value) >= 12 && (mixed(value) && entropy(value) >= 2.8 || manyLetters(value, 20)) && !strings.Contains(value, " ") {
			p.emit(at+n+offset+len(name)+1, at+n+offset+len(pair))
		}
		offset = next
	}
}

// seed is what a wallet is made again from: twelve words or more.
func seed(p *pass, at, n int) {
	text := p.text[at+n : min(len(p.text), at+n+tokenWindow)]
	p.work += len(text)
	start := strings.IndexAny(text, ":=")
	if colon := strings.Index(text, "：") + 2; colon > 1 && (start < 0 || colon < start) {
		start = colon
	}
	if is := strings.Index(text, " is "); is >= 0 && (start < 0 || is < start) {
		start = is + 3
	}
	if start < 0 || start > 24 {
		return
	}
	from := start + 1
	for from < len(text) && strings.IndexByte(" \t\n\"'`\\", text[from]) >= 0 {
		from++
	}
	to, words := from, 0
	for i := from; i < len(text); {
		end := i
		for end < len(text) && kindOf(text[end]) == lower {
			end++
		}
		if end-i < 3 || end-i > 8 {
			break
		}
		words, to = words+1, end
		i = end
		for i < len(text) && i < end+2 && (text[i] == ' ' || text[i] == '\n' || text[i] == ',') {
			i++
		}
		if i == end {
			break
		}
	}
	if words >= 12 {
		p.emit(at+n+from, at+n+to)
	}
}

// login is a line of a .netrc file.
func login(p *pass, at, n int) {
	line := p.text[at+n : min(len(p.text), at+n+tokenWindow)]
	_, afterUser := wordAt(line, 0)
	word, after := wordAt(line, afterUser)
	if word != "password" {
		return
	}
	value, end := wordAt(line, after)
	p.work += end
	if len(value) >= 4 && notPlaceholder(value) {
		p.emit(at+n+end-len(value), at+n+end)
	}
}
