package redact

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/ledger/redact/internal/scan"
)

// isBase64 reports whether base64 of either kind has a byte.
func isBase64(b byte) bool { return scan.IsWord(b) || b == '+' || b == '/' || b == '-' || b == '=' }

func isHex(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F'
}

// decoded is the printable text that a value is base64 of, "" when it is none.
func decoded(value string) string {
	value = strings.TrimRight(value, "=")
	if len(value) < 8 {
		return ""
	}
	raw, err := base64.RawStdEncoding.DecodeString(value)
	if err != nil {
		if raw, err = base64.RawURLEncoding.DecodeString(value); err != nil {
			return ""
		}
	}
	return printable(raw)
}

func printable(raw []byte) string {
	for _, b := range raw {
		if b < ' ' && b != '\n' && b != '\t' && b != '\r' || b >= utf8.RuneSelf {
			return ""
		}
	}
	return string(raw)
}

// inBase64 lists how a word looks inside of base64, at each of the three places
// it can begin at in a group.
func inBase64(word string) (looks []string) {
	for before := range 3 {
		text := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("\x00", before) + word))
		from := []int{0, 2, 3}[before] // what the bytes before have a part in
		to := len(text)
		if (before+len(word))%3 != 0 {
			to-- // what the bytes behind have a part in
		}
		if looksLike := text[from:to]; len(looksLike) >= 5 {
			looks = append(looks, looksLike)
		}
	}
	return looks
}

func inHex(word string) []string {
	if len(word) < 4 {
		return nil
	}
	return []string{hex.EncodeToString([]byte(word))}
}

// blob is the run of an alphabet that offset at lies in. A run is read once,
// however many keywords it holds.
func (p *pass) blob(which, at int, in func(byte) bool) (known bool, from, to int) {
	last := &p.blobs[which]
	if at < last.to && at >= last.from {
		return true, last.from, last.to
	}
	from, to = at, at
	for from > last.to && in(p.text[from-1]) {
		from--
	}
	for to < len(p.text) && in(p.text[to]) {
		to++
	}
	p.work += to - from
	*last = run{from, to}
	return false, from, to
}

// wrappedBase64 looks into a run of base64 that seems to hold a secret.
func wrappedBase64(p *pass, at, _ int) {
	if p.depth > 1 {
		return
	}
	known, from, to := p.blob(0, at, isBase64)
	if known || to-from < 12 {
		return
	}
	for skip := range min(4, to-from) { // a name or a slash may stand before it
		if text := decoded(p.text[from+skip : to]); text != "" {
			p.inner(text, from+skip, to)
			return
		}
	}
	if raw, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(p.text[from:to], "=")); err == nil {
		p.inner(string(raw), from, to)
	}
}

// wrappedHex does so with hexadecimal digits.
func wrappedHex(p *pass, at, _ int) {
	if p.depth > 1 {
		return
	}
	known, from, to := p.blob(1, at, isHex)
	if known || (to-from)%2 != 0 {
		return
	}
	if raw, err := hex.DecodeString(p.text[from:to]); err == nil {
		p.inner(string(raw), from, to)
	}
}

func (p *pass) inner(text string, from, to int) {
	p.work += len(text)
	if len(p.find(text, p.depth+1)) > 0 {
		p.emit(from, to)
	}
}

// dockerAuth is a user and a password in base64, as in a Docker configuration.
func dockerAuth(p *pass, at, n int) {
	operand, ok := operandAfter(p.text, name{from: at, to: at + n})
	if !ok || operand.quote == 0 {
		return
	}
	from, to := operand.value(p.text)
	if strings.Contains(decoded(p.text[from:to]), ":") {
		p.emit(from, to)
	}
}

// kubernetes redacts the values below data: of a Secret, before and behind the
// line that says that it is one.
func kubernetes(p *pass, at, _ int) {
	from, to := max(0, at-signedWindow), min(len(p.text), at+signedWindow)
	if from < p.runs.secret {
		from = min(p.runs.secret, to)
	}
	p.runs.secret = to
	text := p.text[from:to]
	p.work += len(text)
	inData := false
	for offset := 0; offset < len(text); {
		line, rest := text[offset:], len(text)
		if end := strings.IndexByte(line, '\n'); end >= 0 {
			line, rest = line[:end], offset+end+1
		}
		trimmed := strings.TrimLeft(line, " \t")
		switch name, value, pair := strings.Cut(trimmed, ":"); {
		case trimmed == "data:" || trimmed == "stringData:":
			inData = true
		case len(trimmed) == len(line):
			inData = false
		case inData && pair:
			value = strings.Trim(value, " \t\r\"'|>-")
			begin := from + offset + len(line) - len(trimmed) + len(name) + strings.Index(trimmed[len(name):], value)
			if len(value) >= 4 && notPlaceholder(value) && name != "name" && name != "namespace" {
				p.emit(begin, begin+len(value))
			}
		}
		offset = rest
	}
}
