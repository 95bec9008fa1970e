package files

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/verdict"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Since follows what the agent has done since it, or the person, last said something: what
// was announced before may be done by now. The last words alone do not tell.
type Since struct {
	calls   int
	changed []changedFile // the newest last
	checks  []ranCheck    // the newest last, each with how it ended last
}

type changedFile struct {
	path  string
	times int
}

type ranCheck struct{ what, how string }

const (
	maxSince    = 12
	fewCalls    = 3 // each is shown by itself
	shownSince  = 4
	sinceWidth  = 60 // runes of a command
	sinceChecks = 3

	maxSinceText = 230 // runes: a line of the handoff
)

// Add takes one more event.
func (s *Since) Add(e *timeline.Event) {
	switch {
	case e.Subagent || e.ToolCall != nil && (e.ToolCall.Subagent || e.ToolCall.ByUser):
	case e.Kind == transcript.Reply, e.Kind == transcript.Prompt && timeline.OwnWords(e.Located):
		*s = Since{}
	case e.Kind == transcript.Call && e.Call != nil && !e.Call.ByHook():
		s.calls++
	case e.Kind == transcript.Result && e.ToolCall != nil:
		s.done(e)
	}
}

// done takes what a call changed, and how a check ended.
func (s *Since) done(e *timeline.Event) {
	if timeline.Happened(e) {
		for _, p := range timeline.ChangedBy(e) {
			times := 1
			if at := slices.IndexFunc(s.changed, func(c changedFile) bool { return c.path == p }); at >= 0 {
				times += s.changed[at].times
				s.changed = slices.Delete(slices.Clone(s.changed), at, at+1)
			}
			s.changed = bounded.Limit(append(slices.Clip(s.changed), changedFile{p, times}), maxSince)
		}
	}
	if e.Verdict.Check == "" || e.Verdict.Kind == verdict.Refused || e.Verdict.Kind == verdict.Cancelled || e.Verdict.Kind == verdict.Denied {
		return
	}
	how := "passed"
	switch {
	case timeline.Failed(e):
		how = "failed"
	case !timeline.Passed(e):
		how = "ended, how is not seen"
	}
	what := timeline.CommandKey(cmp.Or(e.ToolCall.Primary.Text, e.ToolCall.Info.Command))
	s.checks = slices.DeleteFunc(slices.Clone(s.checks), func(c ranCheck) bool { return c.what == what })
	s.checks = bounded.Limit(append(s.checks, ranCheck{what, how}), maxSince)
}

// Text tells it in a line, "" after few calls, and where the agent only looked.
func (s *Since) Text() string {
	if s.calls <= fewCalls || len(s.changed)+len(s.checks) == 0 {
		return ""
	}
	checks, shown := s.checks[max(0, len(s.checks)-sinceChecks):], shownSince
	text := s.text(checks, shown)
	for utf8.RuneCountInString(text) > maxSinceText && (len(checks) > 1 || shown > 1) {
		if len(checks) > 1 { // the newest says most, and one without its result nothing
			checks = checks[1:]
		} else {
			shown--
		}
		text = s.text(checks, shown)
	}
	return text
}

// text is the line with some checks and so many of the files.
func (s *Since) text(checks []ranCheck, shown int) string {
	var parts []string
	for i, c := range slices.Backward(s.changed) {
		if len(s.changed)-i > shown {
			parts = append(parts, fmt.Sprintf("%d more", i+1))
			break
		}
		text := "`" + path.Base(c.path) + "`"
		if c.times > 1 {
			text += fmt.Sprintf(" %d times", c.times)
		}
		parts = append(parts, text)
	}
	var done []string
	if len(parts) > 0 {
		done = append(done, "changed "+strings.Join(parts, ", "))
	}
	for _, c := range checks {
		done = append(done, prose.Code(c.what, sinceWidth)+" "+c.how)
	}
	return fmt.Sprintf("%d calls since the last words: ", s.calls) + strings.Join(done, "; ")
}
