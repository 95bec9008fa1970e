package redact

import "strings"

// assigned are the names whose values are secrets; weak ones are also parts of
// other words and must stand alone.
var (
	assigned = spelled(
		"password", "passwd", "passphrase", "secret", "token", "api_key", "access_key", "private_key", "credential", "account_key", "shared_key", "sharedaccesskey", "encryption_key", "signing_key", "master_key", "app_key",
		"storage_key", "preshared_key", "auth_key", "license_key", "service_key",
		"deploy_key", "admin_key", "webhook_key", "application_key",
	)
	weak = []string{"pass", "pwd", "pw", "auth", "sig", "psk", "dsn", "pin"}
	// foreign are the words for a password in other languages.
	foreign = []string{
		"passwort", "kennwort", "contraseña", "contrasena", "senha", "mot de passe", "wachtwoord", "hasło", "lösenord",
		"пароль", "Пароль", "密码", "密碼", "口令", "パスワード", "비밀번호", "şifre", "parola", "adgangskode", "heslo",
	}
)

// spelled adds to names of two words how else they are written.
func spelled(names ...string) (all []string) {
	for _, name := range names {
		all = append(all, name)
		for _, between := range []string{"", "-", " "} {
			if strings.Contains(name, "_") {
				all = append(all, strings.Replace(name, "_", between, 1))
			}
		}
	}
	return all
}

// name is what stands before a value.
type name struct {
	from, to int
	password bool // says that the value is what a person types
	weak     bool
	quoted   bool
}

// assignment looks for the value of a name.
func assignment(password, isWeak bool) func(p *pass, at, n int) {
	return func(p *pass, at, n int) {
		name, ok := nameAt(p.text, at, n)
		if !ok || isWeak && !standsAlone(p.text, at, at+n) {
			return
		}
		name.password, name.weak = password || strings.HasPrefix(fold(p.text[at:at+n]), "pass"), isWeak
		p.work += name.to - name.from
		place, ok := placeAfter(p.text, name)
		if !ok {
			return
		}
		from, to := place.value(p.text)
		p.work += to - from
		if from < to && place.accepts(p.text, from, to) {
			p.emit(from, to)
		}
	}
}

// nameAt is the whole name that a keyword of n bytes is part of. It refuses
// names of something about a secret.
func nameAt(text string, at, n int) (name, bool) {
	from := at
	for from > 0 && at-from < 40 && (isWord(text[from-1]) || text[from-1] == '-' || text[from-1] == '.') {
		from--
	}
	if from > 0 && from < at && text[from-1] == '\\' && strings.IndexByte("nrt", text[from]) >= 0 {
		from++ // the escape of a line break
	}
	to := at + n
	for to < len(text) && to-at < 64 && (isWord(text[to]) || text[to] == '-' || text[to] == '.') {
		to++
	}
	rest := text[at+n : to]
	if rest != "" && kindOf(rest[0]) == lower && kindOf(text[at+n-1]) == lower && rest != "s" {
		return name{}, false // another word: tokenizer, secretary
	}
	return name{from: from, to: to}, !about(rest)
}

// about reports whether a name goes on to say that its value is no secret but
// its address, kind or measure.
func about(rest string) bool {
	rest = strings.TrimRight(fold(rest), "_-.0123456789")
	for _, word := range []string{
		"id", "ids", "name", "names", "url", "uri", "type", "path", "file", "hash", "version", "endpoint", "field", "label",
		"prefix", "format", "ref", "arn", "count", "limit", "class", "digest", "model", "host", "algorithm", "host",
		"length", "regex", "pattern", "location", "dir", "issuer", "source", "engine", "policy", "method", "status", "header",
	} {
		if strings.HasSuffix(rest, word) {
			return true
		}
	}
	return false
}

// standsAlone reports whether a keyword is a word of its own, or one in a name
// of several.
func standsAlone(text string, from, to int) bool {
	if to < len(text) && (kindOf(text[to]) == lower || kindOf(text[to]) == upper || kindOf(text[to]) == digit || text[to] == '_') {
		return false
	}
	if from == 0 || kindOf(text[from-1]) != lower && kindOf(text[from-1]) != upper {
		return true
	}
	return kindOf(text[from-1]) == lower && kindOf(text[from]) == upper
}

