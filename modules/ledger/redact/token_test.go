package redact

import (
	"strings"
	"testing"
)

// A tool's output may be made so that every few bytes begin like a token. Each
// byte is read a fixed number of times all the same.
func TestSignedToken_ReadsEachByteOnce(t *testing.T) {
	for name, text := range map[string]string{
		"beginnings":        strings.Repeat("eyJ-", 64<<10),
		"two parts":         strings.Repeat("eyJ-", 32<<10) + ".eyJ" + strings.Repeat("-eyJ", 32<<10),
		"many short":        strings.Repeat("eyJ-eyJa.", 32<<10),
		"three parts":       strings.Repeat("eyJ-", 20<<10) + ".eyJ" + strings.Repeat("-eyJ", 20<<10) + "." + strings.Repeat("eyJ-", 20<<10),
		"many of two parts": strings.Repeat(strings.Repeat("eyJ-", 200)+".eyJ-. ", 200),
	} {
		var runs tokenRuns
		for at := range text {
			if strings.HasPrefix(text[at:], "eyJ") {
				signedToken(text, at, &runs)
			}
		}
		if runs.read > 4*len(text) {
			t.Errorf("%s: %d bytes read of %d", name, runs.read, len(text))
		}
		Text(text)
	}
}
