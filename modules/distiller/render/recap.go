package render

import (
	"fmt"
	"time"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/internal/width"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// subagentLines say whose session it is, where no user opened it.
func subagentLines(f distiller.Facts) []line {
	s := f.Subagent
	if s == nil {
		return nil
	}
	text := "This is the session of a subagent"
	if s.Internal {
		text = "The tool opened this session for itself; nobody asked for anything here"
	}
	if s.Agent != "" {
		text += " (" + clean(s.Agent) + ")"
	}
	if s.Of != "" {
		text += " of session " + shortRef(s.Of)
	}
	return []line{{text: width.Truncate(text+".", maxWidth)}}
}

// wordedBy says who worded a task that the user did not.
func wordedBy(by string) string {
	switch by {
	case distiller.ByAgent:
		return "Given by another agent: "
	case distiller.BySummary:
		return "From the tool's summary of an earlier session: "
	}
	return ""
}

// goalBy says who worded a goal that the user did not.
func goalBy(by string) string {
	switch by {
	case distiller.ByAgent:
		return "given by another agent: "
	case distiller.BySummary:
		return "by the tool's summary: "
	}
	return ""
}

// recapLines quote the tool's own notes with kind and age, on two lines at most.
func recapLines(f distiller.Facts) []line {
	var out []line
	for _, r := range f.Recaps {
		worth := 0.0
		if r.What == string(transcript.AwaySummary) { // it was written behind all the rest
			worth = reservedRecap
		}
		for i, text := range width.Wrap("- "+clean(r.What)+age(r.Time, f.Updated)+": "+quote(r.Text), maxWidth, 2) {
			out = append(out, line{text: text, source: r.Source, torn: i > 0, worth: worth})
		}
	}
	return out
}

// age is how long before the last event something was, in hours; nothing below
// an hour, or where a time is unknown.
func age(at, last time.Time) string {
	hours := int(last.Sub(at).Hours())
	switch {
	case at.IsZero() || last.IsZero() || hours < 1:
		return ""
	case hours == 1:
		return ", 1 hour before the last activity"
	case hours < 48:
		return fmt.Sprintf(", %d hours before the last activity", hours)
	}
	return fmt.Sprintf(", %d days before the last activity", hours/24)
}
