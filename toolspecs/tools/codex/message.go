package codex

import (
	"html"
	"regexp"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// message reads what went to the model or came from it as prose. In paginated
// rollouts the items say it; only our own injected text stands here alone.
func (t *thread) message(payload []byte) {
	parts := transcript.Members(payload, "role", "content", "phase")
	texts := partTexts(parts[1])
	for _, text := range texts {
		if transcript.Ours(text) {
			t.emit("", "0", transcript.Event{Kind: transcript.Restored})
			return
		}
	}
	if t.state.Paginated {
		return
	}
	switch transcript.Text(parts[0]) {
	case "user":
		t.instructed(texts)
		if own := t.spoken(texts); own != "" {
			t.oldPrompt(fromModel, own)
		}
	case "assistant":
		t.said(fromModel, strings.Join(texts, "\n"), transcript.Text(parts[2]))
	}
}

// spoken joins the parts of a prompt without those that the tool put there.
func (t *thread) spoken(texts []string) string {
	var own []string
	for _, text := range texts {
		if !t.Spec.MachinePrompt(text) {
			own = append(own, text)
		}
	}
	return strings.Join(own, "\n")
}

// instructed emits the context files that Codex puts into the user's message:
// they hold rules to keep to. It repeats them with every turn; the first counts.
func (t *thread) instructed(texts []string) {
	for _, text := range texts {
		if strings.HasPrefix(strings.TrimSpace(text), "# AGENTS.md") && !t.state.Instructed {
			t.state.Instructed = true
			t.emit("", "agents", transcript.Event{Kind: transcript.Prompt, Text: text, Origin: transcript.Machine})
		}
	}
}

// request is the heading an editor puts before the user's own words.
const request = "## My request for Codex:"

// oldPrompt emits a prompt of an old rollout, which has each in two records.
func (t *thread) oldPrompt(from channel, text string) {
	if t.state.Paginated || strings.TrimSpace(text) == "" || t.state.repeats(from, text) {
		return
	}
	t.prompt("", text)
}

func (t *thread) prompt(record, text string) {
	if _, own, ok := strings.Cut(text, request); ok && strings.HasPrefix(text, "# Context from my IDE") {
		text = strings.TrimSpace(own)
	}
	if transcript.Ours(text) {
		t.emit(record, "0", transcript.Event{Kind: transcript.Restored})
		return
	}
	if delegated := delegation(text); delegated != "" {
		t.emit(record, "0", transcript.Event{Kind: transcript.Prompt, Text: delegated, Origin: transcript.Injected})
		return
	}
	origin := transcript.Typed
	switch {
	case t.state.Own:
		origin = transcript.Machine
	case t.state.Subagent:
		origin = transcript.Injected
	case t.Spec.MachinePrompt(text):
		origin = transcript.Machine
	}
	t.emit(record, "0", transcript.Event{Kind: transcript.Prompt, Text: text, Origin: origin})
}

// delegated is what another thread's agent wrote to this one.
var delegated = regexp.MustCompile(`(?s)^\s*<codex_delegation\b[^>]*>.*?<input>(.*?)</input>`)

// delegation is the text of such a message, "" for any other one.
func delegation(text string) string {
	if found := delegated.FindStringSubmatch(text); found != nil {
		return strings.TrimSpace(html.UnescapeString(found[1]))
	}
	return ""
}

// said emits a reply of an old rollout.
func (t *thread) said(from channel, text, phase string) {
	if t.state.Paginated || strings.TrimSpace(text) == "" || t.state.repeats(from, text) {
		return
	}
	t.reply("", text, phase)
}

// finalAnswer is the phase of the reply that closes a turn; the others are commentary.
const finalAnswer = "final_answer"

func (t *thread) reply(record, text, phase string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	event := t.emit(record, "0", transcript.Event{Kind: transcript.Reply, Text: text, Final: phase == finalAnswer})
	t.state.Reply = transcript.Fingerprint(strings.TrimSpace(text))
	if _, after, ok := strings.Cut(text, "<proposed_plan>"); ok {
		plan, _, _ := strings.Cut(after, "</proposed_plan>")
		t.derived(event, "plan", transcript.Event{Kind: transcript.Plan, Text: strings.TrimSpace(plan)})
	}
	t.Decisions(event, text)
}

// agentMessage reads what another agent wrote to this one, where it is not
// encrypted.
func (t *thread) agentMessage(payload []byte) {
	_, body, ok := strings.Cut(strings.Join(partTexts(transcript.Member(payload, "content")), ""), "Payload:\n")
	if ok && strings.TrimSpace(body) != "" {
		t.emit("", "0", transcript.Event{Kind: transcript.Prompt, Text: body, Origin: transcript.Injected})
	}
}
