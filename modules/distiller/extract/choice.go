package extract

import (
	"regexp"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
)

// What in an agent's prose is a choice. A sentence is weighed by what it says:
//
//	3  an entry of a review
//	2  something chosen over something else; the cause of a fault, or an entry
//	   of the list that explains it
//	1  how things are from now on; what follows from a finding; the next step
//	   together with its object and the way it is done
//
// and one more when it names code. Offers, questions, claims of success and
// thinking aloud weigh nothing.

// choiceWords say that something was chosen, in what agents write.
var choiceWords = []string{
	"decided to", "decided against", "decision:", "i'm going with", "going with", "let's go with", "i'll go with", "we'll go with", "i chose", "we chose", "chosen because", "opted for", "opting for",
	"rather than", "instead of", "simplest fix", "simplest solution", "cleanest fix", "right fix", "better approach", "different approach", "is intentionally", "intentionally ", "is deferred", "deferred until", "on purpose",
	"entschieden", "statt ", "anstatt", "au lieu de", "plutôt que", "en lugar de", "en vez de", "em vez de", "invece di", "вместо", "решил", "yerine", "karar ver", "代わりに", "ことにし", "方針", "改用", "决定", "而不是", "대신", "결정", "하기로",
}

// causeWords say what the cause turned out to be.
var causeWords = []string{"root cause", "turns out", "turned out", "the real problem", "the real issue", "the actual problem", "the actual issue", "was caused by", "is caused by", "is a duplicate of", "duplicate of", "already fixed", "the culprit", "issue is that", "problem is that", "the reason is", "原因は", "原因是", "원인은", "sebebi", "die ursache", "la cause"}

// stateWords say how something works from now on.
var stateWords = []string{" now uses ", " now reuses ", " still uses ", " no longer ", "the fix would be", "the fix is to", "effectively a ", " are now reported", " now reports "}

// finding is an entry of a review: it begins with a severity or names the line
// of a file.
var finding = regexp.MustCompile("^(?:Critical|Important|Blocker|Major|High|Medium|P[0-3])\\b|^`?[\\w./-]+\\.\\w+:\\d+")

// offers mark what was only put up for choice.
var offers = []string{"would you", "should i", "do you want", "could also", "could use", "alternatively", "maybe ", "perhaps", "might ", "option a", "option b", "option 1", "option 2", "if you prefer", "if you'd", "one option", "you could", "we could", "let me know", "möchtest", "souhaitez", "prefieres", "хотите", "ister misin", "원하시"}

// musings begin sentences that think aloud: what comes of them is said later.
var musings = []string{"let me", "now let me", "actually, let me", "let's see", "let's check", "i need to", "i should", "now i", "first,", "i'll check", "hmm", "i'm ", "i'll help", "once this"}

// stepWords begin sentences in which the agent says what it is about to do.
var stepWords = []string{
	"i'll ", "i will ", "let me ", "now i'll", "we'll ", "first i'll", "since this ", "so i ", "so we ", "i only need", "i'm fixing", "i’m fixing", "i'm adding", "i’m adding", "i'm keeping", "i’m keeping", "i’ll ",
	"ich werde ", "je vais ", "voy a ", "ben ", "vou ",
}

// shapes make such a sentence a choice and not a mere step.
var shapes = []string{
	" so they ", " so it ", " so that ", " so the ", "separately", " instead of ", " rather than ", " against ", " in parallel", " only need", " without ", " myself ", "since this ", " there and ",
}

// lookings begin steps that only look.
var lookings = []string{"check", "look", "read ", "search", "find ", "explore", "investigate", "understand", "see ", "examine", "verify", "run ", "review", "start by", "first"}

// foundWords tell a finding that the work rests on.
var foundWords = []string{"i found ", "i've found ", "i’ve found ", "the bug is", "the cause is", "here's the problem", "here is the problem", "actual failure", "real failure", "failure is ", "doesn't exist, and", "does not exist, and"}

// builtWords say how something was made.
var builtWords = []string{" is now implemented", " are now implemented", " now supports ", " now handles ", " now covers ", " now returns ", " now requires ", "test uses ", "tests use ", " test covers ", " was added to ", " is handled by "}

