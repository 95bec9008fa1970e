package extract

import (
	"fmt"
	"slices"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/attempts"
	"github.com/carryover-go/carryover/modules/distiller/extract/dialogue"
	"github.com/carryover-go/carryover/modules/distiller/extract/files"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Bounds of the requests that are listed.
const (
	shownRequests = 12
	shownNow      = 30 // conclusions of the current request
	shownBefore   = 6  // of one before it
	littleSaid    = 2  // conclusions of one that only commits, which leave room for all of the one before it
	nearRequests  = 3
	shownEarlier  = 6 // of earlier topics
)

// requestFacts are the requests of the current topic with what came of them,
// the newest last.
func (s *State) requestFacts() []distiller.Request {
	var out []distiller.Request
	chain := s.requests.Chain()
	repeated := again(chain, s.lex)
	chain = slices.DeleteFunc(slices.Clone(chain), func(r *timeline.Request) bool { return slices.Contains(repeated, r) })
	chain = chain[max(0, len(chain)-shownRequests):]
	near := s.near(chain)
	for i, r := range chain {
		last, reported := i == len(chain)-1, ""
		if !last {
			reported = pastedFailure(chain[i+1])
		}
		midway := last && s.midway(r)
		fact := requestFact(r, timeline.Standing{
			Reported: reported, Planned: !last && chain[i+1].AnswersPlan(),
			Midway: midway, Waits: last && (s.waitsFor(r) != nil || awaited(s, r) != ""), Fails: last && s.fails(r),
			Checked: len(s.progress.passedAfter(s.files.Edited)) > 0, Edited: s.requests.LastEdit,
		})
		fact.Near = near[r]
		if last && len(repeated) > 0 {
			fact.Outcome += fmt.Sprintf(", asked %d times, nothing was done before", len(repeated)+1)
			if !r.Did() {
				fact.Outcome = fmt.Sprintf("asked %d times, nothing was done", len(repeated)+1)
			}
		}
		if !last {
			fact.ActedOn = actedOn(r, chain[i+1:], s.requests.LastEdit)
			fact.Overtaken = !fact.ActedOn && overtaken(r, chain[i+1].Seq, &s.files, s.requests.LastEdit)
		}
		n := shownBefore
		if last || i == len(chain)-2 && chain[i+1].OnlyDelivers() && len(timeline.Weighty(chain[i+1].Remarks)) <= littleSaid {
			n = shownNow
		}
		best := timeline.Best(timeline.Telling(r.Remarks, midway, last), n)
		left := timeline.LeftOut(best)
		for j, remark := range best {
			if left[j] > 0 {
				remark.Text += fmt.Sprintf(" (+%d more)", left[j])
			}
			fact.Concluded = append(fact.Concluded, distiller.Statement{Text: remark.Text, Under: remark.Under, Weight: max(remark.Weight, 0), Source: remark.Source})
		}
		out = append(out, fact)
	}
	return out
}

// actedOn says that all that was changed since the agent only answered was changed for the next
// request, and that this says little more than to go on: what it said was carried out.
func actedOn(r *timeline.Request, after []*timeline.Request, lastEdit int) bool {
	return r.ReplyAt > 0 && len(r.Changed) == 0 && r.ReplyAt < lastEdit && after[0].Thin && (len(after) == 1 || lastEdit < after[1].Seq)
}

// overtaken says that what the agent concluded may be so no more: files that it changed for the
// request were changed again since, or any where it only looked. Where a turn ends with its edits
// these are what its words are about: then what counts is what came with the next request.
func overtaken(r *timeline.Request, next int, touched *files.Touched, lastEdit int) bool {
	since := r.ReplyAt
	if r.Ended == transcript.TurnCompleted && r.LastCall > r.ReplyAt {
		since = next
	}
	if r.ReplyAt == 0 || len(r.Changed) == 0 {
		return r.ReplyAt > 0 && since < lastEdit
	}
	return slices.ContainsFunc(r.Changed, func(p string) bool {
		file := touched.ByPath[p]
		return file != nil && file.EditSeq > since
	})
}

// earlierFacts are the last requests of earlier topics for which something was
// changed, committed or done on a forge.
func (s *State) earlierFacts() []distiller.Request {
	var out []distiller.Request
	all := s.requests.Requests
	for _, r := range all[:len(all)-len(s.requests.Chain())] {
		if len(r.Changed) == 0 && !r.Delivered() {
			continue
		}
		out = append(out, requestFact(r, timeline.Standing{Edited: s.requests.LastEdit}))
	}
	return out[max(0, len(out)-shownEarlier):]
}

// fails says that a check failed for a request, and that a change may still make it pass.
func (s *State) fails(r *timeline.Request) bool {
	return slices.ContainsFunc(s.failing(), func(fl *attempts.Failure) bool {
		return fl.Seq > r.Seq && fl.ToMend() && !fl.Elsewhere(s.changed)
	})
}

// requestFact is a request with its outcome: see timeline.Request.Outcome.
func requestFact(r *timeline.Request, now timeline.Standing) distiller.Request {
	outcome, evidence := r.Outcome(now)
	return distiller.Request{Text: prose.Clip(r.Said(), 300), Relation: string(r.Relation), Outcome: outcome, Evidence: evidence, Source: r.Source}
}

// leaning is what it counts that a request was answered just before one of few words, which
// speaks of that: "fix both of the issues".
const leaning = 3

// near are the newest request and those before it that matter most to it: work
// was done for them that nothing has committed yet, they speak of the same thing,
// they are the newest. What was only asked and answered matters least.
func (s *State) near(chain []*timeline.Request) map[*timeline.Request]bool {
	if len(chain) == 0 {
		return nil
	}
	now := chain[len(chain)-1]
	about := dialogue.WordsOf(s.requests.Head().Words+" "+now.Words, s.lex)
	worth := func(r *timeline.Request) int {
		n := min(dialogue.Overlap(about, dialogue.WordsOf(r.Words, s.lex)), 2)
		if len(chain) > 1 && r == chain[len(chain)-2] {
			n += min(r.Calls, 1) // what was done just now
			if r.ReplyAt > 0 && s.lex.Weight(now.Words) < timeline.LongRequest {
				n += leaning
			}
		}
		switch {
		case len(r.Commits) > 0 && r.Seq < s.requests.LastCommit || len(r.Changed) > 0:
			n += 2
		case r.Deeds():
			n++
		case r.Calls == 0 && r.Thin:
			n--
		}
		return n
	}
	before := slices.Clone(chain[:len(chain)-1])
	slices.Reverse(before)
	slices.SortStableFunc(before, func(a, b *timeline.Request) int { return worth(b) - worth(a) })
	out := map[*timeline.Request]bool{now: true}
	for _, r := range before[:min(len(before), nearRequests-1)] {
		out[r] = true
	}
	return out
}
