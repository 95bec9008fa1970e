package quality

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Method makes a text at a cut; "" when it has none there.
type Method struct {
	Name string
	Text func(c *Checkpoint, k *Key) string
}

// ours is the name of our method.
const ours = "carryover"

// Methods are ours and what people have today.
var Methods = methods(extract.Options{})

func methods(opts extract.Options) []Method {
	return []Method{
		{ours, func(c *Checkpoint, _ *Key) string { return handoff(c.Before, opts) }},
		{"own summary", func(c *Checkpoint, _ *Key) string { return c.Summary }},
		{"last ten files", func(_ *Checkpoint, k *Key) string { return strings.Join(k.Seen[max(0, len(k.Seen)-10):], "\n") + "\n" }},
		{"last prompt, last reply", func(c *Checkpoint, k *Key) string { return lastPrompt(k) + "\n" + lastReply(c) + "\n" }},
	}
}

// Handoff is what `carryover distill` prints for events.
func Handoff(events []transcript.Located) string { return handoff(events, extract.Options{}) }

// HandoffWithoutWords is the same where no word of any language is known.
func HandoffWithoutWords(events []transcript.Located) string {
	return handoff(events, extract.Options{WithoutWords: true})
}

func handoff(events []transcript.Located, opts extract.Options) string {
	facts := extract.Fold(distiller.Facts{}, opts, slices.Values(events))
	return string(render.Handoff(facts, render.Options{}))
}

func lastPrompt(k *Key) string {
	if len(k.Prompts) == 0 {
		return ""
	}
	return k.Prompts[len(k.Prompts)-1]
}

func lastReply(c *Checkpoint) string {
	for _, e := range slices.Backward(c.Before) {
		if e.Kind == transcript.Reply && !e.Subagent && !e.Withdrawn {
			return e.Text
		}
	}
	return ""
}