// isStep says that a sentence announces a step, and isDesign that it also says
// how it is done.
func isStep(low string) bool {
	return hasPrefixAny(low, stepWords...) || hasAny(low, ", let me ", " i'll ", " i’ll ", "since this ", " i'm fixing", " i’m fixing", "then handle")
}

func isDesign(low string) bool {
	return len(low) > 50 && isStep(low) && hasAny(low, shapes...) && !hasAny(clip(low, 40), lookings...)
}

// makes names an object of code that a step is about.
var makes = regexp.MustCompile("(?i)\\b(?:add|use|make|move|keep|replace|remove|rename|put|set|drop|configure|split|switch)\\b[^`]{0,60}`[^`]+`")

// blockLabels begin the lines of a DECISION: block.
var blockLabels = []string{"decision:", "question:", "options:", "chosen:", "rationale:", "trade-offs:", "tradeoffs:"}

// said reads a reply for choices and causes.
func (d *decisionRules) said(e *event) {
	for i, s := range e.said {
		weight := d.weigh(e.said, i)
		if weight == 0 {
			continue
		}
		text := s.text
		if i > 0 && leansBack(text) && !e.said[i-1].bullet && len(text)+len(e.said[i-1].text) < maxDecisionIn {
			text = e.said[i-1].text + " " + text
			d.prose = slices.DeleteFunc(d.prose, func(p decision) bool { return p.Chosen[0] == e.said[i-1].text })
		}
		d.keepProse(decision{weight: weight, seq: e.seq, Decision: distiller.Decision{Chosen: []string{clip(text, maxDecisionIn)}, Kind: "prose", Source: e.src}})
	}
}

// leansBack says that a sentence means little without the one before it.
func leansBack(text string) bool {
	low := strings.ToLower(text)
	return hasPrefixAny(low, "so ", "therefore", "that means", "this means", "which means", "since this") || strings.Contains(low, " there ")
}

// weigh is what a sentence says for being a choice, 0 for nothing.
func (d *decisionRules) weigh(said []statement, i int) int {
	s := said[i]
	if n := len([]rune(s.text)); n < 30 || n > 2*maxDecisionIn || isQuestion(s.text) {
		return 0
	}
	low := strings.ToLower(s.text)
	if hasPrefixAny(low, "if ", "otherwise", "please ", "wenn ", "si ", "если ") {
		return 0 // what would be, or what somebody else is to do
	}
	if hasPrefixAny(strings.TrimLeft(low, "*#>- "), blockLabels...) || hasAny(low, offers...) || claimState(s) != "" {
		return 0 // a DECISION: block is an event of its own
	}
	weight, design := 0, isDesign(low)
	switch {
	case s.bullet && finding.MatchString(s.text):
		weight = 3
	case hasAny(low, choiceWords...), hasAny(low, causeWords...), hasAny(low, foundWords...), explains(said, i):
		weight = 2
	case design, hasAny(low, stateWords...), hasAny(low, builtWords...), hasPrefixAny(low, "so i only", "so we only", "therefore"):
		weight = 1
	case isStep(low) && makes.MatchString(s.text) && !hasAny(clip(low, 40), lookings...):
		return 1
	case hasAny(low, " because ", " so that ", "weil ", "parce que", "porque ", "потому что", "çünkü", "ため、", "因为", "때문") && hasAny(" "+low, " use ", " using ", " keep ", " kept ", " switch"):
		weight = 1
	}
	if weight == 0 || hasPrefixAny(low, musings...) && !design {
		return 0
	}
	if s.bullet || strings.ContainsAny(s.text, "`") {
		weight++
	}
	return weight
}

// explains says that a list entry is one of the first of a list that tells the
// cause of a fault.
func explains(said []statement, i int) bool {
	if !said[i].bullet {
		return false
	}
	for back := 1; back <= 2 && i-back >= 0; back++ {
		if p := said[i-back]; !p.bullet {
			return hasAny(strings.ToLower(p.text), "problem", "issue", "cause", "reason")
		}
	}
	return hasAny(strings.ToLower(said[i].heading), "problem", "root cause", "the issue") && (i == 0 || said[i-1].heading != said[i].heading)
}
