package timeline

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/dialogue"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/words"
)

// In what words the agent concluded a request. A sentence concludes by where it stands and what it
// names: the first of a reply, one set off in bold or as an entry, one that names things of
// the work or speaks of what was asked. What the agent is about to do, offers
// or asks is no conclusion.

// Remark is a sentence of the agent that concludes something, with the heading it stands
// under, "" for none.
type Remark struct {
	Text   string
	Under  string
	Weight int // how much it says
	Source distiller.Source
	reply  int  // event
	at     int  // place in the reply
	final  bool // of the newest reply
	slight bool // says so little that it stands only where the reply is shown whole
	list   int  // place of the list that it is an entry of, 0 for none
	of     int  // entries of that list
}

// LeftOut counts after each of the remarks that are shown how many entries of its list are not:
// at the last one that is.
func LeftOut(shown []Remark) []int {
	out := make([]int, len(shown))
	for i, r := range shown {
		if r.list == 0 || i+1 < len(shown) && shown[i+1].reply == r.reply && shown[i+1].list == r.list {
			continue
		}
		out[i] = r.of
		for j := i; j >= 0 && shown[j].reply == r.reply && shown[j].list == r.list; j-- {
			out[i]--
		}
	}
	return out
}

// Whole is the sentence with its heading.
func (r Remark) Whole() string {
	if r.Under != "" {
		return r.Under + ": " + r.Text
	}
	return r.Text
}

const (
	maxRemarks   = 40
	finalRemarks = 30   // of one reply
	finalRunes   = 1600 // of one reply: seven lines of a handoff
	earlyWeight  = 3    // a sentence between calls must say this much
	wholeReply   = 1500 // runes: a closing reply of no more is shown whole
	leastWeight  = -1   // of a sentence that is shown with all of its reply
	shortEntry   = 6    // runes: an entry says nothing in fewer
	shortSaid    = 18   // a sentence neither
	shortHeading = 60   // a longer one is a sentence
	longHeading  = 90   // of a list
	wholeHeading = 120  // of one that stands behind another list
)

// remarkWidths are how long a sentence of a reply may be, in runes: the first at which all
// of the reply has room.
var remarkWidths = []int{300, 200, 140}

// conclusions are a request's remarks after one more reply: the best of the
// replies before it, and of this one. What it closed with before a nudge that led to no call
// still stands.
func conclusions(r *Request, e *Event, edited bool) []Remark {
	var kept []Remark
	nudged := 0
	if n := len(r.Moved); n > 0 {
		nudged = r.Moved[n-1].Seq
	}
	for _, known := range r.Remarks {
		if known.final = known.final && known.reply > r.LastCall && known.reply < nudged; known.final || known.Weight >= earlyWeight {
			kept = append(kept, known)
		}
	}
	fresh := concluding(e, dialogue.WordsOf(r.Words, e.Lexicon), r.Waits, edited)
	kept = slices.DeleteFunc(kept, func(k Remark) bool {
		return slices.ContainsFunc(fresh, func(f Remark) bool { return f.Text == k.Text })
	})
	return bounded.Limit(append(kept, fresh...), maxRemarks)
}

