package render

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// SchemaVersion is the version of Document that this code writes.
const SchemaVersion = 1

// Document is a handoff as other programs read it. Lists are never null,
// unknown scalars are absent, session and path stand once at the top and are
// left out of every source, times are RFC 3339 in UTC with milliseconds.
type Document struct {
	Schema   int       `json:"schema"`
	Tool     string    `json:"tool"`
	Session  string    `json:"session"`
	Project  string    `json:"project,omitempty"`
	Path     string    `json:"path,omitempty"`
	Updated  string    `json:"updated,omitempty"` // time of the last event
	Text     string    `json:"text"`
	Lines    int       `json:"lines"` // newlines of Text
	Chars    int       `json:"chars"` // runes
	Bytes    int       `json:"bytes"`
	Facts    FactList  `json:"facts"`
	Coverage *Coverage `json:"coverage,omitempty"`
}

// FactList is distiller.Facts without what stands at the top of the Document.
type FactList struct {
	Title       string                `json:"title,omitempty"`
	Civil       bool                  `json:"civil,omitempty"` // Updated is the clock of an unknown zone
	Worked      bool                  `json:"worked"`
	Turn        *distiller.Turn       `json:"turn,omitempty"`
	Task        *distiller.Task       `json:"task,omitempty"`
	Requests    []distiller.Request   `json:"requests"`
	Git         *distiller.Git        `json:"git,omitempty"`
	Progress    []distiller.Progress  `json:"progress"`
	Files       []distiller.File      `json:"files"`
	Named       []distiller.Named     `json:"named"`
	Failures    []distiller.Failure   `json:"failures"`
	Decisions   []distiller.Decision  `json:"decisions"`
	Constraints []distiller.Statement `json:"constraints"`
	Actions     []distiller.Action    `json:"actions"`
	Questions   []distiller.Statement `json:"questions"`
	Next        *distiller.Statement  `json:"next,omitempty"`
	Verify      []distiller.Statement `json:"verify"`
	References  []distiller.Statement `json:"references"`
	Usage       *distiller.Usage      `json:"usage,omitempty"`
}

// Coverage is how much of a transcript was read.
type Coverage struct {
	Records      int64            `json:"records"`
	Read         int64            `json:"read"`
	Skipped      int64            `json:"skipped"`
	Unknown      int64            `json:"unknown"`
	UnknownTypes map[string]int64 `json:"unknown_types"`
}

// CoverageOf sums a reader's coverage over the tool's versions. Broken and
// over-long records were neither read nor skipped on purpose: they count as
// unknown, under names of their own.
func CoverageOf(c transcript.Coverage) *Coverage {
	out := &Coverage{Records: c.Records, Read: c.Read, Skipped: c.Skipped, UnknownTypes: map[string]int64{}}
	for _, types := range c.Unknown {
		for name, n := range types {
			out.UnknownTypes[name] += n
		}
	}
	if c.Broken > 0 {
		out.UnknownTypes["(broken)"] += c.Broken
	}
	if c.TooLong > 0 {
		out.UnknownTypes["(too long)"] += c.TooLong
	}
	for _, n := range out.UnknownTypes {
		out.Unknown += n
	}
	return out
}

// NewDocument joins facts and their text. Coverage may be nil when no
// transcript was read for it.
func NewDocument(f distiller.Facts, text Text, project, path string, coverage *Coverage) Document {
	return Document{
		Schema: SchemaVersion, Tool: f.Tool, Session: f.Session, Project: project, Path: path, Updated: millis(f.Updated),
		Text: string(text), Lines: text.Lines(), Chars: text.Chars(), Bytes: text.Bytes(),
		Facts: list(f), Coverage: coverage,
	}
}

// millis formats a time; an unknown one is absent.
func millis(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

func list(f distiller.Facts) FactList {
	place := func(src *distiller.Source) { // what the top already says
		if src.Session == f.Session {
			src.Session = ""
		}
		if src.Tool == f.Tool {
			src.Tool = ""
		}
		src.Path = ""
	}
	out := FactList{
		Title: f.Title, Civil: f.Civil, Git: f.Git, Usage: f.Usage, Worked: f.Worked,
		Requests: placed(f.Requests, func(r *distiller.Request) {
			place(&r.Source)
			r.Concluded = placed(r.Concluded, func(c *distiller.Statement) { place(&c.Source) })
		}),
		Progress:    placed(f.Progress, func(p *distiller.Progress) { place(&p.Source) }),
		Files:       placed(f.Files, func(p *distiller.File) { place(&p.Source) }),
		Named:       placed(f.Named, func(p *distiller.Named) { place(&p.Source) }),
		Failures:    placed(f.Failures, func(p *distiller.Failure) { place(&p.Source) }),
		Constraints: placed(f.Constraints, func(p *distiller.Statement) { place(&p.Source) }),
		Actions:     placed(f.Actions, func(p *distiller.Action) { place(&p.Source) }),
		Questions:   placed(f.Questions, func(p *distiller.Statement) { place(&p.Source) }),
		Verify:      placed(f.Verify, func(p *distiller.Statement) { place(&p.Source) }),
		References:  placed(f.References, func(p *distiller.Statement) { place(&p.Source) }),
		Decisions: placed(f.Decisions, func(d *distiller.Decision) {
			place(&d.Source)
			d.Options, d.Chosen, d.Rejected = full(d.Options), full(d.Chosen), full(d.Rejected)
		}),
	}
	if f.Turn != nil {
		turn := *f.Turn
		place(&turn.Source)
		turn.Last = slices.Clone(turn.Last)
		for i := range turn.Last {
			place(&turn.Last[i].Source)
		}
		if turn.Asked != nil {
			asked := *turn.Asked
			place(&asked.Source)
			turn.Asked = &asked
		}
		out.Turn = &turn
	}
	if f.Task != nil {
		task := *f.Task
		place(&task.Source)
		out.Task = &task
	}
	if f.Next != nil {
		next := *f.Next
		place(&next.Source)
		out.Next = &next
	}
	return out
}

// placed copies a list, never nil, and lets fix change each copy.
func placed[T any](in []T, fix func(*T)) []T {
	out := full(slices.Clone(in))
	for i := range out {
		fix(&out[i])
	}
	return out
}

// full is a list that is not null in JSON.
func full[T any](in []T) []T {
	if in == nil {
		return []T{}
	}
	return in
}

// JSON is the document as one object, with a newline at its end.
func (d Document) JSON() ([]byte, error) {
	b, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	return append(b, '\n'), nil
}
