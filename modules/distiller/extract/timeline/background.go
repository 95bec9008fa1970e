package timeline

import (
	"slices"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/verdict"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Background knows by its id what a tool runs in the background. A job has
// ended when its tool says so: in a notice, in the answer to a poll of it, or
// when a call that names it killed it. Every extractor reads that from the event,
// and gets what came of a command as the result of the call that started it.
type Background struct{ jobs []job }

// job is one by its id, with the call that started it.
type job struct {
	id   string
	call *OpenCall
}

// Finished is a command that ran in the background, with how it ended.
type Finished struct {
	Call   *OpenCall
	Result transcript.ResultInfo
}

// Bounds of what is kept and read.
const (
	maxBackground = 16  // jobs at a time
	MaxJobText    = 400 // bytes at the start of a result that name a job
	maxNotice     = 600 // of a notice
)

var (
	jobID = lazyregexp.New(`(?i)\b(?:(?:shell|task|agent|session|bash|process)[ _]?id|id|workflow|task|run)(?:: ?|[= ]+)"?([\w-]*\d[\w-]*)|\b(?:shellId|ID): ?([\w-]{2,})`)

	// over are the words with which a notice says that a job ended.
	over = lazyregexp.New(`(?i)\b(?:completed|exited|killed|stopped|terminated|failed|finished|exit code)\b`)

	// polledOver is how a tool that was asked says so; the job's own output
	// stands beside it.
	polledOver = lazyregexp.New(`(?i)<status>(?:completed|failed|killed|stopped|error)|"status": ?"(?:completed|failed|killed|stopped)"|(?:completed|exited) with (?:exit )?code|successfully (?:killed|stopped|terminated)|(?:was|has been) (?:killed|stopped|terminated)`)
	killing    = lazyregexp.New(`(?i)kill|stop|terminate`)
)

// Read notes on an event which job it started or ended.
func (b *Background) Read(e *Event) {
	switch {
	case e.Kind == transcript.Prompt && over.MatchString(prose.Clip(e.Text, maxNotice)):
		e.Ended = b.named(prose.Clip(e.Text, maxNotice))
		b.finish(e, prose.Clip(e.Text, maxNotice), nil)
	case e.Kind != transcript.Result || e.Result == nil || e.ToolCall == nil:
		return
	case e.Verdict.Background:
		head := e.Result.Text[:min(len(e.Result.Text), MaxJobText)]
		tail := e.Result.Text[max(0, len(e.Result.Text)-MaxJobText):]
		if e.Started = idIn(head); e.Started == "" {
			e.Started = idIn(tail)
		}
		if e.Started != "" {
			b.jobs = bounded.Limit(append(slices.Clone(b.jobs), job{e.Started, e.ToolCall}), maxBackground)
		}
		return
	case b.endedBy(e):
		e.Ended = b.named(e.ToolCall.Info.Detail + "\n" + prose.Excerpt(e.Result.Text))
		b.finish(e, e.Result.Text, e.Result.ExitCode)
	}
	b.jobs = slices.DeleteFunc(slices.Clone(b.jobs), func(j job) bool { return slices.Contains(e.Ended, j.id) })
}

// finish tells how the command ended that an event speaks of, where it says with which
// status. One that was killed came to nothing.
func (b *Background) finish(e *Event, text string, status *int) {
	if len(e.Ended) != 1 {
		return
	}
	if m := exitStatus.FindStringSubmatch(prose.Excerpt(text)); m != nil && status == nil {
		n, _ := strconv.Atoi(m[1])
		status = &n
	}
	at := slices.IndexFunc(b.jobs, func(j job) bool { return j.id == e.Ended[0] })
	if status == nil || *status > killed || b.jobs[at].call.Info.Command == "" {
		return
	}
	if m := summary.FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	if e.Kind == transcript.Result {
		e.Verdict = verdict.Verdict{Kind: verdict.Passed} // it told of the job, whatever came of that
	}
	e.Finished = &Finished{b.jobs[at].call, transcript.ResultInfo{CallID: b.jobs[at].call.Info.ID, ExitCode: status, Text: text}}
}

// killed is above which exit status a program was ended by a signal (bash(1)).
const killed = 128

var (
	exitStatus = lazyregexp.New(`(?i)\bexit(?:ed with)?[ _]code:?>? ?(\d{1,3})\b`)
	summary    = lazyregexp.New(`<summary>([^<]+)`) // of a notice of Claude Code
)

// endedBy says that a call found a job ended, or ended it. Of a poll that has an exit
// code, the code is the job's: the reader may have taken the words that told it.
func (b *Background) endedBy(e *Event) bool {
	if len(b.jobs) == 0 || e.ToolCall.Info.Command != "" {
		return false
	}
	return killing.MatchString(e.ToolCall.Info.Name) && !Failed(e) || e.Result.ExitCode != nil || polledOver.MatchString(prose.Excerpt(e.Result.Text))
}

// named are the known jobs that a text names.
func (b *Background) named(text string) []string {
	var out []string
	words := strings.FieldsFunc(text, func(r rune) bool {
		return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
	for _, j := range b.jobs {
		if slices.Contains(words, j.id) {
			out = append(out, j.id)
		}
	}
	return out
}

func idIn(text string) string {
	if m := jobID.FindStringSubmatch(text); m != nil {
		return m[1] + m[2]
	}
	return ""
}
