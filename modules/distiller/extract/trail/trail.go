// Package trail keeps the last steps of a session as they were, whatever they meant.
package trail

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/attempts"
	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/files"
	"github.com/carryover-go/carryover/modules/distiller/extract/output"
	"github.com/carryover-go/carryover/modules/distiller/extract/paths"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/verdict"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// What a trail keeps of each kind.
const (
	trailPrompts = 5
	trailCalls   = 15
	trailDirs    = 12
	trailWords   = 4 << 10 // bytes of one message
)

// Rules keep the person's messages, the calls with their outcome, the folders, the last
// compaction.
type Rules struct {
	prompts    []distiller.Statement
	Steps      []Step
	dirs       []string
	compaction *distiller.Compaction
	jobs       files.Jobs
	active     bool // something was done or said since the compaction
}

// Step is one call.
type Step struct {
	Call string // its id
	Step distiller.Step
}

// Add takes one more event.
func (t *Rules) Add(e *timeline.Event) {
	if e.Subagent {
		return
	}
	t.jobs.Add(e)
	switch e.Kind {
	case transcript.Prompt:
		t.said(e)
	case transcript.Call:
		t.called(e)
	case transcript.Result:
		t.resolve(e)
	case transcript.Reply:
		t.active = true
	case transcript.Compacted:
		t.compacted(e)
	case transcript.Turn:
		if t.compaction != nil && t.active {
			t.compaction.Ended = true
		}
	}
}

func (t *Rules) said(e *timeline.Event) {
	if e.Origin != transcript.Typed && e.Origin != transcript.Queued {
		return
	}
	t.active = true
	words := strings.TrimSpace(e.Text)
	if words == "" {
		return
	}
	t.prompts = bounded.Limit(append(t.prompts, distiller.Statement{Text: prose.Clip(words[:min(len(words), trailWords)], trailWords), Source: e.Source}), trailPrompts)
}

func (t *Rules) called(e *timeline.Event) {
	if e.ToolCall == nil {
		return
	}
	t.active = true
	step := distiller.Step{What: prose.Clip(shownCall(e), 200), Shell: e.ToolCall.Info.Meaning == transcript.Shell, Source: e.Source}
	t.Steps = bounded.Limit(append(t.Steps, Step{Call: e.ToolCall.Info.ID, Step: step}), trailCalls)
	for _, p := range e.ToolCall.Info.Paths {
		t.touched(path.Dir(absolute(p, e)))
	}
	if len(e.ToolCall.Info.Paths) == 0 && e.ToolCall.Info.Meaning == transcript.Shell {
		t.touched(absolute(".", e))
	}
}

// shownCall names a call with its paths as the handoff shows them.
func shownCall(e *timeline.Event) string {
	if info := e.ToolCall.Info; info.Command == "" && len(info.Paths) > 0 {
		if p := e.Paths.Rel(info.Paths[0], info.Cwd); p != "" {
			return info.Name + " " + p
		}
	}
	return e.ToolCall.What()
}

// absolute is a path of a call where the agent stood, "" when that is unknown.
func absolute(p string, e *timeline.Event) string {
	if paths.IsAbs(p) {
		return path.Clean(p)
	}
	cwd := e.ToolCall.Info.Cwd
	if cwd == "" {
		cwd = e.Paths.Cwd
	}
	if cwd == "" || strings.HasPrefix(p, "~") {
		return ""
	}
	return path.Join(cwd, p)
}

func (t *Rules) touched(dir string) {
	if !paths.IsAbs(dir) {
		return
	}
	t.dirs = slices.DeleteFunc(slices.Clone(t.dirs), func(d string) bool { return d == dir })
	t.dirs = bounded.Limit(append(t.dirs, dir), trailDirs)
}

func (t *Rules) resolve(e *timeline.Event) {
	if e.Result == nil {
		return
	}
	for i := range slices.Backward(t.Steps) {
		if s := &t.Steps[i]; s.Call == e.Result.CallID && s.Step.Outcome == "" {
			s.Step.Outcome, s.Step.Error = outcome(e)
			s.Step.Said = said(e)
			return
		}
	}
}

// outcome is what came of a call, in a word, and the first line of its error.
func outcome(e *timeline.Event) (word, reason string) {
	switch {
	case timeline.Failed(e):
		return "failed", attempts.FailureReason(e)
	case e.Verdict.Background:
		return "started in the background", ""
	case e.Result.Outcome != "":
		return string(e.Result.Outcome), ""
	case e.Verdict.Kind == verdict.NoHit:
		return "found nothing", ""
	}
	return "ok", ""
}

// said is what a call printed that did not fail, on one line: how the runner of its tests closed,
// or all of it where that is short; "" for the text of files, and where it is long.
func said(e *timeline.Event) string {
	if e.ToolCall == nil || e.ToolCall.Info.Command == "" || timeline.Failed(e) || e.Verdict.Background {
		return ""
	}
	if e.Test.Summary != "" {
		return prose.Clip(e.Test.Summary, maxPrinted)
	}
	lines := verdict.Lines(output.StripANSI(prose.Excerpt(e.Result.Text)))
	if len(lines) == 0 || len(lines) > printedLines {
		return ""
	}
	text := prose.OneLine(strings.Join(lines, " / "))
	if utf8.RuneCountInString(text) > maxPrinted {
		return ""
	}
	return text
}

// What a call printed is shown up to so many lines and runes.
const (
	printedLines = 3
	maxPrinted   = 60
)

func (t *Rules) compacted(e *timeline.Event) {
	t.compaction, t.active = &distiller.Compaction{Time: e.Time.UTC(), Summary: e.Text}, false
	if e.Compaction != nil {
		t.compaction.Trigger = e.Compaction.Trigger
	}
	if n := len(t.Steps); n > 0 && t.Steps[n-1].Step.Outcome == "" {
		t.compaction.Waiting = t.Steps[n-1].Step.What
	}
}

// Last are the newest calls, oldest first.
func (t *Rules) Last(n int) []distiller.Step {
	var out []distiller.Step
	for _, step := range bounded.Limit(t.Steps, n) {
		out = append(out, step.Step)
	}
	return out
}

// Trail is the end of the session as of the last event, of which meta tells when that was and how
// full the context.
func (t *Rules) Trail(meta distiller.Facts) distiller.Trail {
	out := distiller.Trail{
		Updated: meta.Updated, Civil: meta.Civil, Prompts: slices.Clone(t.prompts), Usage: meta.Usage, Directories: slices.Clone(t.dirs),
		Jobs: t.jobs.Left(), Calls: t.Last(len(t.Steps)),
	}
	slices.Reverse(out.Directories)
	if t.compaction != nil {
		compaction := *t.compaction
		out.Compaction = &compaction
	}
	return out
}
