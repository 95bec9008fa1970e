// Package plans keeps what the agent proposed as a plan, and the designs that were
// looked for.
package plans

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/dialogue"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Plans are the plans of a session: what the agent proposed as a plan, with the
// title of it. Plan documents are found among the files.
type Plans struct {
	proposed []distiller.Plan
	Absent   []distiller.Design // designs that were looked for and not found
}

// Max is how many plans and how many designs are kept.
const Max = 6

// Add takes one more event.
func (p *Plans) Add(e *timeline.Event) {
	if e.Kind == transcript.Result && e.ToolCall != nil && !e.Subagent {
		p.lookedFor(e)
		return
	}
	if e.Kind != transcript.Plan || e.Subagent || strings.TrimSpace(e.Text) == "" {
		return
	}
	name := dialogue.PlanTitle(e.Text)
	p.proposed = slices.DeleteFunc(p.proposed, func(k distiller.Plan) bool { return k.Name == name })
	p.proposed = bounded.Limit(append(p.proposed, distiller.Plan{Name: name, Source: e.Source}), Max)
}

// lookedFor notes a design that a call wanted to read and that is not there.
func (p *Plans) lookedFor(e *timeline.Event) {
	if e.ToolCall.Info.Meaning != transcript.Read || !timeline.Failed(e) {
		return
	}
	for _, raw := range e.ToolCall.Info.Paths {
		file := e.Paths.Rel(raw, e.ToolCall.Info.Cwd)
		if !DesignFile.MatchString(file) {
			continue
		}
		p.Absent = slices.DeleteFunc(p.Absent, func(d distiller.Design) bool { return d.Path == file })
		p.Absent = bounded.Limit(append(p.Absent, distiller.Design{Path: file, Sought: true, Source: e.ToolCall.Source}), Max)
	}
}

// What a plan and a design are called as files.
var (
	File       = lazyregexp.New(`(?i)(?:^|/)(?:plans?/(?:[^/]+/)*[^/]+|[^/]*\bplan\b[^/]*|todo|tasks?|roadmap)\.(?:md|txt|rst|org)$`)
	DesignFile = lazyregexp.New(`(?i)(?:^|/)(?:(?:designs?|specs?|specifications?|rfcs?|adrs?|architecture|decisions)/[^/]+|[^/]*(?:design|spec|specification|architecture|rfc|adr)[^/]*)\.(?:md|txt|rst|org|adoc)$`)
)

// All are the proposed plans, the newest with the steps of the tool's own list.
func (p *Plans) All(steps []transcript.Item, source distiller.Source, tool string) []distiller.Plan {
	out := slices.Clone(p.proposed)
	if len(steps) == 0 {
		return out
	}
	done := 0
	for _, item := range steps {
		if item.State == "done" {
			done++
		}
	}
	if n := len(out); n > 0 {
		out[n-1].Done, out[n-1].Total = done, len(steps)
		return out
	}
	return []distiller.Plan{{Name: "steps kept in " + tool, Done: done, Total: len(steps), Source: source}}
}
