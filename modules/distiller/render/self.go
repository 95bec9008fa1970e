package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
)

// addSelf puts where one stopped behind the task: what one was about to do, the
// calls without a result, what one left running. It is for Shape Self alone.
func addSelf(all []section, f distiller.Facts, trail distiller.Trail) []section {
	stopped := section{title: "Where you stopped", lines: selfLines(f, trail), weight: 950, decay: .98}
	if len(stopped.lines) == 0 {
		return all
	}
	at := slices.IndexFunc(all, func(s section) bool { return s.title == "Task" }) + 1
	return slices.Insert(all, at, stopped)
}

func selfLines(f distiller.Facts, trail distiller.Trail) []line {
	var out []line
	if f.Next != nil {
		out = append(out, line{text: "- You were about to: " + clean(f.Next.Text), source: f.Next.Source})
	}
	var open []string
	var first distiller.Source
	for _, call := range trail.Calls {
		if call.Outcome != "" {
			continue
		}
		if len(open) == 0 {
			first = call.Source
		}
		open = append(open, code(call.What, 90))
	}
	if len(open) > 0 {
		out = append(out, line{text: "- Open calls: " + strings.Join(open, " · ") + " (no result yet; check the effect first)", source: first})
	}
	var left []string
	for _, job := range trail.Jobs {
		name := code(job.What, 60)
		if job.Process > 0 {
			name += fmt.Sprintf(" (process %d)", job.Process)
		}
		left = append(left, name)
	}
	if len(left) > 0 {
		out = append(out, line{text: "- Left running: " + strings.Join(left, " · "), source: trail.Jobs[0].Source})
	}
	return out
}
