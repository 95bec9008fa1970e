package redact

import (
	"strings"
)

// valueMember is where the value of a pair begins that holds a name and a value as
// members of their own: "name": "DB_PASSWORD", "value": "X". 0 where there is none.
func valueMember(text string, at int) int {
	i := at
	for i < len(text) && i < at+24 && strings.IndexByte(" \t\r\n,\"'\\n", text[i]) >= 0 {
		i++
	}
	if i == at || !strings.HasPrefix(text[i:], "value") {
		return 0
	}
	i += len("value")
	for i < len(text) && strings.IndexByte("\"'\\", text[i]) >= 0 {
		i++
	}
	i = skipBlanks(text, i)
	if i < len(text) && (text[i] == ':' || text[i] == '=') {
		return i + 1
	}
	return 0
}

// lineBelow is where the line begins that stands below a sentence which ends in a
// colon, a blank line between. 0 where there is none.
func lineBelow(text string, at int) int {
	rest := text[at:min(len(text), at+lookBelow)]
	colon := strings.IndexAny(rest, ":\n.")
	if colon < 0 || rest[colon] != ':' {
		return 0
	}
	under := strings.TrimLeft(rest[colon+1:], " \r")
	if !strings.HasPrefix(under, "\n") {
		return 0
	}
	return at + len(rest) - len(strings.TrimLeft(under, "\n\r \t"))
}