// place is where a value stands, and what its surroundings say about it.
type place struct {
	from    int
	quote   byte // the one it stands in, 0 without
	escaped bool // the quote stands behind a backslash
	name    name
	kind    placeKind
}

type placeKind uint8

const (
	inline      placeKind = iota // name=value among other things
	environment                  // NAME=value on a line of its own, or an option -e
	setting                      // name: value, or name = value, on a line of its own
	option                       // --name value
	element                      // <name>value<
	sentence                     // the name is value
	connection                   // Name=value;
	query                        // ?name=value&
)

// placeAfter finds where the value of a name begins.
func placeAfter(text string, name name) (place, bool) {
	i := name.to
	closed := false
	for i < len(text) && i < name.to+3 && strings.IndexByte("\\\"'`])", text[i]) >= 0 {
		closed = closed || text[i] != '\\'
		i++
	}
	name.quoted = closed
	p := place{name: name}
	spaced := skipBlanks(text, i)
	kind, after, ok := p.operator(text, i, spaced)
	if !ok {
		return p, false
	}
	p.kind, p.from = kind, skipBlanks(text, after)
	if p.from > after && kind == environment {
		p.kind = setting
	}
	p.open(text)
	return p, p.from < len(text)
}

// open steps over the quote that a value begins with.
func (p *place) open(text string) {
	i := p.from
	if i+1 < len(text) && (text[i] == 'b' || text[i] == 'r' || text[i] == 'f' || text[i] == '@') && (text[i+1] == '"' || text[i+1] == '\'') {
		i++
	}
	if i+1 < len(text) && text[i] == '\\' && (text[i+1] == '"' || text[i+1] == '\'') {
		p.escaped = true
		i++
	}
	if i < len(text) && strings.IndexByte("\"'`", text[i]) >= 0 {
		p.quote, p.from = text[i], i+1
	}
}

func skipBlanks(text string, at int) int {
	for n := 0; n < 12 && at < len(text) && (text[at] == ' ' || text[at] == '\t'); n++ {
		at++
	}
	return at
}

// verbs say in a sentence what follows: the password is X.
var verbs = []string{" is: ", " is ", " ist ", " lautet: ", " lautet ", " es ", " est ", " è ", " é ", " jest ", "は", "是", "为", "為", " was ", " to "}

func (p *place) operator(text string, at, spaced int) (kind placeKind, after int, ok bool) {
	if p.name.from > 0 && text[p.name.from-1] == '<' && at < len(text) && text[at] == '>' {
		return element, at + 1, true
	}
	if spaced < len(text) {
		for _, operator := range []string{":=", "=>", "?=", "==", "=", "：", ":", ","} {
			if !strings.HasPrefix(text[spaced:], operator) || operator == "," && !p.name.quoted {
				continue
			}
			return p.assigned(text, operator), spaced + len(operator), true
		}
	}
	if isOption(text, p.name.from) && spaced > at {
		return option, at, true
	}
	if colon := strings.IndexAny(text[at:min(len(text), at+40)], ":\n"); strings.HasPrefix(text[at:], " for ") && colon > 0 && text[at+colon] == ':' {
		return sentence, at + colon + 1, true
	}
	for _, verb := range verbs {
		if len(text) >= at+len(verb) && strings.EqualFold(text[at:at+len(verb)], verb) {
			return sentence, at + len(verb), true
		}
	}
	return 0, 0, false
}

func isOption(text string, from int) bool {
	return from >= 2 && text[from-1] == '-' && text[from-2] == '-' || from < len(text) && strings.HasPrefix(text[from:], "--")
}

// assigned tells the kinds of assignment apart by what is before the name.
func (p *place) assigned(text, operator string) placeKind {
	before := byte('\n')
	if p.name.from > 0 {
		before = text[p.name.from-1]
	}
	switch {
	case before == '?' || before == '&':
		return query
	case isOption(text, p.name.from):
		return option
	case operator == "=" && before == ';':
		return connection
	case operator == "=" && allCaps(text[p.name.from:p.name.to]):
		return environment
	case p.name.quoted && operator == ":":
		return setting
	case startsLine(text, p.name.from) && (operator == ":" || operator == "=" || operator == "："):
		return setting
	case operator == ":" || operator == "：":
		return sentence
	default:
		return inline
	}
}

