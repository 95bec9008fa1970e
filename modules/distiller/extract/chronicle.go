package extract

import (
	"path"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/dialogue"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// planRules keep the plans of a session: what the agent proposed as a plan,
// with the title of it. Plan documents are found among the files.
type planRules struct {
	proposed []distiller.Plan
	absent   []distiller.Design // designs that were looked for and not found
}

const maxPlans = 6

func (p *planRules) Add(e *timeline.Event) {
	if e.Kind == transcript.Result && e.ToolCall != nil && !e.Subagent {
		p.lookedFor(e)
		return
	}
	if e.Kind != transcript.Plan || e.Subagent || strings.TrimSpace(e.Text) == "" {
		return
	}
	name := dialogue.PlanTitle(e.Text)
	p.proposed = slices.DeleteFunc(p.proposed, func(k distiller.Plan) bool { return k.Name == name })
	p.proposed = bounded.Limit(append(p.proposed, distiller.Plan{Name: name, Source: e.Source}), maxPlans)
}

// lookedFor notes a design that a call wanted to read and that is not there.
func (p *planRules) lookedFor(e *timeline.Event) {
	if e.ToolCall.Info.Meaning != transcript.Read || !timeline.Failed(e) {
		return
	}
	for _, raw := range e.ToolCall.Info.Paths {
		file := e.Paths.Rel(raw, e.ToolCall.Info.Cwd)
		if !designFile.MatchString(file) {
			continue
		}
		p.absent = slices.DeleteFunc(p.absent, func(d distiller.Design) bool { return d.Path == file })
		p.absent = bounded.Limit(append(p.absent, distiller.Design{Path: file, Sought: true, Source: e.ToolCall.Source}), maxPlans)
	}
}

// What a plan and a design are called as files.
var (
	planFile   = lazyregexp.New(`(?i)(?:^|/)(?:plans?/(?:[^/]+/)*[^/]+|[^/]*\bplan\b[^/]*|todo|tasks?|roadmap)\.(?:md|txt|rst|org)$`)
	designFile = lazyregexp.New(`(?i)(?:^|/)(?:(?:designs?|specs?|specifications?|rfcs?|adrs?|architecture|decisions)/[^/]+|[^/]*(?:design|spec|specification|architecture|rfc|adr)[^/]*)\.(?:md|txt|rst|org|adoc)$`)
)

// maxChronicle is how many files of each kind the long account lists.
const maxChronicle = 200

// Chronicle is the long account as of the last event.
func (s *State) Chronicle() distiller.Chronicle {
	c := distiller.Chronicle{Facts: s.Facts()}
	for _, e := range s.files.Sorted() {
		file := distiller.File{Path: e.Path, Change: e.Change, Turn: max(0, s.turn-e.Turn), Tests: e.Tests, Symbols: e.Symbols, Source: e.Source}
		switch {
		case e.EditSeq == 0 && len(c.Read) < maxChronicle:
			c.Read = append(c.Read, file)
		case e.EditSeq != 0 && len(c.Modified) < maxChronicle:
			c.Modified = append(c.Modified, file)
		}
		switch base := path.Base(e.Path); {
		case planFile.MatchString(e.Path) && len(c.Plans) < maxPlans:
			c.Plans = append(c.Plans, distiller.Plan{Name: base, Path: e.Path, Missing: e.Change == "delete", Source: e.Source})
		case designFile.MatchString(e.Path) && len(c.Designs) < maxPlans:
			c.Designs = append(c.Designs, distiller.Design{Path: e.Path, Missing: e.Change == "delete", Source: e.Source})
		}
	}
	for _, d := range s.plans.absent {
		if s.files.ByPath[d.Path] == nil && len(c.Designs) < maxPlans { // else it was found, or written, at another time
			c.Designs = append(c.Designs, d)
		}
	}
	c.Plans = append(s.plans.all(&s.progress, s.tool), c.Plans...)
	return c
}

// all are the proposed plans, the newest with the steps of the tool's own list.
func (p *planRules) all(steps *progressRules, tool string) []distiller.Plan {
	out := slices.Clone(p.proposed)
	if len(steps.items) == 0 {
		return out
	}
	done := 0
	for _, item := range steps.items {
		if item.State == "done" {
			done++
		}
	}
	if n := len(out); n > 0 {
		out[n-1].Done, out[n-1].Total = done, len(steps.items)
		return out
	}
	return []distiller.Plan{{Name: "steps kept in " + tool, Done: done, Total: len(steps.items), Source: steps.src}}
}
