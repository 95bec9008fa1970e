package statements

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/words"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Findings are what a review found: a list of which each entry names a line of a
// file ("cart.go:12") and begins with a grade. It may stand in a reply, in a
// subagent's answer or in what the person pasted.
//
//   - A list of files that this request has changed before is a report and none.
//   - A finding is handled once its file is changed.
//   - What is left is listed once one of them is handled: then they are being worked
//     off, and the list is no mere account of the code. Some requests later
//     nobody means to handle the rest.
type Findings struct {
	list    []finding
	begun   bool // one of the list is handled
	turn    int  // requests before the list
	of      int  // event that began the request in which it was made
	changed map[string]bool
	request int // whose changed files those are
}

type finding struct {
	distiller.Statement
	file string
}

const (
	maxFindings   = 12
	shownFindings = 6
	fewFindings   = 2 // entries that make a list
)

var placed = lazyregexp.New(`([\w@./-]*\w\.[A-Za-z]\w{0,4}):(\d{1,5})\b`)

// Add takes one more event.
func (f *Findings) Add(e *timeline.Event) {
	if e.RequestSeq != f.request {
		f.request, f.changed = e.RequestSeq, nil
	}
	switch {
	case e.Kind == transcript.Prompt && e.Relation == timeline.Begins && !e.Subagent:
		f.list = nil
		f.read(e, prose.Statements(e.Text))
	case e.Kind == transcript.Prompt && !e.Subagent && timeline.OwnWords(e.Located):
		f.read(e, prose.Statements(e.Text))
	case e.Kind == transcript.Reply && !e.Subagent:
		f.read(e, e.Said)
	case e.Kind == transcript.Result && e.ToolCall != nil && !e.ToolCall.Subagent:
		if e.ToolCall.Info.Meaning == transcript.Subagent && !timeline.Failed(e) {
			f.read(e, prose.Statements(prose.Excerpt(e.Result.Text)))
		}
		f.handled(e)
	}
}

// read takes the findings of a text, if it lists some.
func (f *Findings) read(e *timeline.Event, said []prose.Statement) {
	var found []finding
	for _, s := range said {
		m := placed.FindStringSubmatch(s.Text)
		if m == nil || !s.Bullet || !graded(s, e.Lexicon) || s.State == "done" || strings.ContainsAny(s.Text, "✓✅✔") || len(found) == maxFindings {
			continue
		}
		if f.touched(m[1]) {
			return
		}
		found = append(found, finding{distiller.Statement{Text: prose.Clip(s.Text, 200), Source: e.Source}, m[1]})
	}
	if len(found) >= fewFindings {
		f.list, f.begun, f.turn, f.of = found, false, e.Turn, e.RequestSeq
	}
}

// graded says that an entry begins with how bad it is.
func graded(s prose.Statement, lex *words.Lexicon) bool {
	return lex.In(words.Grave, prose.Clip(s.Text, gradeRunes))
}

// gradeRunes is where in an entry its grade stands.
const gradeRunes = 24

func (f *Findings) touched(file string) bool {
	for p := range f.changed {
		if sameFile(p, file) {
			return true
		}
	}
	return false
}

// sameFile says that one path ends with the other.
func sameFile(a, b string) bool {
	return a == b || strings.HasSuffix(a, "/"+b) || strings.HasSuffix(b, "/"+a)
}

// handled takes off the findings in a file that was changed.
func (f *Findings) handled(e *timeline.Event) {
	if !timeline.Happened(e) {
		return
	}
	for _, p := range timeline.ChangedBy(e) {
		if f.changed == nil {
			f.changed = map[string]bool{}
		}
		if len(f.changed) < timeline.MaxChanged {
			f.changed[p] = true
		}
		left := slices.DeleteFunc(slices.Clone(f.list), func(k finding) bool { return sameFile(p, k.file) })
		f.begun = f.begun || len(left) < len(f.list)
		f.list = left
	}
}

// Facts are the findings that nothing has handled, in their order.
func (f *Findings) Facts(turn int) []distiller.Statement {
	if !f.begun || turn-f.turn > passing {
		return nil
	}
	var out []distiller.Statement
	for _, k := range f.list[:min(len(f.list), shownFindings)] {
		out = append(out, distiller.Statement{Text: "found, not handled: " + k.Text, Source: k.Source})
	}
	return out
}

// Of are the findings of a request that nothing has handled.
func (f *Findings) Of(request int) []distiller.Statement {
	if f.of != request || f.begun {
		return nil
	}
	var out []distiller.Statement
	for _, k := range f.list {
		out = append(out, k.Statement)
	}
	return out
}