// concluding are the sentences of a reply that conclude something, in order, as far as they
// have room. The options of what it asks conclude nothing. Where files were edited just before, the
// first sentence tells of it.
func concluding(e *Event, about map[string]bool, asked *dialogue.Question, edited bool) []Remark {
	said := e.Said
	if prose.HasAny(e.Text, "\n|", "```", ":\n") {
		said = prose.Report(e.Text)
	}
	var all []Remark
	list, of := prose.Lists(said)
	first, joined, whole := true, -1, utf8.RuneCountInString(e.Text) <= wholeReply
	for i, s := range said {
		switch {
		case i == joined:
			continue
		case prose.LeadsToCode(said, i):
			s.Text, joined = s.Text+" "+said[i+1].Text, i+1
		}
		heads := prose.HeadsList(said, i)
		if heads && utf8.RuneCountInString(s.Text) < longHeading || saysNothing(e, s, heads) || asked.Offers(s.Text) || i == len(said)-1 && LeadsOn(e, s.Text) {
			continue // or it stands before its entries
		}
		w := weightOf(s, about, e.Lexicon)
		if first && i < 2 {
			w = opening(w, s.Text, edited && i == 0, e.Lexicon)
		}
		first = false
		if i == len(said)-1 {
			w++
		}
		if heads && !e.Lexicon.Announces(s.Text) {
			w = max(w, 1)
		}
		slight := w < 0 || w == 0 && !s.Bullet
		if slight && (!whole || !fills(s.Text, w, e.Lexicon)) {
			continue
		}
		r := Remark{Text: s.Text, Weight: w, Source: e.Source, reply: e.Seq, at: i, final: true, slight: slight, list: list[i], of: of[i]}
		if n := utf8.RuneCountInString(s.Heading); !s.Loose && (n < shortHeading || s.Bullet && n < longHeading) {
			r.Under = s.Heading
		} else if followsList(all, r) {
			r.Under = prose.Clip(s.Heading, wholeHeading)
		}
		all = append(all, r)
	}
	return fitted(all)
}

// followsList says that an entry would seem to belong to the list before its own: what heads it is not
// said.
func followsList(before []Remark, entry Remark) bool {
	if len(before) == 0 || entry.list == 0 {
		return false
	}
	last := before[len(before)-1]
	return last.list != 0 && (last.list != entry.list || last.Under != "")
}

// opening is the weight of the sentence that a reply begins with, of so much by itself: right behind an edit it
// tells of that.
func opening(weight int, text string, edited bool, lex *words.Lexicon) int {
	if weight += 2; edited && weight > 0 && !lex.In(words.Self, text) {
		return max(weight, earlyWeight)
	}
	return weight
}

// fills says that a sentence which says little belongs to a reply that is shown whole.
func fills(text string, weight int, lex *words.Lexicon) bool {
	return weight >= leastWeight && !lex.Announces(text)
}

// saysNothing says that a sentence is too short, asks, is a line of a log, or only leads to
// what is not below it.
func saysNothing(e *Event, s prose.Statement, heads bool) bool {
	n := utf8.RuneCountInString(s.Text)
	return n < shortEntry || n < shortSaid && !s.Bullet || prose.IsQuestion(s.Text) || !s.Bullet && dialogue.IsLog(s.Text) || prose.IsCode(s.Text) || !heads && leadsIn(s.Text, e.Lexicon)
}

// fitted are the remarks that have room, in their order: shortened as far as they must be,
// and then without the lightest.
func fitted(all []Remark) []Remark {
	sort.SliceStable(all, func(i, j int) bool {
		if all[i].Weight != all[j].Weight {
			return all[i].Weight > all[j].Weight
		}
		return all[i].at > all[j].at
	})
	all = all[:min(len(all), finalRemarks)]
	width, n := 0, 0
	for _, width = range remarkWidths {
		if n = within(all, width); n == len(all) {
			break
		}
	}
	all = all[:n]
	for i := range all {
		all[i].Text = prose.Clip(all[i].Text, width)
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].at < all[j].at })
	return all
}

// within counts the remarks that have room at a width.
func within(all []Remark, width int) int {
	runes := 0
	for i, r := range all {
		if runes += min(utf8.RuneCountInString(r.Text), width); runes > finalRunes {
			return i
		}
	}
	return len(all)
}

// LeadsOn says that a reply ends with the sentence and a colon: what comes next is what
// the agent does, and the sentence says no more than that: neither why nor, at length, how.
func LeadsOn(e *Event, sentence string) bool {
	return e.Lexicon.Weight(sentence) < LongRequest && strings.HasSuffix(sentence, ":") && strings.HasSuffix(strings.TrimRight(e.Text, " \n*_"), ":") && !e.Lexicon.In(words.Cause, sentence) && !e.Lexicon.In(words.Reason, sentence)
}

