package extract

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/dialogue"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/repository"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/verdict"
	"github.com/carryover-go/carryover/modules/distiller/words"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Progress is, in this order:
//
//   - the tool's own list of steps, while it belongs to the topic that is being
//     worked on;
//   - what the message of a commit that puts work aside lists;
//   - the task-list entries of the last closing reply;
//   - branches, commits and checks that passed after the last edit: those prove
//     it.
//
// Steps that a predecessor left open stay while its topic goes on.
type progressRules struct {
	items   []transcript.Item
	src     distiller.Source
	seq     int // of the list
	topic   int // theirs
	prior   []distiller.Progress
	claims  []distiller.Progress
	parked  []distiller.Progress // of the last commit that put work aside
	since   int                  // changes of files since then
	passes  []checkPass
	acted   int // event of the newest call that did more than look
	edits   int // changes of files since the list was brought up to date
	commits int // the same, commits
}

// checkPass is a check that passed.
type checkPass struct {
	key    string
	said   string // how the runner closed
	family string
	kind   verdict.Check
	calls  int
	seq    int
	src    distiller.Source
}

const (
	maxSteps  = 40
	maxPasses = 6

	// outdatedAfter is after how many changes of files a list that nobody brought up to date
	// no longer says where the agent is: most are after one to three.
	outdatedAfter = 8

	maxClosing = 60 // runes of a runner's closing line

	// outdatedByCommits is after how many commits it does not: the work has gone on by steps.
	outdatedByCommits = 2

	longWork = 8 // calls with which a request was worked on, though they changed nothing
)

func (p *progressRules) carry(prior []distiller.Progress) {
	for _, step := range prior {
		if step.State != "done" {
			p.prior = append(p.prior, step)
		}
	}
	p.prior = p.prior[:min(len(p.prior), maxSteps)]
}

// lists says whether a list has a step, whatever its state there.
func lists(items []transcript.Item, step string) bool {
	return slices.ContainsFunc(items, func(item transcript.Item) bool {
		return strings.EqualFold(prose.Clip(prose.OneLine(item.Text), 200), step)
	})
}

func (p *progressRules) Add(e *timeline.Event) {
	if e.Subagent {
		return
	}
	switch e.Kind {
	case transcript.Todo:
		if len(e.Items) > 0 {
			p.items, p.src, p.seq, p.topic, p.edits = bounded.Limit(e.Items, maxSteps), e.Source, e.Seq, e.Topic, 0
			p.commits = 0
			p.prior = slices.DeleteFunc(slices.Clone(p.prior), func(step distiller.Progress) bool { return lists(e.Items, step.Text) })
		}
	case transcript.Prompt:
		if e.Relation == timeline.Begins {
			p.claims, p.parked = nil, nil
			if e.Topic > 1 {
				p.prior = nil
			}
		}
	case transcript.Reply:
		p.reported(e)
	case transcript.Result:
		if e.ToolCall != nil && timeline.Happened(e) && (len(timeline.ChangedBy(e)) > 0 || e.ToolCall.Info.Command != "" && !e.ToolCall.OnlyLooks()) {
			p.acted = e.Seq
		}
		if e.ToolCall != nil && timeline.Happened(e) && timeline.Edits(e.ToolCall.Info.Meaning) {
			p.edits, p.since = p.edits+1, p.since+1
		}
		p.checked(e)
		if steps := repository.Parked(e); steps != nil {
			p.parked, p.since = steps, 0
		} else if e.ToolCall != nil && timeline.Happened(e) && e.ToolCall.Commits() {
			p.parked = nil // it was taken up again
			p.commits++
		}
	}
}

// checked notes a check that passed, and forgets the passes of the same kind
// before it.
func (p *progressRules) checked(e *timeline.Event) {
	if e.ToolCall == nil || !timeline.IsCheck(e.ToolCall.Family) || e.Verdict.Check == "" {
		return
	}
	key := e.ToolCall.What()
	p.passes = slices.DeleteFunc(slices.Clone(p.passes), func(c checkPass) bool { return c.family == e.ToolCall.Family })
	if !timeline.Passed(e) {
		return
	}
	p.passes = bounded.Limit(append(p.passes, checkPass{key: key, said: closing(cmp.Or(e.Test.Summary, e.Verdict.Line)), family: e.ToolCall.Family, kind: e.Verdict.Check, calls: e.Calls, seq: e.Seq, src: e.ToolCall.Source}), maxPasses)
}

// closing is a runner's closing line, where it counts what it found.
func closing(line string) string {
	if !countsWhat.MatchString(line) {
		return ""
	}
	return prose.Clip(strings.TrimRight(prose.OneLine(line), "."), maxClosing)
}

var countsWhat = lazyregexp.New(`\b\d+ (?:pass|fail|tests?\b|issues?\b|warnings?\b|errors?\b|problems?\b|examples?\b|specs?\b)`)

// reported takes the task list a reply reports with. What a request that only
// looked ticks off are merits of a plan, not work that was done.
func (p *progressRules) reported(e *timeline.Event) {
	var claims []distiller.Progress
	worked := p.acted > e.RequestSeq
	for _, s := range e.Said {
		for _, item := range doneItems(s.Text, e.Lexicon) {
			claims = append(claims, distiller.Progress{Text: item, State: "done", Evidence: distiller.Said, Source: e.Source})
		}
		if s.State != "" && (worked || s.State != "done") && len(s.Text) > 8 && !prose.IsQuestion(s.Text) {
			claims = append(claims, distiller.Progress{Text: prose.Clip(s.Text, 200), State: s.State, Evidence: distiller.Said, Source: e.Source})
		}
	}
	if len(claims) >= 2 {
		p.claims = claims[:min(len(claims), repository.MaxClaims)]
	}
}

