package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/internal/width"
)

// humanTitles are the sections in the order a person asks for them: what was
// it about, how far did it get, what is next, what stands in the way. The others
// follow under their own titles.
var humanTitles = []struct{ section, title string }{
	{"Task", "What it is about"},
	{"Progress", "How far it is"},
	{"Next action", "What comes next"},
	{"Open questions", "What is open"},
	{"Verify first", "What to check"},
	{"Failed approaches", "What did not work"},
	{"Commands that work here", "Which commands work"},
	{"Decisions", "What was decided"},
	{"Constraints", "What to keep to"},
	{"Action items", "Who does what"},
	{"Recent files", "Where it happened"},
	{"To undo", "What to undo"},
	{"References", "Where to read more"},
}

// human renders the same facts for a person, without the protocol.
func human(f distiller.Facts, o Options) string {
	ref := shortRef(fallback(o.Session, f.Session))
	intro := fmt.Sprintf("%s, last event %s", width.Truncate(fallback(clean(f.Tool), "unknown tool"), 40), stamp(f))
	if f.Title != "" {
		intro = width.Truncate(clean(f.Title), 120) + " — " + intro
	}
	if f.Git != nil && f.Git.Branch != "" {
		intro += ", branch " + width.Truncate(clean(f.Git.Branch), 60)
	}
	intro = width.Truncate(strings.TrimLeft(intro, "[{"), maxWidth) + "\n"
	all := sections(f)
	prepare(all, f, o)
	footer := "All of it: carryover show " + ref + "\n"
	more := moreText(ref)
	kept, _ := fit(all, maxFileLines-2, maxFileBytes-len(intro)-len(footer)-len(humanTitles)*20, more)
	var b strings.Builder
	b.WriteString(intro)
	written := make([]bool, len(all))
	for _, h := range humanTitles {
		i := slices.IndexFunc(all, func(s section) bool { return s.title == h.section })
		if i < 0 {
			continue
		}
		s := all[i]
		s.title = h.title
		writeSection(&b, s, kept[i], more)
		written[i] = true
	}
	for i, s := range all {
		if !written[i] {
			writeSection(&b, s, kept[i], more)
		}
	}
	b.WriteString(footer)
	return b.String()
}
