package publish

import (
	"bytes"
	"strings"

	gitignore "github.com/sabhiram/go-gitignore"
)

// ignoredMark stands above the line that Ignore adds.
const ignoredMark = "# added by Carryover"

// ignored adds our two lines to a .gitignore, unless a pattern in it already
// covers the folder.
func ignored(old []byte) (text []byte, needed bool) {
	if gitignore.CompileIgnoreLines(strings.Split(string(old), "\n")...).MatchesPath(Dir + "/handoff.md") {
		return old, false
	}
	eol := lineEnd(old)
	text = bytes.Clone(old)
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		text = append(text, eol...)
	}
	return append(text, ignoredMark+eol+Dir+"/"+eol...), true
}

// lineEnd is the line end a text uses.
func lineEnd(text []byte) string {
	if bytes.Contains(text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}
