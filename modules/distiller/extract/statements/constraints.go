package statements

import (
	"cmp"
	"html"
	"path"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/dialogue"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/modules/distiller/words"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Constraints are what the next agent must keep to:
//
//   - sentences of the person that forbid, demand or keep;
//   - what the agent found on the way, by name: what is needed, missing or
//     impossible here;
//   - the form of a command that works where the bare one did not;
//   - rules of the project's own context files, given by the tool or opened by
//     the agent, that speak of what the task speaks of.
type Constraints struct {
	user  []demand
	found []demand // by the agent
	forms []distiller.Statement
	env   environment
	rules []distiller.Statement // of context files, chosen by the task
	prior []distiller.Statement

	followed instructions
	looksUp  bool // the agent opened a skill by itself: its text is a manual, and no order

	replied distiller.Source // the newest reply
	ended   string           // what it ended with, until a call follows
}

// demand is a sentence of the person, or one of the agent's that says what it found. One
// of the person that holds for good stays ("always", "must"); an order in passing, what is not
// to be done this time ("don't"), and what was found end with the requests they were made in.
type demand struct {
	distiller.Statement
	request int // requests before it
	lasting bool
}

const (
	passing = 6 // requests that an order in passing holds for, and what the agent found

	maxUserRules    = 10
	maxFoundRules   = 6
	maxContextRules = 80
	contextHead     = 8 << 10 // bytes of a machine's prompt in which a context file may be named
	shownRules      = 4       // of context files
	shownRule       = 110     // runes of one
)

// Carry takes over the constraints of the session that this one continues.
func (c *Constraints) Carry(prior []distiller.Statement) {
	c.prior = bounded.Limit(prior, maxUserRules)
}

// Add takes one more event.
func (c *Constraints) Add(e *timeline.Event) {
	if e.Subagent {
		return
	}
	switch e.Kind {
	case transcript.Prompt:
		c.ended = ""
		if e.Relation == timeline.Begins {
			c.followed = instructions{}
		}
		at := strings.Index(e.Text[:min(len(e.Text), contextHead)], "AGENTS.md")
		switch {
		case at >= 0 && !timeline.OwnWords(e.Located):
			c.contextFile(e, e.Text[at:])
		case e.Origin == transcript.Machine && !e.Wording.Slash && c.looksUp:
			c.looksUp = false
		case e.Origin == transcript.Machine && !e.Wording.Slash:
			c.followed.read(e)
		case e.Wording.Words != "" && !e.Wording.Plan && !e.SentBack && !dialogue.IsNudge(e.Wording.Words, e.Lexicon):
			c.demanded(e)
		}
	case transcript.Compacted:
		if e.Compaction != nil && e.Compaction.Cleared { // what was said for one request went with it
			c.user, c.found = slices.DeleteFunc(slices.Clone(c.user), func(d demand) bool { return !d.lasting }), nil
		}
	case transcript.Call:
		c.announced()
		c.looksUp = c.looksUp || e.Call != nil && e.Call.Name == "Skill"
	case transcript.Decided: // a block of the reply is no sentence of it
		if d := e.Decision; d != nil && d.Kind == transcript.DecisionBlock && len(d.Chosen) > 0 {
			c.found = slices.DeleteFunc(slices.Clone(c.found), func(k demand) bool { return k.Source == e.Source && strings.Contains(k.Text, d.Chosen[0]) })
		}
	case transcript.Reply:
		c.replied, c.ended = e.Source, ""
		if n := len(e.Said); n > 0 {
			c.ended = "agent: " + e.Said[n-1].Text
		}
		for _, s := range e.Said {
			if inOption := s.Bullet && dialogue.IsLabelled(s.Heading); !inOption && needs(s.Text, e.Lexicon) { // what an option, or a step of a plan, would need is no need yet
				c.finds(distiller.Statement{Text: "agent: " + s.Text, Source: e.Source}, e.Turn, e.Lexicon)
			}
		}
	case transcript.Result:
		c.worked(e)
		c.opened(e)
	}
}

// announced drops what a reply ended with, once a call follows it: the agent said what it was
// about to do.
func (c *Constraints) announced() {
	if c.ended == "" {
		return
	}
	c.found = slices.DeleteFunc(slices.Clone(c.found), func(k demand) bool { return k.Source == c.replied && k.Text == c.ended })
	c.ended = ""
}

// needs says that a sentence of the agent tells by name what is needed, missing or
// impossible here. What it means to do itself is none of that, and "never" forbids at the
// start of a clause alone: behind its subject it tells what is.
func needs(text string, lex *words.Lexicon) bool {
	if n := len(text); n <= 30 || n >= 260 || strings.HasSuffix(text, ":") || strings.HasSuffix(text, "：") || prose.IsQuestion(text) || dialogue.NamedIn(text) == 0 || lex.In(words.Offer, text) || lex.Announces(text) {
		return false
	}
	plain := codeSpan.ReplaceAllString(text, "")
	if before, _, found := lex.Split(words.Needs, plain); found {
		return !lex.Ends(words.Self, before)
	}
	return slices.ContainsFunc(clauses.Split(plain, -1), func(clause string) bool { return lex.Begins(words.Never, clause) })
}

// clauses parts a sentence where another clause may begin.
var clauses = lazyregexp.New(`[—–:;,(，；：（*]| - `)

// finds keeps what the agent found, as it said it last: most of what either says is the same.
func (c *Constraints) finds(found distiller.Statement, turn int, lex *words.Lexicon) {
	about := dialogue.WordsOf(found.Text, lex)
	c.found = slices.DeleteFunc(slices.Clone(c.found), func(k demand) bool {
		return k.Text == found.Text || dialogue.SameMatter(about, dialogue.WordsOf(k.Text, lex), saysMuch)
	})
	c.found = bounded.Limit(append(c.found, demand{Statement: found, request: turn}), maxFoundRules)
}

// demanded reads the person's sentences.
func (c *Constraints) demanded(e *timeline.Event) {
	text := cmp.Or(e.Wording.Own, e.Wording.Words)
	long := len(text) > longPrompt
	if long && e.Wording.Pasted != "" {
		text, long = e.Wording.Words, false // the rest was pasted
	}
	all := prose.Statements(text)
	for _, s := range all {
		if len(all) == 1 && len(s.Text) > shortDemand && !e.Lexicon.Begins(words.No, s.Text) && !rulesOut(s.Text, e.Lexicon) && !bounds(s.Text, e.Lexicon) {
			continue // it is the request, and shown as such
		}
		if long && !e.Lexicon.Begins(words.Lasting, s.Text) && !rulesOut(s.Text, e.Lexicon) && !strings.Contains(e.Wording.Words, s.Text) {
			continue // a document tells of much that binds nobody
		}
		if len(s.Text) < 12 || len(s.Text) > 400 || asks(s.Text, e.Lexicon) || strings.ContainsAny(s.Text, "├└") || isPiece(s.Text) || !dialogue.IsProse(s.Text) || !demands(s.Text, e.Lexicon) || thinks(s.Text, e.Lexicon) || dialogue.Quotes(s.Text, e.Reply) {
			continue
		}
		if slices.ContainsFunc(c.user, func(k demand) bool {
			return strings.Contains(s.Text, strings.Trim(strings.TrimPrefix(k.Text, "user: "), `"…`))
		}) {
			continue // quoted again
		}
		c.user = slices.DeleteFunc(slices.Clone(c.user), func(k demand) bool { return overrules(s.Text, k.Text, e.Lexicon) })
		said := demand{distiller.Statement{Text: `user: "` + prose.Clip(s.Text, 200) + `"`, Source: e.Source}, e.Turn, forGood(s.Text, e.Lexicon)}
		c.user = bounded.Limit(append(c.user, said), maxUserRules)
	}
}

// asks says that a sentence is a question, with its mark or without, or has one behind a condition.
func asks(text string, lex *words.Lexicon) bool {
	head := clauses.Split(text, 3)
	return prose.IsQuestion(text) || slices.ContainsFunc(head[:min(len(head), 2)], func(clause string) bool { return dialogue.Asks(clause, lex) })
}

// isPiece says that a sentence was torn out of another text: a bracket closes that was never opened,
// or it holds a comment of code.
func isPiece(text string) bool {
	return strings.Count(text, ")") > strings.Count(text, "(") && !dialogue.IsLabelled(text) || strings.Contains(text, " # ")
}

// contextFile reads the rules of a context file that a tool put into the
// session: some put it into XML, and escape it for that.
func (c *Constraints) contextFile(e *timeline.Event, text string) {
	before := ""
	for _, s := range prose.Statements(html.UnescapeString(text)) {
		whole := s.Text
		if before != "" && e.Lexicon.In(words.Pointer, s.Text) && e.Lexicon.Weight(s.Text) < saysMuch {
			whole = strings.TrimSuffix(s.Text, ".") + " (" + strings.TrimSuffix(before, ".") + ")" // "Do not commit from it."
		}
		before = s.Text
		if len(s.Text) > 20 && len(whole) < 300 && e.Lexicon.In(words.Demand, s.Text) {
			rule := prose.Clip(strings.TrimPrefix(whole, "- "), 200) // a listing has its own marks before those of the file
			c.rules = bounded.Keep(c.rules, distiller.Statement{Text: rule, Source: e.Source}, maxContextRules)
		}
	}
}

var codeSpan = lazyregexp.New("`[^`]*`")

// contextFiles are what agents take their rules from.
var contextFiles = prose.SetOf("AGENTS.md AGENTS.override.md CLAUDE.md CLAUDE.local.md GEMINI.md CONVENTIONS.md .cursorrules .windsurfrules copilot-instructions.md")

// listedLine is how tools number the lines of a file they show.
var listedLine = lazyregexp.New(`(?m)^ *\d+(?:: ?|→|\t|\| ?)`)

// opened reads the rules of a context file that the agent opened.
func (c *Constraints) opened(e *timeline.Event) {
	if e.ToolCall == nil || e.ToolCall.Subagent || e.ToolCall.Info.Meaning != transcript.Read || !timeline.Passed(e) {
		return
	}
	for _, p := range e.ToolCall.Info.Paths {
		if contextFiles[path.Base(p)] {
			c.contextFile(e, listedLine.ReplaceAllString(prose.Excerpt(e.Result.Text), ""))
		}
	}
}

// environment is what calls that worked set before what they did, the newest of its kind.
type environment struct {
	distiller.Statement
	calls int
}

// severalCalls are so many that it is needed in each.
const severalCalls = 3

// see takes one more call that worked.
func (v *environment) see(text string, source distiller.Source) {
	switch set := shell.Environment(text); set {
	case "":
	case v.Text:
		v.calls++
	default:
		*v = environment{distiller.Statement{Text: set, Source: source}, 1}
	}
}

// worked notes that a program which was not found works in another form.
func (c *Constraints) worked(e *timeline.Event) {
	if e.ToolCall == nil || !timeline.Passed(e) || e.ToolCall.Subagent {
		return
	}
	c.env.see(e.ToolCall.Info.Command, e.ToolCall.Source)
	for _, cmd := range e.ToolCall.Commands {
		bare := shell.Unwrap(cmd.Argv)
		if len(bare) == len(cmd.Argv) || len(bare) == 0 {
			continue
		}
		c.forms = bounded.Keep(c.forms, distiller.Statement{Text: prose.Code(alone(cmd), 120), Source: e.ToolCall.Source}, maxFoundRules)
	}
}

// alone is a command as it was written, without the word of a loop or a condition before it.
func alone(cmd shell.Command) string {
	text := prose.OneLine(cmd.Text)
	for _, word := range []string{"do ", "then ", "else "} {
		text = strings.TrimPrefix(text, word)
	}
	return prose.Fallback(text, strings.Join(cmd.Argv, " "))
}

// formOf is the newest form in which a program that was not found by its name alone works, the zero
// value for none.
func (c *Constraints) formOf(program string) distiller.Statement {
	for _, form := range slices.Backward(c.forms) {
		if slices.Contains(strings.Fields(strings.Trim(form.Text, "`")), program) {
			return form
		}
	}
	return distiller.Statement{}
}

// WorksOtherwise says that a program which was not found works in another form.
func (c *Constraints) WorksOtherwise(program string) bool { return c.formOf(program).Text != "" }

// Facts are the constraints that hold after so many turns: the person's, forms
// of missing programs that work, and the project's rules that speak of the task.
func (c *Constraints) Facts(turn int, missing []string, task *distiller.Task, committing bool) []distiller.Statement {
	var out []distiller.Statement
	for _, u := range slices.Backward(c.user) {
		if !u.lasting && turn-u.request > passing {
			continue
		}
		if task != nil && prose.Repeats(strings.Trim(u.Text[len("user: "):], `"…`), task.Text) {
			continue // the task says it already
		}
		out = append(out, u.Statement)
	}
	for _, program := range missing {
		if form := c.formOf(program); form.Text != "" {
			out = append(out, distiller.Statement{Text: "bare `" + program + "` is not found; this form works: " + form.Text, Source: form.Source})
		}
	}
	if c.env.calls >= severalCalls {
		out = append(out, distiller.Statement{Text: "each call sets this first: " + prose.Code(c.env.Text, 140), Source: c.env.Source})
	}
	out = append(out, c.chosenRules(task, committing)...)
	for _, f := range slices.Backward(c.found) {
		if turn-f.request <= passing {
			out = append(out, f.Statement)
		}
	}
	out = append(out, c.followed.rules...)
	return append(out, c.prior...)
}

// rareWord is what a word counts for, by one more than the rules it stands in: whole numbers, so
// that the order of a map decides nothing.
const rareWord = 1000

// chosenRules are the context file's rules that say most of what the task speaks of, the
// best few: a word that many of the rules have says little.
func (c *Constraints) chosenRules(task *distiller.Task, committing bool) []distiller.Statement {
	if task == nil || len(c.rules) == 0 {
		return nil
	}
	about := prose.ContentWords(task.Text + " " + task.Now + " " + task.Goal)
	if committing { // what is changed is to be committed
		about["commit"], about["commits"] = true, true
	}
	rules := make([]map[string]bool, len(c.rules))
	spread := map[string]int{} // in how many rules a word stands
	for i, r := range c.rules {
		rules[i] = prose.ContentWords(r.Text)
		for w := range rules[i] {
			spread[w]++
		}
	}
	type scored struct {
		distiller.Statement
		score int
	}
	var best []scored
	for i, r := range c.rules {
		score := 0
		for w := range rules[i] {
			if about[w] {
				score += rareWord / (spread[w] + 1)
			}
		}
		if score > 0 {
			best = append(best, scored{r, score})
		}
	}
	slices.SortStableFunc(best, func(a, b scored) int { return b.score - a.score })
	var out []distiller.Statement
	for i, b := range best {
		if i == shownRules {
			break
		}
		b.Text = distiller.ProjectRules + `"` + prose.Clip(b.Text, shownRule) + `"`
		out = append(out, b.Statement)
	}
	return out
}
