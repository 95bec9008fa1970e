package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/ledger/redact/internal/scan"
)

// assigned are the names whose values are secrets; weak ones are also parts of
// other words and must stand alone.
var (
	assigned = spelled(
		"password", "passwd", "passphrase", "secret", "token", "api_key", "access_key", "private_key", "credential", "account_key", "shared_key", "sharedaccesskey", "encryption_key", "signing_key", "master_key", "app_key",
		"storage_key", "preshared_key", "auth_key", "license_key", "service_key",
		"deploy_key", "admin_key", "webhook_key", "application_key", "identified_by", "storepass", "keypass", "passin", "passout", "securestring",
	)
	weak = []string{"pass", "pwd", "pw", "auth", "sig", "psk", "dsn", "pin"}
	// foreign are the words for a password in other languages.
	foreign = capital(
		"passwort", "kennwort", "contraseña", "contrasena", "senha", "mot de passe", "wachtwoord", "hasło", "lösenord",
		"пароль", "密码", "密碼", "口令", "パスワード", "비밀번호", "şifre", "parola", "adgangskode", "heslo",
	)
)

// capital adds to words that begin with no ASCII letter how they begin a sentence:
// only ASCII is looked for in any case.
func capital(words ...string) (all []string) {
	for _, word := range words {
		all = append(all, word)
		first, size := utf8.DecodeRuneInString(word)
		if upper := unicode.ToUpper(first); first >= utf8.RuneSelf && upper != first {
			all = append(all, string(upper)+word[size:])
		}
	}
	return all
}

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
		name.password, name.weak = password || strings.HasPrefix(scan.Fold(p.text[at:at+n]), "pass"), isWeak
		p.work += name.to - name.from
		operand, ok := operandAfter(p.text, name)
		if !ok {
			return
		}
		from, to := operand.value(p.text)
		p.work += to - from
		if from < to && operand.accepts(p.text, from, to) {
			p.emit(from, to)
		}
	}
}

// nameAt is the whole name that a keyword of n bytes is part of. It refuses
// names of something about a secret.
func nameAt(text string, at, n int) (name, bool) {
	from := at
	for from > 0 && at-from < 40 && (scan.IsWord(text[from-1]) || text[from-1] == '-' || text[from-1] == '.') {
		from--
	}
	if from > 0 && from < at && text[from-1] == '\\' && strings.IndexByte("nrt", text[from]) >= 0 {
		from++ // the escape of a line break
	}
	to := at + n
	for to < len(text) && to-at < 64 && (scan.IsWord(text[to]) || text[to] == '-' || text[to] == '.') {
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
	rest = strings.TrimRight(scan.Fold(rest), "_-.0123456789")
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

// operand is where a value stands, and what its surroundings say about it.
type operand struct {
	from    int
	quote   byte // the one it stands in, 0 without
	escaped bool // the quote stands behind a backslash
	name    name
	kind    operandKind
}

type operandKind uint8

const (
	inline      operandKind = iota // name=value among other things
	environment                    // NAME=value on a line of its own, or an option -e
	setting                        // name: value, or name = value, on a line of its own
	option                         // --name value
	element                        // <name>value<
	sentence                       // the name is value
	connection                     // Name=value;
	query                          // ?name=value&
	bare                           // NAME value, at the end of a line or in quotes
	below                          // name: and the value alone on a line below
)

// operandAfter finds where the value of a name begins.
func operandAfter(text string, name name) (operand, bool) {
	i := name.to
	closed := false
	for i < len(text) && i < name.to+3 && strings.IndexByte("\\\"'`])", text[i]) >= 0 {
		closed = closed || text[i] != '\\'
		i++
	}
	name.quoted = closed
	p := operand{name: name}
	spaced := skipBlanks(text, i)
	kind, after, ok := p.operator(text, i, spaced)
	if !ok {
		return p, false
	}
	p.kind, p.from = kind, skipBlanks(text, after)
	if p.from > after && kind == environment {
		p.kind = setting
	}
	p.step(text)
	p.open(text)
	return p, p.from < len(text)
}

// step goes on to the value where something else stands behind the operator: a line
// break of a document, a user and a slash, the word with which a protocol names its
// kind of password.
func (p *operand) step(text string) {
	rest := text[p.from:min(len(text), p.from+lookBelow)]
	switch {
	case p.name.quoted && p.kind == setting && strings.HasPrefix(rest, "\n"):
		if next := len(rest) - len(strings.TrimLeft(rest, "\n\r \t")); next < len(rest) && rest[next] == '"' {
			p.from += next
		}
	case (p.kind == setting || p.kind == sentence) && p.name.plural(text):
		if user, _, ok := strings.Cut(rest, " / "); ok && !strings.ContainsAny(user, " \n") {
			p.from += len(user) + len(" / ")
		}
	case p.kind == bare:
		if word, _, ok := strings.Cut(rest, " "); ok && len(word) <= len("PLAIN") && allCaps(word) && strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
			p.from += len(word) + 1
		}
	}
}

// plural reports whether a name is of more than one thing: a user and a password.
func (n name) plural(text string) bool {
	return strings.HasSuffix(scan.Fold(text[n.from:n.to]), "credentials")
}

// lookBelow is how far behind an operator a value may stand, in bytes.
const lookBelow = 80

// open steps over the quote that a value begins with.
func (p *operand) open(text string) {
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

func (p *operand) operator(text string, at, spaced int) (kind operandKind, after int, ok bool) {
	if p.name.from > 0 && text[p.name.from-1] == '<' && at < len(text) && text[at] == '>' {
		return element, at + 1, true
	}
	if member := valueMember(text, at); member > 0 {
		return setting, member, true
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
	if line := lineBelow(text, at); line > 0 {
		return below, line, true
	}
	for _, verb := range verbs {
		if len(text) >= at+len(verb) && strings.EqualFold(text[at:at+len(verb)], verb) {
			return sentence, at + len(verb), true
		}
	}
	return bare, spaced, spaced > at
}

// isOption reports whether a name is one of a command: --name, or -name where that
// is a word of its own.
func isOption(text string, from int) bool {
	if from >= 2 && text[from-1] == '-' && text[from-2] == '-' || from < len(text) && strings.HasPrefix(text[from:], "--") {
		return true
	}
	return from > 0 && text[from-1] == ' ' && from+5 < len(text) && text[from] == '-' && kindOf(text[from+1]) == lower && kindOf(text[from+4]) == lower
}

// assigned tells the kinds of assignment apart by what is before the name.
func (p *operand) assigned(text, operator string) operandKind {
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
func (p *operand) value(text string) (from, to int) {
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

func (p *operand) ends(text string, at int) bool {
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
	case b == '\\' && (p.kind != sentence || escapes(text, at)):
		return true
	case b == '&':
		return strings.IndexByte(text[at:min(len(text), at+40)], '=') > 0 && p.kind != environment
	case b == ',':
		return at+1 == len(text) || strings.IndexByte(" \t\n\"'", text[at+1]) >= 0
	default:
		return strings.IndexByte(" \t\"'`;<>|", b) >= 0
	}
}

// escapes reports whether a backslash begins the escape of a line break, a tab or a
// quote, be it escaped itself.
func escapes(text string, at int) bool {
	for at < len(text) && text[at] == '\\' {
		at++
	}
	return at < len(text) && strings.IndexByte("nrt\"'", text[at]) >= 0
}
