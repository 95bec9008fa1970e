package quality

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// TruthFigures are what may not stand in a handoff, at any end of a turn: of
// each less is better, and none is right.
var TruthFigures = []string{"contradiction", "no task", "no files"}

// TruthTable collects the handoffs at the ends of turns.
type TruthTable struct {
	cases []truthCase
	opts  extract.Options
}

// truthCase is one handoff held against one figure.
type truthCase struct {
	figure, set, repository, name, why string // why is "" where nothing is wrong
}

// Add looks at a session at the end of every turn: before each prompt but the
// first, and at the end.
func (t *TruthTable) Add(s *Session) {
	state := extract.New(distiller.Facts{}, t.opts)
	worded, edits, begun := false, false, false
	bad := newCallPaths(s.Events).bad
	for i := range s.Events {
		e := &s.Events[i]
		typed := e.Kind == transcript.Prompt && e.Origin == transcript.Typed && !e.Subagent && !e.Withdrawn
		if typed && begun {
			t.judge(s, i, state.Facts(), worded, edits)
		}
		begun = begun || typed
		worded = worded || typed && len(strings.Fields(e.Text)) > 4 && !machine.MatchString(e.Text)
		if mainCall(e) && len(e.Call.Paths) > 0 && !bad[e.Call.ID] {
			edits = edits || e.Call.Meaning == transcript.Edit || e.Call.Meaning == transcript.Write
		}
		if !state.Add(*e) {
			state = extract.Replay(distiller.Facts{}, t.opts, slices.Values(s.Events[:i+1]))
		}
	}
	t.judge(s, len(s.Events), state.Facts(), worded, edits)
}

// judge holds a handoff against the figures; at is the number of events that it
// was made of.
func (t *TruthTable) judge(s *Session, at int, f distiller.Facts, worded, edits bool) {
	note := func(figure, why string) {
		name := (&Checkpoint{Session: s, Before: s.Events[:at]}).Name()
		t.cases = append(t.cases, truthCase{figure, s.Set, repository(s.Name), name, why})
	}
	note("contradiction", contradiction(f, string(render.Handoff(f, render.Options{}))))
	switch {
	case !worded:
	case f.Task == nil:
		note("no task", "no task")
	case notATask(f.Task.Text):
		note("no task", f.Task.Text)
	default:
		note("no task", "")
	}
	switch {
	case !edits:
	case len(f.Files) == 0:
		note("no files", "files were changed and none is listed")
	default:
		note("no files", "")
	}
}

// subject is a step without its verdict: of "`go vet` passed after the last
// edit" the command, in letters and digits alone.
func subject(text string) string {
	if m := quotedFirst.FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	return bare(text)
}

var quotedFirst = regexp.MustCompile("^`(.+)`")

func bare(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, strings.ToLower(text))
}

var doneLine = regexp.MustCompile(`(?m)^\W*(?:done|\[x\]).*$|^.*\bpassed\b.*$`)

// contradiction is what a handoff says both of: a command passed and failing, a
// step done and to do or next, a file opened and not opened. "" for nothing.
func contradiction(f distiller.Facts, text string) string {
	all, rest := bare(text), bare(doneLine.ReplaceAllString(text, ""))
	shown := func(what string) bool { return strings.Contains(rest, prefix(bare(what), 40)) }
	var done []string
	for _, p := range f.Progress {
		if p.State == "done" && strings.Contains(all, prefix(bare(p.Text), 24)) {
			done = append(done, subject(p.Text))
		}
	}
	isDone := func(what string) bool { return slices.Contains(done, bare(what)) && len(bare(what)) > 7 }
	for _, x := range f.Failures {
		if x.Ended == "" && shown(x.What) && isDone(x.What) {
			return "passed and failing: " + x.What
		}
	}
	for _, p := range f.Progress {
		if p.State != "done" && shown(p.Text) && isDone(p.Text) {
			return fmt.Sprintf("done and %s: %s", p.State, p.Text)
		}
	}
	for _, n := range f.Named {
		if slices.ContainsFunc(f.Files, func(file distiller.File) bool { return file.Path == n.Path }) {
			return "opened and not opened: " + n.Path
		}
	}
	if f.Next != nil && isDone(f.Next.Text) {
		return "done and next: " + f.Next.Text
	}
	return ""
}

// Figures are the shares of the handoffs in which something is wrong.
func (t *TruthTable) Figures() []Figure {
	share := func(list []truthCase) float64 {
		return float64(count(list, func(c truthCase) bool { return c.why != "" })) / float64(len(list))
	}
	var out []Figure
	for _, name := range TruthFigures {
		cases := slices.DeleteFunc(slices.Clone(t.cases), func(c truthCase) bool { return c.figure != name })
		if len(cases) == 0 {
			continue
		}
		f := Figure{Name: name, Cost: true, N: len(cases), All: share(cases), Sets: map[string]float64{}}
		for set, list := range grouped(cases, func(c truthCase) string { return c.set }) {
			f.Sets[set] = share(list)
		}
		for repo, list := range grouped(cases, func(c truthCase) string { return c.repository }) {
			f.Folds = append(f.Folds, Fold{repo, share(list), len(list)})
		}
		out = append(out, f)
	}
	return out
}

// Wrong are the cases that count against a handoff, a line each.
func (t *TruthTable) Wrong() []string {
	var out []string
	for _, c := range t.cases {
		if c.why != "" {
			out = append(out, c.figure+" at "+c.name+": "+prefix(c.why, 200))
		}
	}
	return out
}
