// Package render turns facts into text. The same facts always give the same
// bytes, and every text keeps its bounds whatever the facts hold.
package render

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/internal/width"
)

// Shape says to whom the handoff speaks.
type Shape string

// The shapes. All but Human are the handoff of the protocol.
const (
	Agent      Shape = "agent"      // another agent; also the zero value
	Self       Shape = "self"       // oneself, at the end of a day
	Compaction Shape = "compaction" // the same session after its context was compacted
	Human      Shape = "human"      // a person: prose order, no protocol header
)

// Options shape a handoff. The zero value is the file's text in mode Ask.
type Options struct {
	Mode    Mode
	Shape   Shape
	Trigger Trigger         // of the compaction, for Shape Compaction
	Session string          // how the session is named in "carryover show"; "" takes it from the facts
	Explain bool            // put `tool session:line` at the end of every line
	Trail   distiller.Trail // how the session ends, for Shape Self
}

// Text is a rendered handoff. It ends with a newline.
type Text string

// Lines counts newlines, Chars runes and Bytes bytes.
func (t Text) Lines() int { return strings.Count(string(t), "\n") }

// Chars is the length in runes.
func (t Text) Chars() int { return utf8.RuneCountInString(string(t)) }

// Bytes is the length in bytes of UTF-8.
func (t Text) Bytes() int { return len(t) }

// Parts are the two halves of a handoff: restore puts another head before the
// same body.
type Parts struct {
	Head string // the header of the mode; empty for a person
	Body string // from "## Task" to the end
}

// Handoff renders facts within 46 lines, 8,000 bytes and 240 characters a
// line.
func Handoff(f distiller.Facts, o Options) Text {
	p := Split(f, o)
	return Text(p.Head + p.Body)
}

// Split renders the header and the body apart.
func Split(f distiller.Facts, o Options) Parts {
	if o.Shape == Human {
		return Parts{Body: human(f, o)}
	}
	head := Head(f, o.Mode)
	if o.Shape == Compaction {
		head = SeamHead(f, o.Trigger, "")
	}
	return Parts{Head: head, Body: body(f, o, roomFor(f))}
}

// room is what a body may use.
type room struct{ lines, bytes int }

// roomFor leaves room for the largest header that may be put before the body,
// so that the body is the same bytes in every mode.
func roomFor(f distiller.Facts) room {
	lines, bytes := 0, 0
	for _, h := range []string{Head(f, Ask), Head(f, Brief), Head(f, Silent), SeamHead(f, Auto, strings.Repeat("…", 200))} {
		l, b, _ := size(h)
		lines, bytes = max(lines, l), max(bytes, b)
	}
	return room{maxFileLines - lines, maxFileBytes - bytes}
}

func body(f distiller.Facts, o Options, r room) string {
	ref := shortRef(fallback(o.Session, f.Session))
	all := sections(f)
	if o.Shape == Self {
		all = addSelf(all, f, o.Trail)
	}
	prepare(all, f, o)
	footer := fullHistory(f, ref)
	footLines, footBytes, _ := size(footer)
	more := moreText(ref)
	kept, left := fit(all, r.lines-footLines, r.bytes-footBytes, more)
	var b strings.Builder
	for i, s := range all {
		if s.title == "Task" {
			s, kept[i] = withParts(s, kept[i], f, left, more)
		}
		s, n := tightened(s, kept[i], func(l *line) { finish(l, f, o) })
		writeSection(&b, s, n, more)
	}
	b.WriteString(footer)
	return b.String()
}

// prepare packs the lines of all sections and finishes them.
func prepare(all []section, f distiller.Facts, o Options) {
	for i := range all {
		all[i].lines = joined(all[i].lines, all[i].pack)
		for j := range all[i].lines {
			finish(&all[i].lines[j], f, o)
		}
	}
}

// finish bounds the width of a line and, where it is wanted, puts its places behind it.
func finish(l *line, f distiller.Facts, o Options) {
	l.text = width.Truncate(l.text, maxWidth)
	if o.Explain {
		l.text = withMore(l.text, explain(f, *l))
	}
}

// writeSection writes the lines of a section that found room; one of them counts
// those that did not.
func writeSection(b *strings.Builder, s section, kept int, more func(int) string) {
	if kept == 0 {
		return
	}
	fmt.Fprintf(b, "## %s\n", s.title)
	lines := slices.Clone(s.lines[:kept])
	slices.SortStableFunc(lines, func(a, b line) int { return order(a.below) - order(b.below) })
	if left := len(s.lines) - kept; left > 0 {
		count := more(left)
		at := roomiest(lines, utf8.RuneCountInString(count), s.lines[kept].torn)
		lines[at].text = withMore(lines[at].text, count)
	}
	for _, l := range lines {
		b.WriteString(inner(l.text) + "\n")
	}
}

// roomiest is the last line that has room for so many runes more; without one
// the last line gives way, as does one that is cut: it goes on where the room ends.
func roomiest(lines []line, n int, cut bool) int {
	last := len(lines) - 1
	for last > 0 && lines[last].below {
		last--
	}
	for i := last; i >= 0 && !cut; i-- {
		if i < last && lines[i+1].torn {
			continue // in the middle of a text
		}
		if utf8.RuneCountInString(lines[i].text)+n <= maxWidth {
			return i
		}
	}
	return last
}

func order(below bool) int {
	if below {
		return 1
	}
	return 0
}

// maxMarks is how many entries of one line name their place.
const maxMarks = 3

// explain names the places of what stands on a line: tool, session and line, of
// each entry.
func explain(f distiller.Facts, l line) string {
	marks, n := "", 0
	for _, src := range append([]distiller.Source{l.source}, l.shared...) {
		if src.Line == 0 || n == maxMarks {
			continue
		}
		mark := fmt.Sprintf(" ‹%s %s:%d›", width.Truncate(clean(fallback(src.Tool, f.Tool)), 20), shortRef(fallback(src.Session, f.Session)), src.Line)
		if !strings.Contains(marks, mark) {
			marks += mark
			n++
		}
	}
	return marks
}

func fullHistory(f distiller.Facts, ref string) string {
	return fmt.Sprintf("## Full history\nSee: .carryover/ledger.md · carryover show %s · ~/.carryover/ledger.sqlite (session %s)\n",
		ref, width.Truncate(clean(f.Session), 80))
}

// ErrBounds says that a text to be sent breaks the bounds of an injection.
var ErrBounds = errors.New("handoff exceeds its bounds")

// Compose joins what one hook answer injects: a header, up to four lines of
// what changed since, and a body. Since lines are cut to their room; the bytes
// returned are counted and ErrBounds comes back, with no text, when they are
// over 50 lines, 9,000 bytes or 240 characters a line.
func Compose(head string, since []string, body string) (string, error) {
	var b strings.Builder
	b.WriteString(head)
	left := maxSinceSize
	for _, s := range since[:min(len(since), maxSince)] {
		s = inner(width.Truncate(clean(s), maxWidth))
		if s == "" || len(s)+1 > left {
			continue
		}
		left -= len(s) + 1
		b.WriteString(s + "\n")
	}
	b.WriteString(body)
	text := b.String()
	if lines, bytes, width := size(text); lines > maxLines || bytes > maxBytes || width > maxWidth {
		return "", fmt.Errorf("%w: %d lines, %d bytes, longest line %d characters", ErrBounds, lines, bytes, width)
	}
	if text != "" && (text[0] == '[' || text[0] == '{') {
		return "", fmt.Errorf("%w: begins like JSON", ErrBounds)
	}
	return text, nil
}
