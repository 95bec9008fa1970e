// Package extract derives facts from events: a fold of small extractors, one
// per section of the handoff, which the packages below hold by subject. The
// State joins them, chooses the next action and resolves what is said twice.
// Each file states its rules. Nothing here knows the clock, the disk or chance,
// and what is remembered is bounded, so that one more event costs the same at
// the start and at the end of a long session.
package extract

import (
	"iter"
	"slices"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/attempts"
	"github.com/carryover-go/carryover/modules/distiller/extract/dialogue"
	"github.com/carryover-go/carryover/modules/distiller/extract/files"
	"github.com/carryover-go/carryover/modules/distiller/extract/paths"
	"github.com/carryover-go/carryover/modules/distiller/extract/plans"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/repository"
	"github.com/carryover-go/carryover/modules/distiller/extract/statements"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/extract/trail"
	"github.com/carryover-go/carryover/modules/distiller/words"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Options are what the fold cannot know from events.
type Options struct {
	Root         string // absolute path that shown paths are relative to; "" takes the session's first directory
	WithoutWords bool   // do without the word lists, to measure what rests on them
	// Subagent says that the events are those of a subagent alone: it is shown as
	// a session of its own, whose task is what the agent above it wrote.
	Subagent bool
}

// State is a session as far as it has been read. The zero value is of no use;
// see New.
type State struct {
	opts    Options
	lex     *words.Lexicon
	prior   distiller.Facts
	paths   paths.Resolver
	tool    string
	session string
	title   string
	meta    distiller.Facts // Updated, Headless, Cwd, Usage
	seq     int             // events added
	turn    int             // substantive turns of the user
	calls   int             // tool calls of the main agent
	last    int64           // logical offset of the newest main event
	block   int

	open        timeline.OpenCalls
	background  timeline.Background
	requests    timeline.Timeline
	task        taskRules
	progress    progressRules
	files       files.Touched
	failures    attempts.Failures
	decisions   statements.Decisions
	questions   statements.Questions
	constraints statements.Constraints
	references  statements.References
	actions     statements.Actions
	verify      verifyRules
	git         repository.Git
	named       files.Named
	trail       trail.Rules
	plans       plans.Plans
	findings    statements.Findings
	code        files.Code
	limits      attempts.Limits
	works       attempts.Works
	undo        files.Leftovers
	recaps      statements.Recaps
	since       files.Since
}

// New starts a session. prior are the facts of the session it continues: its
// decisions, open failures, constraints and open steps stay, and its task and
// goal hold until the new session has its own.
func New(prior distiller.Facts, opts Options) *State {
	s := &State{opts: opts, prior: prior, paths: paths.Resolver{Root: opts.Root}}
	if !opts.WithoutWords {
		s.lex = words.Known()
	}
	s.requests.Prior = prior.Task
	s.requests.Alone = opts.Subagent
	s.progress.carry(prior.Progress)
	s.files.Carry(prior.Files)
	s.failures.Carry(prior.Failures)
	s.decisions.Carry(prior.Decisions)
	s.constraints.Carry(prior.Constraints)
	s.questions.Carry(prior)
	s.references.Carry(prior.References)
	s.actions.Carry(prior.Actions)
	s.named.Carry(prior.Named)
	return s
}

// Fold adds all events to a new State. Turns that a Rollback takes back are
// left out: the events are looked through for rollbacks first.
func Fold(prior distiller.Facts, opts Options, events iter.Seq[transcript.Located]) distiller.Facts {
	return Replay(prior, opts, events).Facts()
}

// Replay is Fold that returns the State, to which further events may be added.
func Replay(prior distiller.Facts, opts Options, events iter.Seq[transcript.Located]) *State {
	s := New(prior, opts)
	if opts.Subagent {
		events = alone(events)
	}
	taken := rolledBack(events)
	i := 0
	for e := range events {
		if e.Kind != transcript.Rollback && !taken[i] {
			s.apply(&e)
		} else {
			s.passOver(&e)
		}
		i++
	}
	return s
}

// alone are a subagent's events as those of a session.
func alone(events iter.Seq[transcript.Located]) iter.Seq[transcript.Located] {
	return func(yield func(transcript.Located) bool) {
		for e := range events {
			if !yield(own(e)) {
				return
			}
		}
	}
}

// own is an event of a subagent as one of a session.
func own(e transcript.Located) transcript.Located {
	e.Subagent = false
	return e
}

// rolledBack marks the events, by position, that a later Rollback takes back:
// the last Turns prompts of the person and everything after each of them.
func rolledBack(events iter.Seq[transcript.Located]) map[int]bool {
	var prompts []int
	taken := map[int]bool{}
	i := 0
	for e := range events {
		switch {
		case e.Withdrawn || e.Subagent:
		case e.Kind == transcript.Prompt && timeline.OwnWords(&e):
			prompts = append(prompts, i)
		case e.Kind == transcript.Rollback && len(prompts) > 0:
			from := max(0, len(prompts)-max(1, e.Turns))
			for k := prompts[from]; k < i; k++ {
				taken[k] = true
			}
			prompts = prompts[:from]
		}
		i++
	}
	return taken
}

// Add takes one more event. False means that the event can only be honoured by
// folding again: it takes turns back, or it belongs before one already added.
// The State is then unchanged.
func (s *State) Add(e transcript.Located) bool {
	if s.opts.Subagent {
		e = own(e)
	}
	if e.Kind == transcript.Rollback || s.outOfOrder(&e) {
		return false
	}
	s.apply(&e)
	return true
}

// outOfOrder compares logical offsets inside the main source. Events of
// subagents and those recorded by the daemon have offsets of their own.
func (s *State) outOfOrder(e *transcript.Located) bool {
	if e.Subagent || e.Ref.Line == 0 {
		return false
	}
	return e.Ref.Offset < s.last || (e.Ref.Offset == s.last && e.Ref.Block <= s.block && s.last+int64(s.block) > 0)
}

// passOver keeps the place of an event that is not applied.
func (s *State) passOver(e *transcript.Located) {
	if !e.Subagent && e.Ref.Line > 0 && e.Ref.Offset >= s.last {
		s.last, s.block = e.Ref.Offset, e.Ref.Block
	}
}

// apply adds an event to every extractor.
func (s *State) apply(located *transcript.Located) {
	s.passOver(located)
	if located.Withdrawn {
		return
	}
	if s.seq++; located.Kind == transcript.Session && located.Start != nil && located.Start.How == transcript.Boundary {
		s.restart(located)
	}
	if located.Kind == transcript.Reply {
		if text := prose.FromJSON(located.Text); text != located.Text {
			reply := *located
			reply.Text, located = text, &reply
		}
	}
	e := &timeline.Event{Located: located, Lexicon: s.lex, Seq: s.seq, Source: distiller.Source{Session: located.Session, Tool: located.Tool, Line: located.Ref.Line, Offset: located.Ref.Offset}}
	s.know(e)
	switch e.Kind {
	case transcript.Prompt:
		e.Wording = dialogue.ReadPrompt(e.Text, e.Origin, s.lex)
		if !e.Subagent && timeline.OwnWords(e.Located) && (e.Wording.Words != "" || e.Wording.Pasted != "") {
			s.turn++
		}
	case transcript.Call:
		if !e.Subagent {
			s.calls++
		}
	}
	e.Turn, e.Calls, e.Paths = s.turn, s.calls, s.paths
	s.open.Add(e)
	if e.Kind == transcript.Reply && !e.Subagent {
		e.Said = prose.Statements(e.Text)
	}
	timeline.Judge(e)
	s.background.Read(e)
	s.see(e)
	if result := jobResult(e, s.requests.LastEdit); result != nil {
		s.see(result)
	}
}

// see takes an event into the timeline and every extractor.
func (s *State) see(e *timeline.Event) {
	s.requests.Add(e)
	e.Topic = s.requests.Topic
	if now := s.requests.Now(); now != nil {
		e.RequestSeq = now.Seq
	}
	for _, rules := range s.extractors() {
		rules.Add(e)
	}
}

// restart forgets what the session was about: it was the history of another.
// The files stay, as what its reader knows. The call that began the session says
// what it is for.
func (s *State) restart(e *transcript.Located) {
	fresh := New(s.prior, s.opts)
	fresh.paths, fresh.tool, fresh.session, fresh.meta = s.paths, s.tool, s.session, s.meta
	fresh.seq, fresh.last, fresh.block = s.seq, s.last, s.block
	fresh.files, fresh.named = s.files.AsRead(), s.named
	if c := s.open.Waiting(); c != nil && c.Info.Meaning == transcript.Subagent && c.Info.Detail != "" {
		fresh.requests.Push(&timeline.Request{Wording: dialogue.Wording{Words: prose.Clip(prose.OneLine(c.Info.Detail), dialogue.MaxWords)}, By: distiller.ByAgent, Source: c.Source, Seq: s.seq, At: e.Time, Relation: timeline.Begins})
	}
	*s = *fresh
}

// know takes what an event says about the session as a whole.
func (s *State) know(e *timeline.Event) {
	if !e.Time.IsZero() && e.Kind != transcript.Git { // that one bears the session's last time, and not whose clock it is
		s.meta.Updated, s.meta.Civil = e.Time.UTC(), e.Civil
	}
	if e.Subagent {
		return
	}
	if s.session == "" || e.Kind == transcript.Session {
		s.session = e.Session
	}
	s.tool = e.Tool
	if e.WorkDir != nil && e.WorkDir.Cwd != "" {
		s.paths.Cwd = e.WorkDir.Cwd
		s.meta.Cwd = e.WorkDir.Cwd
		if s.paths.Root == "" {
			s.paths.Root = e.WorkDir.Cwd
		}
	}
	switch e.Kind {
	case transcript.Title:
		s.title = prose.OneLine(e.Text)
	case transcript.Session:
		s.meta.Headless = s.meta.Headless || (e.Start != nil && e.Start.Headless)
		s.knowSubagent(e)
	case transcript.UsageRead:
		if e.Usage != nil {
			s.meta.Usage = &distiller.Usage{Context: e.Usage.Context, Window: e.Usage.Window, Model: e.Usage.Model}
		}
	}
}

// knowSubagent takes what an event says about whose session this is.
func (s *State) knowSubagent(e *timeline.Event) {
	if !s.opts.Subagent || e.Start == nil || e.Start.Agent == "" && (e.Start.How == "" || e.Start.How == transcript.Boundary) {
		return
	}
	of := e.Start.From
	if of == "" && e.Start.How == "" { // seen within the session that started it
		of = e.Session
	}
	s.meta.Subagent = &distiller.Subagent{Of: of, Agent: e.Start.Agent, Internal: e.Start.Internal}
}

// extractor is one section's rules. Add sees every event that counts, in order.
type extractor interface{ Add(e *timeline.Event) }

// extractors run in an order: failures must know an outcome before what
// depends on it asks.
func (s *State) extractors() [22]extractor {
	return [...]extractor{
		&s.task, &s.git, &s.files, &s.failures, &s.decisions, &s.questions, &s.progress,
		&s.constraints, &s.references, &s.actions, &s.verify, &s.named, &s.plans, &s.findings, &s.code, &s.limits, &s.works, &s.undo, &s.recaps, &s.since, &s.trail, &s.open,
	}
}

// Facts are the facts as of the last event. A session in which nothing was asked
// for hands on what it was given, unchanged. The State is not changed by it.
func (s *State) Facts() distiller.Facts {
	if s.prior.Task != nil && !s.requests.Worked(s.lex) {
		f := s.prior
		f.Worked = false
		return f
	}
	f := s.meta
	f.Worked = s.requests.Worked(s.lex)
	f.Tool, f.Session, f.Title = s.tool, s.session, s.title
	if s.opts.Subagent && f.Subagent == nil {
		f.Subagent = &distiller.Subagent{Of: s.session}
	}
	f.Task = s.task.fact(&s.requests, s.lex, s.title, s.calls)
	f.Turn = whilePlanning(s.turnFact(), s.requests.Planning)
	f.Requests, f.Earlier = s.requestFacts(), s.earlierFacts()
	f.Git = s.git.Fact(s.turn)
	f.Progress = s.progress.facts(&s.requests, &s.git, s.files.Edited)
	for i, p := range f.Progress {
		f.Progress[i].Touched = (p.State == "todo" || p.State == "doing") && (s.begun(p.Text) || s.delivered(p.Text) || handled(p.Text, s.requests.Now()))
	}
	f.Files = s.files.Facts(s.seq, s.turn, &s.requests)
	f.Failures = s.failures.Facts(s.calls, s.turn, s.git.LastCommit())
	f.Decisions = standing(s.decisions.Facts(), s.requests.Requests)
	f.Questions = s.questions.Facts(&s.requests, s.findings.Facts(s.turn))
	f.Constraints = s.constraints.Facts(s.turn, s.limits.Missing(), f.Task, s.files.Edited > 0)
	f.References = s.references.Facts()
	f.Actions = s.actions.Facts(s.turn)
	f.Named = s.named.Facts(&s.files, f.Files)
	f.Verify = s.verify.facts(s)
	f.Recaps = s.recaps.Facts(s.turn)
	f.Limits = s.limits.Facts(s.constraints.WorksOtherwise)
	f.Works = s.works.Facts(s.limits.Missing(), s.failures.Mends)
	f.Undo = s.undo.Facts()
	f.Next = s.nextFact(&f)
	resolve(&f, s.lex)
	return f
}

// Trail is the end of the session as of the last event.
func (s *State) Trail() distiller.Trail { return s.trail.Trail(s.meta) }

// After are the Facts and the Trail for one who gets them together with the result of
// a call, which no event has said yet: the call with that id, else the newest
// of that name, is not missing its result.
func (s *State) After(id, name string) (distiller.Facts, distiller.Trail) {
	open, steps := s.open.List, s.trail.Steps
	defer func() { s.open.List, s.trail.Steps = open, steps }()
	for at, call := range slices.Backward(open) {
		if !call.Subagent && (call.Info.ID == id || id == "" && call.Info.Name == name) {
			s.open.List = slices.Delete(slices.Clone(open), at, at+1)
			s.trail.Steps = slices.DeleteFunc(slices.Clone(steps), func(step trail.Step) bool { return step.Call == call.Info.ID })
			break
		}
	}
	return s.Facts(), s.Trail()
}

// jobResult takes the end of a command that ran in the background as its result. That a check
// passed says nothing of what was edited while it ran.
func jobResult(e *timeline.Event, lastEdit int) *timeline.Event {
	done := e.Finished
	if done == nil {
		return nil
	}
	result := *e.Located
	result.Event = transcript.Event{Kind: transcript.Result, Tool: e.Tool, Session: e.Session, Time: e.Time, Result: &done.Result}
	late := *e
	late.Located, late.ToolCall, late.Started, late.Ended, late.Finished = &result, done.Call, "", nil, nil
	if timeline.Judge(&late); late.Verdict.Check != "" && timeline.Passed(&late) && done.Call.Before(lastEdit) {
		return nil
	}
	return &late
}
