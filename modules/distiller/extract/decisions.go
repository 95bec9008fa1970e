package extract

import (
	"regexp"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Decisions, in order of trust:
//
//   - what the transcript records as one: an answered question of an asking
//     tool, an approved plan, a DECISION: block. A block or a later answer
//     about the same question completes or replaces the earlier record.
//   - corrections: a prompt that begins by saying no, or that asks why not
//     another way, after the agent has worked; a call the user rejected.
//   - consent: "yes" to a reply that ends by asking. The question is the
//     decision; the task stays.
//   - prose of the agent that says what was chosen and against what, or what
//     the cause turned out to be, what a review found, or how the next step will be done; and its
//     commands that leave out a check or throw work away. Offers, conditionals and questions are none,
//     and nothing is read from tool output.
type decisionRules struct {
	explicit []decision // asked, plan, block, correction, consent
	prose    []decision
	reply    []statement // last reply without a prompt after it
	plan     string      // title of the last plan
	worked   bool        // the agent has done something
}

type decision struct {
	distiller.Decision
	weight int
	seq    int
}

const (
	maxExplicit   = 40
	maxProse      = 60
	shownProse    = 10
	maxDecisionIn = 260 // runes of a sentence that may be one
)

// carry takes a predecessor's decisions over, the oldest first as they came.
func (d *decisionRules) carry(prior []distiller.Decision) {
	for _, p := range slices.Backward(prior) {
		d.explicit = append(d.explicit, decision{Decision: p, weight: 3})
	}
	d.explicit = limit(d.explicit, maxExplicit)
}

func (d *decisionRules) add(e *event) {
	switch e.Kind {
	case transcript.Plan:
		if !e.Subagent && e.Text != "" {
			d.plan = planTitle(e.Text)
		}
	case transcript.Decided:
		d.recorded(e)
	case transcript.Prompt:
		if !e.Subagent && (ownWords(e.Located) || e.req.slash) {
			d.prompt(e)
		}
	case transcript.Reply:
		if !e.Subagent {
			d.worked = true
			d.reply = e.said
			d.said(e)
		}
	case transcript.Result:
		d.rejected(e)
		d.done(e)
	}
}

// recorded takes a decision of the transcript, completing an earlier record of
// the same question.
func (d *decisionRules) recorded(e *event) {
	if e.Decision == nil || e.Subagent && e.Decision.Kind != "block" {
		return
	}
	got := fromTranscript(e)
	if named := got.Topic != "" && !strings.HasSuffix(got.Topic, ".md"); got.Kind == "plan" && !named && got.Question == "" && d.plan != "" {
		got.Topic = d.plan // the plan's own title, rather than its file's name
	}
	if got.Question != "" {
		for i, known := range d.explicit {
			if strings.EqualFold(known.Question, got.Question) {
				got = merge(known.Decision, got)
				d.explicit = slices.Delete(slices.Clone(d.explicit), i, i+1)
				break
			}
		}
	}
	if len(got.Chosen) == 0 && got.Rationale == "" && got.Topic == "" {
		return
	}
	d.explicit = limit(append(d.explicit, decision{Decision: got, weight: 5, seq: e.seq}), maxExplicit)
}

func fromTranscript(e *event) distiller.Decision {
	t := e.Decision
	out := distiller.Decision{Topic: t.Topic, Question: oneLine(t.Question), Chosen: slices.Clone(t.Chosen), Rationale: oneLine(t.Rationale), Tradeoffs: oneLine(t.Tradeoffs), Kind: t.Kind, Source: e.src}
	for _, o := range t.Options {
		out.Options = append(out.Options, o.Label)
	}
	for _, r := range t.Rejected {
		out.Rejected = append(out.Rejected, distiller.Refused(r))
	}
	return out
}

// merge lets the later record win and keeps what only the earlier one says.
func merge(old, now distiller.Decision) distiller.Decision {
	if len(now.Options) == 0 {
		now.Options = old.Options
	}
	if len(now.Chosen) == 0 {
		now.Chosen = old.Chosen
	}
	if now.Rationale == "" {
		now.Rationale = old.Rationale
	}
	if now.Tradeoffs == "" {
		now.Tradeoffs = old.Tradeoffs
	}
	if len(now.Rejected) == 0 {
		now.Rejected = old.Rejected
	}
	return now
}

func (d *decisionRules) prompt(e *event) {
	words := e.req.words
	if words == "" {
		return
	}
	switch {
	case isNudge(words) || isConsent(words) && len(strings.Fields(words)) <= 4:
		d.consent(e, words)
	case d.worked && isCorrection(words):
		d.explicit = limit(append(d.explicit, decision{weight: 4, seq: e.seq, Decision: distiller.Decision{
			Chosen: []string{clip(words, maxDecisionIn)}, Kind: "correction", Source: e.src,
		}}), maxExplicit)
	}
	d.reply = nil
}

// consent makes the question that the last reply ended with a decision.
func (d *decisionRules) consent(e *event, words string) {
	if !isConsent(words) {
		return
	}
	said := d.reply
	last := -1
	for i := max(0, len(said)-4); i < len(said); i++ {
		if isQuestion(said[i].text) {
			last = i
		}
	}
	if last < 0 {
		return
	}
	d.explicit = limit(append(d.explicit, decision{weight: 4, seq: e.seq, Decision: distiller.Decision{
		Question: clip(said[last].text, maxDecisionIn), Chosen: []string{clip(oneLine(words), 80)}, Rationale: proposal(said[:last]),
		Kind: "prose", Source: e.src,
	}}), maxExplicit)
}

// proposal is the heart of what was agreed to: the entries that name a value
// or a file, else the first sentence.
func proposal(said []statement) string {
	var parts []string
	size := 0
	for _, s := range said {
		if !s.bullet || isQuestion(s.text) || !strings.ContainsAny(s.text, "`/=") {
			continue
		}
		if size+len(s.text) > 200 {
			break
		}
		parts = append(parts, s.text)
		size += len(s.text)
	}
	if len(parts) == 0 && len(said) > 0 {
		return clip(said[0].text, 200)
	}
	return clip(strings.Join(parts, "; "), 220)
}

// noWords begin a prompt that takes something back.
var noWords = []string{
	"no,", "no.", "no ", "nope", "not that", "not what", "don't", "do not", "dont ", "stop", "wait,", "wait ", "actually", "instead", "wrong", "that's wrong", "that is wrong",
	"that's not", "thats not", "this is not", "i meant", "i mean", "i said", "undo", "revert", "you forgot", "you missed", "you should have", "why did you", "why are you",
	"nein", "nicht ", "falsch", "halt", "stopp", "non,", "non ", "pas ", "ne ", "no es", "no quiero", "mejor ", "não", "errado", "nee,", "nee ", "nie,", "nie ", "нет", "не ", "неправильно",
	"hayır", "yanlış", "öyle değil", "いや", "違う", "違います", "ちがう", "そうじゃなく", "やめて", "不是", "不对", "不要", "别", "错", "아니", "그게 아니", "하지 마", "틀렸",
}

// challenges ask whether another way had been better.
var challenges = []string{"couldn't we", "could we not", "can't we", "shouldn't we", "shouldn't it", "shouldn't this", "why not ", "why don't we", "wouldn't it be", "isn't it better", "warum nicht", "pourquoi pas", "por qué no", "почему не", "neden ", "なぜ", "왜 "}

// isCorrection says whether a prompt overturns what the agent did.
func isCorrection(words string) bool {
	low := strings.ToLower(words)
	if hasPrefixAny(low, "no problem", "no worries", "not sure", "no need", "don't worry", "ne zaman", "ne yap", "wait for", "stop hook") {
		return false
	}
	return hasPrefixAny(low, noWords...) || hasAny(clip(low, 120), challenges...)
}

// rejected takes a call the user turned down, with the words if any came.
func (d *decisionRules) rejected(e *event) {
	if e.Result == nil || e.Result.Outcome != transcript.Rejected || e.call == nil || e.call.subagent {
		return
	}
	reason, m := rejectionReason(e.Result.Text), e.call.info.Meaning
	if m == transcript.Ask || m == transcript.Planning && reason == "" {
		return // a question left alone is an open question; a plan sent back without a word says nothing
	}
	what := e.call.what()
	if len(e.call.info.Paths) > 0 && e.call.info.Command == "" {
		what = e.call.info.Name + " " + e.place.rel(e.call.info.Paths[0], e.call.info.Cwd)
	}
	text := "the user rejected " + clip(what, 120)
	if reason != "" {
		text += `: "` + clip(reason, 160) + `"`
	}
	d.explicit = limit(append(d.explicit, decision{weight: 4, seq: e.seq, Decision: distiller.Decision{Chosen: []string{text}, Kind: "correction", Source: e.call.src}}), maxExplicit)
}

// rejectionReason is what the user said when turning a call down.
func rejectionReason(text string) string {
	for _, mark := range []string{"the user said:", "user provided the following reason", "reason for the rejection:", "User feedback:"} {
		if _, after, ok := strings.Cut(text, mark); ok {
			first, _, _ := strings.Cut(strings.TrimLeft(after, ": \n"), "\n\n")
			return oneLine(first)
		}
	}
	return ""
}

// weighty are commands that are decisions by themselves: they leave checks
// out, throw work away or pin a version.
var weighty = []string{"git reset --hard", "--no-verify", " --skip-", "push --force", "push -f ", "git revert ", "git checkout -- ", "git rm ", "git stash drop", "--force-with-lease"}

// pins matches a dependency brought in at a version of one's own choice, removes
// a source file thrown away.
var (
	pins    = regexp.MustCompile(`\b(?:go get|npm (?:i|install)|pnpm add|yarn add|bun add|cargo add|pip3? install|uv add)\b[^|&;]*?[\w/.-](?:@|==)[\w.^~-]+`)
	removes = regexp.MustCompile(`(?:^|&& |; )rm (?:-\w+ )*\S+\.(?:go|py|tsx?|jsx?|rs|rb|java|kt|cs|php|swift|c|cc|cpp|h)\b`)
)

// done takes weighty commands that went through, with the reason the agent
// gave for them.
func (d *decisionRules) done(e *event) {
	if e.call == nil || e.call.subagent || e.call.info.Command == "" || !passed(e) {
		return
	}
	key := e.call.what()
	marks := weighty
	if pin := pins.FindString(key); pin != "" {
		marks = []string{pin}
	} else if gone := removes.FindString(key); gone != "" && e.call.info.Detail != "" && !strings.Contains(gone, "/tmp/") && !strings.ContainsAny(gone, "*") {
		marks = []string{gone}
	}
	for _, w := range marks {
		i := strings.Index(key, w)
		if i < 0 {
			continue
		}
		from := strings.LastIndex(key[:i], "&& ") + 1
		text := "ran `" + clip(strings.ReplaceAll(strings.TrimLeft(key[max(0, from):], "& "), "`", "'"), 120) + "`"
		if e.call.info.Detail != "" {
			text += ": " + clip(oneLine(e.call.info.Detail), 100)
		}
		d.keepProse(decision{weight: 3, seq: e.seq, Decision: distiller.Decision{Chosen: []string{text}, Kind: "prose", Source: e.call.src}})
		return
	}
}

// keepProse keeps the newest sentences, the weightier ones longer.
func (d *decisionRules) keepProse(p decision) {
	for i, known := range d.prose {
		if known.Chosen[0] == p.Chosen[0] {
			d.prose = slices.Delete(slices.Clone(d.prose), i, i+1)
			break
		}
	}
	d.prose = append(d.prose, p)
	if len(d.prose) <= maxProse {
		return
	}
	worst := 0
	for i, known := range d.prose[:maxProse/2] {
		if known.weight < d.prose[worst].weight {
			worst = i
		}
	}
	d.prose = slices.Delete(slices.Clone(d.prose), worst, worst+1)
}

// facts lists what was recorded, newest first, then the best prose.
func (d *decisionRules) facts() []distiller.Decision {
	var out []distiller.Decision
	for _, e := range slices.Backward(d.explicit) {
		out = append(out, e.Decision)
	}
	prose := slices.Clone(d.prose)
	slices.Reverse(prose)
	now := 0
	if len(prose) > 0 {
		now = prose[0].seq
	}
	slices.SortStableFunc(prose, func(a, b decision) int {
		return (b.weight*60 - (now - b.seq)) - (a.weight*60 - (now - a.seq))
	})
	for i, p := range prose {
		if i == shownProse {
			break
		}
		out = append(out, p.Decision)
	}
	return out
}
