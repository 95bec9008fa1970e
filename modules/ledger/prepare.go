package ledger

import (
	"fmt"
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
	redactEvent(event)
	if event.Result == nil {
		return
	}
	head, tail := outputHead, outputTail
	if event.Result.Failed {
		head, tail = errorHead, errorTail
	}
	if text, cut := bound(event.Result.Text, head, tail); cut {
		// A cut makes new word boundaries, where a rule may now see a secret.
		event.Result.Text = redact.Text(text)
	}
}

// bound keeps the first head and the last tail bytes of a text, cut at rune
// boundaries, with a marker between them that says how much is missing.
func bound(text string, head, tail int) (bounded string, cut bool) {
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

// redactEvent replaces secrets in every field that can hold text of a person,
// an agent or a program.
func redactEvent(event *transcript.Event) {
	event.Text = redact.Text(event.Text)
	event.Call = redactCall(event.Call)
	event.Result = redactResult(event.Result)
	event.Decision = redactDecision(event.Decision)
	event.Items = redactItems(event.Items)
	event.Git = redactGit(event.Git)
	event.Symbols = redactList(event.Symbols)
	if event.Code != nil {
		code := *event.Code
		code.Path, code.Added, code.Gone = redact.Text(code.Path), redactList(code.Added), redactList(code.Gone)
		event.Code = &code
	}
	if event.Place != nil {
		place := *event.Place
		place.Cwd, place.Branch = redact.Text(place.Cwd), redact.Text(place.Branch)
		event.Place = &place
	}
}

func redactCall(from *transcript.CallInfo) *transcript.CallInfo {
	if from == nil {
		return nil
	}
	call := *from
	call.Name = redact.Text(call.Name)
	call.Paths = redactList(call.Paths)
	call.Command = redact.Text(call.Command)
	call.Detail = redact.Text(call.Detail)
	call.Cwd = redact.Text(call.Cwd)
	return &call
}

func redactResult(from *transcript.ResultInfo) *transcript.ResultInfo {
	if from == nil {
		return nil
	}
	result := *from
	result.Text = redact.Text(result.Text)
	result.Overflow = redact.Text(result.Overflow)
	return &result
}

func redactDecision(from *transcript.Decision) *transcript.Decision {
	if from == nil {
		return nil
	}
	decision := *from
	decision.Topic = redact.Text(decision.Topic)
	decision.Question = redact.Text(decision.Question)
	decision.Rationale = redact.Text(decision.Rationale)
	decision.Tradeoffs = redact.Text(decision.Tradeoffs)
	decision.Chosen = redactList(decision.Chosen)
	decision.Options = append([]transcript.Option(nil), decision.Options...)
	for i := range decision.Options {
		option := &decision.Options[i]
		option.Label, option.Description = redact.Text(option.Label), redact.Text(option.Description)
	}
	decision.Rejected = append([]transcript.Refused(nil), decision.Rejected...)
	for i := range decision.Rejected {
		refused := &decision.Rejected[i]
		refused.Option, refused.Reason = redact.Text(refused.Option), redact.Text(refused.Reason)
	}
	return &decision
}

func redactItems(from []transcript.Item) []transcript.Item {
	items := append([]transcript.Item(nil), from...)
	for i := range items {
		items[i].Text = redact.Text(items[i].Text)
	}
	return items
}

func redactGit(from *transcript.GitInfo) *transcript.GitInfo {
	if from == nil {
		return nil
	}
	git := *from
	git.Repository = redact.Text(git.Repository)
	git.Branch = redact.Text(git.Branch)
	git.Commits = redactList(git.Commits)
	git.DiffStat = redact.Text(git.DiffStat)
	return &git
}

func redactList(from []string) []string {
	list := append([]string(nil), from...)
	for i := range list {
		list[i] = redact.Text(list[i])
	}
	return list
}
