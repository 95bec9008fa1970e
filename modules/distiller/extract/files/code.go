package files

import (
	"fmt"
	"slices"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/paths"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Code left unfinished, from the text of edits that went through:
//
//   - a comment that says that something is left to do (see package syntax), which this session added and did not take away;
//   - a file that no longer parses after its last edit and did before.
type Code struct {
	notes  []codeNote
	broken []codeNote
}

type codeNote struct {
	path string
	text string
	src  distiller.Source
}

const maxCodeNotes = 12

// Add takes one more event.
func (c *Code) Add(e *timeline.Event) {
	if e.Kind == transcript.Result && e.ToolCall != nil && len(c.notes)+len(c.broken) > 0 && timeline.Passed(e) {
		c.moves(e)
	}
	if e.Kind != transcript.Result || e.ToolCall == nil || e.ToolCall.Code == nil || !timeline.Passed(e) {
		return
	}
	info := e.ToolCall.Code
	p := e.Paths.Rel(info.Path, e.ToolCall.Info.Cwd)
	if p == "" {
		return
	}
	rewritten := e.ToolCall.Info.Meaning == transcript.Write // its whole text: what it adds is all there is
	c.notes = slices.DeleteFunc(c.notes, func(n codeNote) bool { return n.path == p && (rewritten || slices.Contains(info.Gone, n.text)) })
	for _, text := range info.Added {
		c.notes = bounded.Limit(append(c.notes, codeNote{p, prose.OneLine(text), e.ToolCall.Source}), maxCodeNotes)
	}
	if info.Whole {
		c.broken = slices.DeleteFunc(c.broken, func(n codeNote) bool { return n.path == p })
		if info.Broken {
			c.broken = bounded.Limit(append(c.broken, codeNote{path: p, src: e.ToolCall.Source}), maxCodeNotes)
		}
	}
}

// moves forgets the notes of files that commands removed, and takes those of renamed ones along.
func (c *Code) moves(e *timeline.Event) {
	list := e.ToolCall.Changes
	for i, change := range list {
		dir := e.FolderOf(change.Dir)
		p, from := e.Paths.Rel(change.Path, dir), e.Paths.Rel(change.From, dir)
		switch {
		case change.Kind == paths.Delete && (i+1 == len(list) || list[i+1].From != change.Path):
			of := func(n codeNote) bool { return n.path == p }
			c.notes, c.broken = slices.DeleteFunc(slices.Clone(c.notes), of), slices.DeleteFunc(slices.Clone(c.broken), of)
		case change.From != "" && p != "":
			c.notes, c.broken = renamed(c.notes, from, p), renamed(c.broken, from, p)
		}
	}
}

// renamed are notes with another name for a file.
func renamed(notes []codeNote, from, to string) []codeNote {
	out := slices.Clone(notes)
	for i := range out {
		if out[i].path == from {
			out[i].path = to
		}
	}
	return out
}

// Left are the notes that are still there, newest first; one that stands in a file
// more than once is listed once.
func (c *Code) Left() []distiller.Statement {
	var out []distiller.Statement
	times := map[[2]string]int{}
	for _, n := range c.notes {
		times[[2]string{n.path, n.text}]++
	}
	for _, n := range slices.Backward(c.notes) {
		key := [2]string{n.path, n.text}
		text := "left in " + n.path + ": " + prose.Clip(n.text, 150)
		switch {
		case times[key] == 0:
			continue // the newer one says it
		case times[key] > 1:
			text += fmt.Sprintf(" (%d times)", times[key])
		}
		times[key] = 0
		out = append(out, distiller.Statement{Text: text, Source: n.src})
	}
	return out
}

// Unparsed are the files left broken.
func (c *Code) Unparsed() []distiller.Statement {
	var out []distiller.Statement
	for _, n := range slices.Backward(c.broken) {
		out = append(out, distiller.Statement{Text: n.path + " does not parse since its last edit", Source: n.src})
	}
	return out
}