func allCaps(name string) bool {
	for i := range len(name) {
		if kindOf(name[i]) == lower {
			return false
		}
	}
	return true
}

// startsLine reports whether only blanks, marks of lists and the words that
// begin a setting stand before an offset on its line.
func startsLine(text string, at int) bool {
	i := at
	for i > 0 && at-i < 40 && strings.IndexByte(" \t-+>|#*\"'", text[i-1]) >= 0 {
		i--
	}
	return i == 0 || text[i-1] == '\n' || strings.HasSuffix(text[:i], `\n`) || strings.HasSuffix(text[:i], "export") || strings.HasSuffix(text[:i], "set")
}

// value finds the end of a value.
func (p *place) value(text string) (from, to int) {
	limit := min(len(text), p.from+tokenWindow)
	to = p.from
	for to < limit && !p.ends(text, to) {
		to++
	}
	if p.quote != 0 && (to == limit || text[to] != p.quote) && to < limit {
		return p.from, p.from // not closed on its line
	}
	if p.quote != 0 && p.escaped {
		to = max(p.from, to-len(text[p.from:to])+len(strings.TrimRight(text[p.from:to], `\`)))
	}
	if p.quote == 0 {
		to = p.from + len(strings.TrimRight(text[p.from:to], ".,:!?)]}。，、"))
	}
	return p.from, to
}

func (p *place) ends(text string, at int) bool {
	b := text[at]
	switch {
	case b == '\n' || b == '\r':
		return true
	case p.quote != 0:
		return b == p.quote && (p.escaped || text[at-1] != '\\')
	case p.kind == element:
		return b == '<'
	case p.kind == query:
		return strings.IndexByte("& \t\"'`#<>\\;,)", b) >= 0
	case b == '\\' && p.kind != sentence:
		return true
	case b == '&':
		return strings.IndexByte(text[at:min(len(text), at+40)], '=') > 0 && p.kind != environment
	case b == ',':
		return at+1 == len(text) || strings.IndexByte(" \t\n\"'", text[at+1]) >= 0
	default:
		return strings.IndexByte(" \t\"'`;<>|", b) >= 0
	}
}

// accepts reports whether a value at this place is a secret.
func (p *place) accepts(text string, from, to int) bool {
	value := text[from:to]
	if len(value) < 6 || !notPlaceholder(value) || isPath(value) || strings.ContainsAny(value, "\t") {
		return false
	}
	if p.quote == 0 && p.kind != element && (strings.ContainsAny(value, "([{") || isCode(value)) {
		return false
	}
	if p.name.weak && p.kind != environment && p.kind != connection && p.kind != query && p.quote == 0 {
		return false
	}
	if strings.Contains(value, " ") {
		return false
	}
	if hexKey(value) || manyLetters(value, 20) || p.name.password && p.kind != sentence && manyLetters(value, 10) || isUUID(value) && p.kind != sentence && p.kind != query {
		return true
	}
	if wrapped := decoded(value); wrapped != "" && len(value) >= 12 && mixed(value) {
		return true
	}
	return p.likely(text, value, to)
}

func (p *place) likely(text, value string, to int) bool {
	atEnd := to == len(text) || text[to] == '\n' || text[to] == '\r' || text[to] == '\\' || strings.IndexByte(".,!)\"", text[to]) >= 0
	switch {
	case p.quote != 0 || p.kind == element:
		return random(value, quotedBits) && (len(value) >= 10 || oddness(value) > 0) || p.name.password && mixed(value) && oddness(value) > 0
	case p.kind == environment || p.kind == option || p.kind == connection:
		return mixed(value) && (oddness(value) > 0 || p.name.password || random(value, quotedBits))
	case p.kind == setting:
		return generated(value) || madeUp(value) || p.name.password && atEnd && mixed(value) && oddness(value) > 0
	case p.kind == sentence:
		return generated(value) || madeUp(value) || p.name.password && atEnd && mixed(value) && len(value) >= 7 && oddness(value) > 0
	default:
		return generated(value)
	}
}

// isCode reports whether an unquoted value is an expression: names joined by
// dots or arrows, as code has them.
func isCode(value string) bool {
	return strings.Contains(value, "->") || strings.Contains(value, "::") || strings.Contains(value, "...")
}

func isUUID(value string) bool {
	return len(value) == 36 && value[8] == '-' && identifier.MatchString(value)
}
