package statements

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/dialogue"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Recaps are what the tool itself wrote: they are quoted with source and age,
// and never taken for facts.
//
//   - Of each kind the newest is kept, and shown as long as nobody has asked for
//     anything since.
//   - Of the summary of a compaction the first section is taken: tools begin
//     with what is wanted. Sections are known by their form.
type Recaps struct {
	newest []recap
}

// recap is one with the turn it was written in.
type recap struct {
	distiller.Recap
	turn int
}

const (
	compactionSummary = "compaction summary"
	maxRecap          = 300 // runes
	maxRecaps         = 2
)

// Add takes one more event.
func (r *Recaps) Add(e *timeline.Event) {
	if e.Subagent {
		return
	}
	switch e.Kind {
	case transcript.Recap:
		r.keep(e, string(e.Recap), leadOf(e.Text))
	case transcript.Compacted:
		aim := dialogue.FirstSection(e.Text)
		if aim == "" {
			return
		}
		r.keep(e, compactionSummary, aim)
	}
}

// keep replaces the recap of the same kind.
func (r *Recaps) keep(e *timeline.Event, what, text string) {
	if text == "" {
		return
	}
	r.newest = slices.DeleteFunc(slices.Clone(r.newest), func(old recap) bool { return old.What == what })
	r.newest = append(r.newest, recap{distiller.Recap{What: what, Text: prose.Clip(text, maxRecap), Time: e.Time, Source: e.Source}, e.Turn})
}

// Facts are the newest recaps of the turn that goes on, newest first.
func (r *Recaps) Facts(turn int) []distiller.Recap {
	var out []distiller.Recap
	for i := len(r.newest) - 1; i >= 0 && len(out) < maxRecaps; i-- {
		if r.newest[i].turn == turn {
			out = append(out, r.newest[i].Recap)
		}
	}
	return out
}

// leadOf is a recap as one line: of a plan its title.
func leadOf(text string) string {
	for line := range strings.Lines(text) {
		if title, found := strings.CutPrefix(line, "# "); found {
			return prose.OneLine(title)
		}
		break
	}
	return prose.OneLine(text)
}