// doneItems are the entries of a sentence that lists what is done behind a label:
// "Completed: user model, token helper".
func doneItems(text string, lex *words.Lexicon) []string {
	label, rest, found := strings.Cut(text, ":")
	if !found || len(strings.Fields(label)) > 2 || !lex.Begins(words.Done, label) {
		return nil
	}
	var out []string
	for item := range strings.SplitSeq(strings.TrimRight(rest, ". "), ", ") {
		if item = strings.TrimSpace(item); item == "" || utf8.RuneCountInString(item) > itemRunes {
			return nil
		}
		out = append(out, item)
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// itemRunes is how long an entry of such a list may be: more is a sentence.
const itemRunes = 60

func (p *progressRules) facts(requests *timeline.Timeline, git *repository.Git, edited int) []distiller.Progress {
	var out []distiller.Progress
	if p.fresh(requests) {
		for _, item := range p.items {
			state := item.State
			if state == "" {
				state = "todo"
			}
			step := distiller.Progress{Text: prose.Clip(prose.OneLine(item.Text), 200), State: state, Evidence: distiller.Said, Source: p.src}
			if p.outdated() && state != "done" {
				step.Outdated = max(p.edits, 1)
			}
			out = append(out, step)
		}
	}
	out = append(out, p.prior...)
	for _, claim := range slices.Concat(p.aside(), p.claims) {
		if !lists(p.items, claim.Text) {
			out = append(out, claim)
		}
	}
	out = append(out, git.Made...)
	for _, c := range bounded.Limit(git.Commits, 4) {
		out = append(out, c.Done())
	}
	for _, c := range p.passes {
		if c.calls >= edited {
			when := ""
			if edited > 0 {
				when = " after the last edit"
			}
			if c.said != "" {
				when += ": " + c.said
			}
			out = append(out, distiller.Progress{Text: prose.Code(c.key, 100) + " passed" + when, State: "done", Evidence: distiller.Proved, Source: c.src})
		}
	}
	return out
}

// aside are the steps that a commit put aside, with how many changes that is ago once the work
// has long been taken up.
func (p *progressRules) aside() []distiller.Progress {
	out := slices.Clone(p.parked)
	for i := range out {
		if p.since >= outdatedAfter {
			out[i].Outdated = p.since
		}
	}
	return out
}

// outdated says that nobody brought the list up to date for long.
func (p *progressRules) outdated() bool {
	return p.edits >= outdatedAfter || p.commits >= outdatedByCommits
}

// doing says that the list of steps was made for a request and has one that is being
// done.
func (p *progressRules) doing(now *timeline.Request) bool {
	return p.seq > now.Seq && slices.ContainsFunc(p.items, func(item transcript.Item) bool { return item.State == "doing" })
}

// finished says that the list of steps was brought up to date after an event, and has
// nothing left to do.
func (p *progressRules) finished(after int) bool {
	return p.seq > after && len(p.items) > 0 && !slices.ContainsFunc(p.items, func(item transcript.Item) bool { return item.State != "done" })
}

// left counts the steps that are not done, of a list that is about what is being worked on.
func (p *progressRules) left(requests *timeline.Timeline) int {
	n := 0
	for _, item := range p.items {
		if item.State != "done" {
			n++
		}
	}
	if !p.fresh(requests) || p.outdated() {
		return 0
	}
	return n
}

// passedAfter are the kinds of checks that passed after the last edit.
func (p *progressRules) passedAfter(edited int) []verdict.Check {
	var out []verdict.Check
	for _, c := range p.passes {
		if c.calls >= edited {
			out = append(out, c.kind)
		}
	}
	return out
}

// proves says that a step is to run checks which have passed since its list was
// made and after the last edit: most of its words are words of their commands, or half of
// them and the one it begins with ("Run the tests to verify the change").
func (p *progressRules) proves(step string, edited int, lex *words.Lexicon) bool {
	ran := map[string]bool{}
	for _, c := range p.passes {
		if c.seq > p.seq && c.calls >= edited {
			for _, w := range words.Tokens(c.key) {
				ran[dialogue.Stem(w)] = true
			}
		}
	}
	said := lex.Content(step)
	known, begins := 0, false
	for i, w := range said {
		if dialogue.Bent(ran, dialogue.Stem(w)) != "" {
			known++
			begins = begins || i == 0
		}
	}
	return known > 1 && (known*3 >= len(said)*2 || begins && known*2 >= len(said))
}

// fresh says that the list of steps is about what is being worked on: of this
// topic, and no request that asked for more was worked on since without the
// list being touched.
func (p *progressRules) fresh(requests *timeline.Timeline) bool {
	if p.topic != requests.Topic {
		return false
	}
	return !slices.ContainsFunc(requests.Chain(), func(r *timeline.Request) bool {
		return r.Seq > p.seq && !r.Thin && r.Relation != timeline.Answers && r.Relation != timeline.Corrects && !r.Asks && (len(r.Changed) > 0 || len(r.Commits) > 0 || r.Calls > longWork)
	})
}
