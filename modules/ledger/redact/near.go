package redact

import "strings"

// Secrets that no operator ties to a name: in a sentence that speaks of a password, and
// among the arguments of a call that takes one. Only what looks like nothing else counts.

// nearby is how far behind the word for a password one may stand, in bytes of its line.
const nearby = 72

// near looks behind a word for a password for something that was made up as one,
// however the sentence goes on: in any language the two stand close together.
func near(p *pass, at, n int) {
	name, ok := nameAt(p.text, at, n)
	if !ok {
		return
	}
	p.standsIn(name.to, min(len(p.text), name.to+nearby), madeUp)
}

// taking begin the calls that take a secret as one of their arguments.
var taking = []string{"auth(", "credential(", "credentials(", "connection(", "connect(", "login(", "pdo(", ".sign(", "auth=(", "auth = ("}

// arguments looks at the strings of a call that takes a secret.
func arguments(p *pass, at, n int) {
	end := min(len(p.text), at+n+2*nearby)
	p.standsIn(at+n, end, func(value string) bool {
		return madeUp(value) || len(value) >= 20 && generated(value) && strings.IndexByte(value, '.') < 0
	})
}

// standsIn emits the first word of a stretch of one line that is a secret. A word ends
// at blanks, quotes, brackets, and at whatever is not ASCII.
func (p *pass) standsIn(from, end int, secret func(string) bool) {
	begin := from
	for i := from; i <= end; i++ {
		if i < end && !separates(p.text[i]) {
			continue
		}
		p.work++
		for begin < i && strings.IndexByte("=:", p.text[begin]) >= 0 { // of an assignment
			begin++
		}
		if value := strings.TrimRight(p.text[begin:i], ".,:;!?"); len(value) >= 8 && secret(value) && notPlaceholder(value) && !isPath(value) {
			p.emit(begin, begin+len(value))
			return
		}
		if i < end && (p.text[i] == '\n' || p.text[i] == '\\' && i+1 < end && p.text[i+1] == 'n') {
			return
		}
		begin = i + 1
	}
}

func separates(b byte) bool {
	return b >= 0x80 || strings.IndexByte(" \t\r\n\"'`()[]{}<>,;|\\", b) >= 0
}
