package redact

import (
	"strings"

	"github.com/carryover-go/carryover/modules/ledger/redact/internal/scan"
)

// tokenRuns remembers where the parts of the last signed token end. Keywords
// come in the order of the text, so that each byte is read once for each part,
// however many keywords a run of bytes holds.
type tokenRuns struct {
	parts [3]struct{ from, to int }
	read  int // bytes looked at
	// How far keys, cookies and Secrets were read.
	block, cookie, secret int
}

// end is where the run of base64url that holds at ends; at, if there is none.
func (r *tokenRuns) end(part int, text string, at int) int {
	run := &r.parts[part]
	if run.from <= at && at < run.to {
		return run.to
	}
	run.from, run.to = at, at
	for run.to < len(text) && (scan.IsWord(text[run.to]) || text[run.to] == '-') {
		run.to++
	}
	r.read += run.to - at + 1
	return run.to
}

// signedToken finds the end of a JSON web token: three parts, of which the
// first two are JSON objects.
func signedToken(text string, at int, runs *tokenRuns) (to int, ok bool) {
	const object = "eyJ"
	head := runs.end(0, text, at)
	if head <= at+len(object) || !strings.HasPrefix(text[head:], "."+object) {
		return 0, false
	}
	body := runs.end(1, text, head+1)
	if body <= head+1+len(object) || !strings.HasPrefix(text[body:], ".") {
		return 0, false
	}
	to = runs.end(2, text, body+1)
	return to, to > body+1
}
