package redact

import (
	"strings"
)

// accepts reports whether a value at this place is a secret.
func (p *operand) accepts(text string, from, to int) bool {
	value := text[from:to]
	if len(value) < 6 || !notPlaceholder(value) || isPath(value) || strings.ContainsAny(value, "\t") {
		return false
	}
	if p.quote == 0 && p.kind != element && (strings.ContainsAny(value, "([{") || isCode(value)) {
		return false
	}
	if p.name.weak && p.kind != environment && p.kind != connection && p.kind != query && p.quote == 0 {
		return (p.kind == bare && p.named(text, value) || p.kind == setting && len(value) >= 16) && endsLine(text, to) && invented(value)
	}
	if strings.Contains(value, " ") {
		return p.quote != 0 && len(value) >= 32 && oddness(value) >= len(value)/4 // made of all signs, the blank among them
	}
	if p.kind == bare || p.kind == below {
		return p.alone(text, value, to)
	}
	if p.name.password && fours().MatchString(value) {
		return true
	}
	if hexKey(value) || manyLetters(value, 20) || p.name.password && p.kind != sentence && manyLetters(value, 10) || isUUID(value) && p.kind != sentence && p.kind != query {
		return true
	}
	if wrapped := decoded(value); wrapped != "" && len(value) >= 12 && mixed(value) {
		return true
	}
	return p.likely(text, value, to)
}

// noSecret matches what stands behind names without an operator: versions, numbers,
// tags of struct fields, output that was shortened.
var noSecret = pattern(`\Av?\d+\.\d|\A0x[0-9a-fA-F]{1,16}\z|:\\?"|…`)

// named reports whether a name with nothing but blanks behind it can be that of the
// value: no verb, no count, no part of a path.
func (p *operand) named(text, value string) bool {
	name := text[p.name.from:p.name.to]
	switch {
	case p.name.weak && !allCaps(name), strings.HasSuffix(name, "s") && !p.name.password, p.name.from > 0 && text[p.name.from-1] == '/':
		return false
	}
	return !noSecret().MatchString(value)
}

// alone reports whether a value with no operator before it on its line is a secret.
func (p *operand) alone(text, value string, to int) bool {
	switch {
	case p.kind == below:
		return endsLine(text, to) && (hexKey(value) || invented(value))
	case !p.named(text, value):
		return false
	case p.quote != 0:
		return p.name.password && mixed(value) && oddness(value) > 0 || invented(value)
	}
	return endsLine(text, to) && (len(value) >= 16 && generated(value) || madeUp(value))
}

func (p *operand) likely(text, value string, to int) bool {
	atEnd := to == len(text) || text[to] == '\n' || text[to] == '\r' || text[to] == '\\' || strings.IndexByte(".,!)\"", text[to]) >= 0
	switch {
	case p.quote != 0 || p.kind == element:
		return random(value) && (len(value) >= 10 || oddness(value) > 0) || p.name.password && mixed(value) && oddness(value) > 0
	case p.kind == environment || p.kind == option || p.kind == connection:
		return mixed(value) && (oddness(value) > 0 || p.name.password || random(value))
	case p.kind == setting:
		return invented(value) || p.name.password && atEnd && mixed(value) && oddness(value) > 0
	case p.kind == sentence:
		return invented(value) || p.name.password && atEnd && mixed(value) && len(value) >= 7 && oddness(value) > 0
	default:
		return generated(value) || p.name.password && madeUp(value)
	}
}

// fours are the passwords that accounts make for one app: abcd-efgh-ijkl-mnop.
var fours = pattern(`\A[a-z]{4}(?:-[a-z]{4}){3}\z`)

// endsLine reports whether nothing but blanks follows on the line.
func endsLine(text string, at int) bool {
	for at < len(text) && (text[at] == ' ' || text[at] == '"' || text[at] == '\'' || text[at] == '`') {
		at++
	}
	return at == len(text) || text[at] == '\n' || text[at] == '\r' || text[at] == '\\' && at+1 < len(text) && text[at+1] == 'n'
}

// isCode reports whether an unquoted value is an expression: names joined by
// dots or arrows, as code has them.
func isCode(value string) bool {
	return strings.Contains(value, "->") || strings.Contains(value, "::") || strings.Contains(value, "...")
}

func isUUID(value string) bool {
	return len(value) == 36 && value[8] == '-' && identifier().MatchString(value)
}
