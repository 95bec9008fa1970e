package statements

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/words"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Actions are the action items: what somebody other than the next agent is to do, or what a
// text lists as such: entries under a heading like "Action items", "Name:
// what" and "Name to do what" entries there, and what the agent says the
// person has to do by hand: that has been done, or not, some requests later.
type Actions struct {
	list []action
}

type action struct {
	distiller.Action
	turn int // requests before it
	last int // event of the reply that ends with it, 0 where it stands elsewhere
}

const maxActions = 10

// Carry takes over the action items of the session that this one continues.
func (a *Actions) Carry(prior []distiller.Action) {
	for _, p := range bounded.Limit(prior, maxActions) {
		a.list = append(a.list, action{Action: p})
	}
}

var (
	actionHeadings = []string{"action item", "actions", "todo for", "follow-ups", "aufgaben", "tâches", "tareas", "acciones", "задачи", "görevler", "アクション", "行动项", "待办", "액션"}
	owner          = lazyregexp.New(`^(?:@)?([\p{Lu}][\p{L}'-]+(?: [\p{Lu}][\p{L}'-]+)?)(?::| —| –| -| will | to )\s*(.+)$`)
	byHand         = []string{"you'll need to", "you will need to", "you need to", "you have to", "you'll have to", "please run", "please add", "please set", "du musst", "sie müssen", "vous devez", "tienes que", "вам нужно", "yapmanız gerek", "必要があります", "需要您", "你需要", "하셔야"}
)

// labels are marks that stand where a name would and are nobody's.
var labels = prose.SetOf("todo fixme note notes xxx hack wip bug info warning important optional next later done open")

// Add takes one more event.
func (a *Actions) Add(e *timeline.Event) {
	if e.Kind == transcript.Prompt && e.Relation == timeline.Begins && !e.Subagent {
		a.list = nil // of the work before
	}
	if e.Kind == transcript.Call && e.Origin == transcript.Typed && e.Call != nil && e.Call.Meaning == transcript.Read {
		a.list = slices.DeleteFunc(slices.Clone(a.list), func(k action) bool { return k.Who == byPerson && k.turn == e.Turn }) // they gave what they were asked for
	}
	if e.Kind == transcript.Result && e.ToolCall != nil && timeline.Happened(e) {
		a.given(e)
	}
	if e.Subagent || e.Kind != transcript.Reply && (e.Kind != transcript.Prompt || e.Wording.Words == "") {
		return
	}
	said := e.Said
	if e.Kind == transcript.Prompt {
		said = prose.Statements(e.Text)
	}
	for i, s := range said {
		low := strings.ToLower(s.Text)
		switch {
		case len(s.Text) > 240 || prose.IsQuestion(s.Text):
		case s.Bullet && headsActions(s.Heading):
			if m := owner.FindStringSubmatch(s.Text); m != nil && labels[strings.ToLower(m[1])] {
				a.keep("open", m[2], 0, e)
			} else if m != nil {
				a.keep(m[1], m[2], 0, e)
			} else {
				a.keep("open", s.Text, 0, e)
			}
		case e.Kind == transcript.Reply && tellsPerson(low) && !e.Lexicon.Begins(words.Condition, s.Text) && !strings.HasSuffix(s.Text, ":"):
			last := 0
			if i == len(said)-1 {
				last = e.Seq
			}
			a.keep(byPerson, s.Text, last, e)
		}
	}
}

// Awaits is what the person is asked to give or do by the last sentence of a reply, "" for nothing.
func (a *Actions) Awaits(reply int) string {
	for _, k := range a.list {
		if k.last == reply && reply > 0 {
			return k.What
		}
	}
	return ""
}

// given drops what the person was to give once a file of that name was read or changed.
func (a *Actions) given(e *timeline.Event) {
	for _, p := range append(timeline.ChangedBy(e), e.ToolCall.Info.Paths...) {
		a.list = slices.DeleteFunc(slices.Clone(a.list), func(k action) bool {
			return k.Who == byPerson && strings.Contains(p, ".") && prose.HasAny(k.What, "`"+path.Base(p)+"`", "`"+p+"`")
		})
	}
}

// headsActions says that a heading has the words of one of action items, each whole: a
// test may be called "NoActions".
func headsActions(heading string) bool {
	low := strings.ToLower(heading)
	for _, phrase := range actionHeadings {
		at := strings.Index(low, phrase)
		if at < 0 {
			continue
		}
		before, _ := utf8.DecodeLastRuneInString(low[:at])
		if phrase[0] >= utf8.RuneSelf || !unicode.IsLetter(before) && before != '_' {
			return true
		}
	}
	return false
}

// tellsPerson says that a sentence, in lower case, begins with what the person has to do:
// further behind it tells of a condition. Of languages that put the verb last the end
// counts.
func tellsPerson(low string) bool {
	for _, phrase := range byHand {
		if at := strings.Index(low, phrase); at >= 0 && (at <= opening || phrase[0] >= utf8.RuneSelf && at+len(phrase) >= len(low)-opening) {
			return true
		}
	}
	return false
}

// opening is how far from the start of a sentence, in bytes, it still begins: "After that,
// you need to …".
const opening = 16

// keep adds an action item, in place of an earlier one in the same words.
func (a *Actions) keep(who, what string, last int, e *timeline.Event) {
	what = prose.Clip(what, 200)
	a.list = slices.DeleteFunc(slices.Clone(a.list), func(k action) bool { return k.What == what })
	a.list = bounded.Limit(append(a.list, action{distiller.Action{Who: who, What: what, Source: e.Source}, e.Turn, last}), maxActions)
}

// byPerson is who has to do what the agent asked the person to do.
const byPerson = "user"

// Facts are the action items after so many requests, oldest first.
func (a *Actions) Facts(turn int) []distiller.Action {
	var out []distiller.Action
	for _, k := range a.list {
		if k.Who != byPerson || turn-k.turn <= passing {
			out = append(out, k.Action)
		}
	}
	return out
}
