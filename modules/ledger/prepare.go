package ledger

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/ledger/redact"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Bounds of the output of tools, in bytes. A failed call keeps more: its output
// is an error, which is kept whole as far as any agent passes one on (Claude
// Code cuts at 30,000 characters, Codex at 10,000 tokens).
const (
	outputHead = 2 << 10
	outputTail = 2 << 10
	errorHead  = 32 << 10
	errorTail  = 32 << 10
	// slack keeps a text that was bounded before, and whose redactions made
	// it a little longer, from being bounded again.
	slack = 256
)

// Prepare makes an event fit to be stored or shown: secrets are replaced, the
// output of tools is bounded, the time is in UTC. Preparing twice gives the
// same as once. What the event points to is copied, not changed.
func Prepare(event *transcript.Event) {
	event.Time = event.Time.UTC()
	eachText(event, func(text string) string { return redact.Text(limit(text)) })
	if event.Result == nil {
		return
	}
	head, tail := outputHead, outputTail
	if event.Result.Failed {
		head, tail = errorHead, errorTail
	}
	if text, truncated := bound(event.Result.Text, head, tail); truncated {
		// A cut makes new word boundaries, where a rule may now see a secret.
		event.Result.Text = redact.Text(text)
	}
}

// Bounds of any other text, in bytes: what a person or an agent says is kept
// whole up to here, and what is longer is a file.
const (
	textHead = 512 << 10
	textTail = 512 << 10
	// atSpace is how far before its place a text may be cut, so that no secret
	// is cut in two: hardly any has white space in it.
	atSpace = 4 << 10
)

// limit bounds a text before it is redacted, which copies it several times.
func limit(text string) string {
	if len(text) <= textHead+textTail+slack {
		return text
	}
	head, tail := textHead, textTail
	if at := strings.LastIndexAny(text[head-atSpace:head], " \n\t"); at >= 0 {
		head += at + 1 - atSpace
	}
	from := len(text) - tail
	if at := strings.IndexAny(text[from:from+atSpace], " \n\t"); at >= 0 {
		tail -= at + 1
	}
	short, _ := bound(text, head, tail)
	return short
}

// bound keeps the first head and the last tail bytes of a text, cut at rune
// boundaries, with a marker between them that says how much is missing.
func bound(text string, head, tail int) (bounded string, truncated bool) {
	if len(text) <= head+tail+slack {
		return text, false
	}
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	from := len(text) - tail
	for from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	return fmt.Sprintf("%s\n[… %d bytes left out]\n%s", text[:head], from-head, text[from:]), true
}

// rewrite makes another text of a text.
type rewrite func(string) string

// eachText rewrites every field that can hold text of a person, an agent or a
// program. What the event points to is copied, not changed.
func eachText(event *transcript.Event, text rewrite) {
	event.Text = text(event.Text)
	event.Call = text.call(event.Call)
	event.Result = text.result(event.Result)
	event.Decision = text.decision(event.Decision)
	event.Items = text.items(event.Items)
	event.Git = text.git(event.Git)
	event.Symbols = text.list(event.Symbols)
	if event.Code != nil {
		code := *event.Code
		code.Path, code.Added, code.Gone = text(code.Path), text.list(code.Added), text.list(code.Gone)
		event.Code = &code
	}
	if event.Start != nil {
		start := *event.Start
		start.Agent = text(start.Agent)
		event.Start = &start
	}
	if event.WorkDir != nil {
		workDir := *event.WorkDir
		workDir.Cwd, workDir.Branch = text(workDir.Cwd), text(workDir.Branch)
		event.WorkDir = &workDir
	}
}

func (text rewrite) call(from *transcript.CallInfo) *transcript.CallInfo {
	if from == nil {
		return nil
	}
	call := *from
	call.Name = text(call.Name)
	call.Paths = text.list(call.Paths)
	call.Command = text(call.Command)
	call.Detail = text(call.Detail)
	call.Cwd = text(call.Cwd)
	return &call
}

func (text rewrite) result(from *transcript.ResultInfo) *transcript.ResultInfo {
	if from == nil {
		return nil
	}
	result := *from
	result.Text = text(result.Text)
	result.Overflow = text(result.Overflow)
	return &result
}

func (text rewrite) decision(from *transcript.Decision) *transcript.Decision {
	if from == nil {
		return nil
	}
	decision := *from
	decision.Topic = text(decision.Topic)
	decision.Question = text(decision.Question)
	decision.Rationale = text(decision.Rationale)
	decision.Tradeoffs = text(decision.Tradeoffs)
	decision.Chosen = text.list(decision.Chosen)
	decision.Options = append([]transcript.Option(nil), decision.Options...)
	for i := range decision.Options {
		option := &decision.Options[i]
		option.Label, option.Description = text(option.Label), text(option.Description)
	}
	decision.Rejected = append([]transcript.Refused(nil), decision.Rejected...)
	for i := range decision.Rejected {
		refused := &decision.Rejected[i]
		refused.Option, refused.Reason = text(refused.Option), text(refused.Reason)
	}
	return &decision
}

func (text rewrite) items(from []transcript.Item) []transcript.Item {
	items := append([]transcript.Item(nil), from...)
	for i := range items {
		items[i].Text = text(items[i].Text)
	}
	return items
}

func (text rewrite) git(from *transcript.GitInfo) *transcript.GitInfo {
	if from == nil {
		return nil
	}
	git := *from
	git.Repository = text(git.Repository)
	git.Branch = text(git.Branch)
	git.Commits = text.list(git.Commits)
	git.DiffStat = text(git.DiffStat)
	return &git
}

func (text rewrite) list(from []string) []string {
	list := append([]string(nil), from...)
	for i := range list {
		list[i] = text(list[i])
	}
	return list
}
