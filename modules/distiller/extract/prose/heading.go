package prose

import (
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// above is what stands above a line of a text: a heading, or a line that leads to what follows it,
// and then the heading above that.
type above struct {
	heading string
	loose   bool // it is such a line
	led     bool // it ends in a colon, and nothing stands below it yet
	of      string
}

// passes says that a code block stood here: what leads to that heads nothing behind it, unless it names
// where the code stands.
func (a *above) passes() {
	switch {
	case a.loose:
		a.heading, a.loose = a.of, false
	case a.led && !strings.Contains(a.heading, "`"):
		*a = above{}
	}
}

// takes says that a line is a heading, or begins or ends a part of the text, and remembers it.
// Nothing stands below a last line.
func (a *above) takes(line string, last bool) bool {
	if partTag.MatchString(line) {
		*a = above{}
		return true
	}
	h, ok := HeadingOf(line)
	if !ok || last {
		return false
	}
	a.led = strings.HasSuffix(strings.TrimRight(line, "*"), ":")
	if a.heading, a.loose = h, !strings.HasPrefix(line, "#") && !strings.Contains(line, "**"); !a.loose {
		a.of = h
	}
	return true
}

// partTag is a line that begins or ends a part of a text: "<summary>".
var partTag = lazyregexp.New(`^</?[a-z][a-z_-]*>$`)

// HeadingOf recognises "## Next steps", "**Next steps**" and "Next steps:". A
// sentence set in bold is none.
func HeadingOf(line string) (string, bool) {
	if rest := strings.TrimLeft(line, "#"); rest != line && strings.HasPrefix(rest, " ") {
		return strings.TrimRight(Plain(rest), ":："), true
	}
	bare := strings.TrimSuffix(strings.TrimSpace(line), ":")
	bold := strings.HasPrefix(bare, "**") && (strings.HasSuffix(bare, "**") || strings.HasSuffix(bare, ":**")) && strings.Count(bare, "**") == 2 && !isSentence(Plain(bare))
	if bold || (bare != line && len(strings.Fields(bare)) <= 8 && !IsBullet(line)) {
		return strings.TrimSuffix(Plain(bare), ":"), true
	}
	return "", false
}

func isSentence(s string) bool {
	return strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "。")
}