// leadsIn says that a sentence only announces what stands below it.
func leadsIn(text string, lex *words.Lexicon) bool {
	if !strings.HasSuffix(text, ":") || lex.In(words.Contrast, text) {
		return false
	}
	return dialogue.NamedIn(text) < 2 && (lex.Announces(text) || !lex.In(words.Reason, text))
}

// showsCode says that a sentence leads to the code that it ends with: that is the answer.
var showsCode = lazyregexp.New("[:：] ?`[^`]+`$")

// weightOf is how much a sentence says.
func weightOf(s prose.Statement, about map[string]bool, lex *words.Lexicon) int {
	chosen := lex.Announces(s.Text) && dialogue.NamedIn(s.Text) > 0 && (lex.In(words.Reason, s.Text) || lex.In(words.Contrast, s.Text))
	if lex.Announces(s.Text) && (!chosen || strings.HasSuffix(s.Text, ":") && !lex.In(words.Reason, s.Text)) || (lex.Begins(words.Offer, s.Text) || lex.In(words.Offer, s.Text) && !s.Bullet) && !showsCode.MatchString(s.Text) {
		return -3
	}
	w := 0
	if chosen {
		w += 2
	}
	if strings.HasSuffix(s.Text, ":") {
		w -= 2
	}
	if s.Strong {
		w += 2
	}
	if s.Bullet {
		w++
	}
	w += min(dialogue.NamedIn(s.Text), 3)
	common := 0
	for _, word := range lex.Content(s.Text) {
		if about[dialogue.Stem(word)] {
			common++
		}
	}
	w += min(common, 2)
	if common == 0 && dialogue.NamedIn(s.Text) == 0 {
		w -= 1 // it names nothing
	}
	if lex.In(words.Cause, s.Text) {
		w += 3
	}
	if lex.In(words.Reason, s.Text) || lex.In(words.Contrast, s.Text) {
		w++
	}
	return w
}

// enoughSaid is how many remarks of a closing reply say what came of a request.
const enoughSaid = 3

// Telling are the remarks that tell what came of a request: while the agent is at it all but the slight ones,
// then those that it closed with, of the newest request the slight ones too.
func Telling(list []Remark, midway, newest bool) []Remark {
	if midway || !newest {
		list = Weighty(list)
	}
	if !midway {
		list = Closing(list)
	}
	return list
}

// Weighty are the remarks without those that stand only where the reply is shown whole.
func Weighty(list []Remark) []Remark {
	return slices.DeleteFunc(slices.Clone(list), func(r Remark) bool { return r.slight })
}

// Closing are the remarks of a closing reply: what was said on the way there may be outdated.
// All of them where it says little.
func Closing(list []Remark) []Remark {
	var final []Remark
	telling := 0
	for _, r := range list {
		if r.final {
			final = append(final, r)
			telling += min(r.Weight, 1)
		}
	}
	if telling < enoughSaid {
		return list
	}
	return final
}

// Best are the n weightiest remarks, those of the newest reply before others, as far as they
// have room; in the order in which they were said.
func Best(list []Remark, n int) []Remark {
	ranked := slices.Clone(list)
	value := func(r Remark) int {
		if r.final {
			return r.Weight + 3
		}
		return r.Weight
	}
	sort.SliceStable(ranked, func(i, j int) bool { return value(ranked[i]) > value(ranked[j]) })
	ranked = ranked[:min(len(ranked), n)]
	ranked = ranked[:within(ranked, finalRunes)]
	sort.SliceStable(ranked, func(i, j int) bool {
		a, b := ranked[i], ranked[j]
		if a.reply != b.reply {
			return a.reply < b.reply
		}
		return a.at < b.at
	})
	return ranked
}
