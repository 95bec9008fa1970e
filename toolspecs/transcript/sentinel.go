package transcript

import "strings"

// Ours says that a text is Carryover's own, come back: it begins with the
// Sentinel, also behind the line number a tool puts before a file's first line.
func Ours(text string) bool {
	head := strings.TrimLeft(text[:min(len(text), 64)], " \t\r\n0123456789→:|")
	return strings.HasPrefix(head, Sentinel)
}

// Foreign is the text unless it is Carryover's own.
func Foreign(text string) string {
	if Ours(text) {
		return ""
	}
	return text
}

// Restated begins a prompt whose own words the tool did not write down. What follows are
// the words with which the agent took it up.
const Restated = "[by a comment in the code; the answer begins:] "
