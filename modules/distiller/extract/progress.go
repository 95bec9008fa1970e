package extract

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Progress is, in this order:
//
//   - the tool's own list of steps, as it stands;
//   - what the last closing reply reports as done or as remaining, where it
//     does so as a list, and nothing that it claims before anything was done;
//   - commits made and checks that passed after the last edit: those prove it.
//
// Steps that a predecessor left open stay, below the session's own, until its
// list names them: what it does not name was not done.
type progressRules struct {
	items  []transcript.Item
	src    distiller.Source
	prior  []distiller.Progress
	claims []distiller.Progress // of the newest reply that reports
	worked bool                 // something was changed or run since the last prompt
	passes []checkPass
}

// checkPass is a check that passed.
type checkPass struct {
	key     string
	family  string
	summary string
	calls   int
	src     distiller.Source
}

const (
	maxSteps  = 40
	maxClaims = 8
	maxPasses = 6
)

func (p *progressRules) carry(prior []distiller.Progress) {
	for _, step := range prior {
		if step.State != "done" {
			p.prior = append(p.prior, step)
		}
	}
	p.prior = p.prior[:min(len(p.prior), maxSteps)]
}

// names says whether a list has a step, whatever its state there.
func names(items []transcript.Item, step string) bool {
	return slices.ContainsFunc(items, func(item transcript.Item) bool {
		return strings.EqualFold(clip(oneLine(item.Text), 200), step)
	})
}

func (p *progressRules) add(e *event) {
	if e.Subagent {
		return
	}
	switch e.Kind {
	case transcript.Todo:
		if len(e.Items) > 0 {
			p.items, p.src = limit(e.Items, maxSteps), e.src
			p.prior = slices.DeleteFunc(slices.Clone(p.prior), func(step distiller.Progress) bool { return names(e.Items, step.Text) })
		}
	case transcript.Prompt:
		if ownWords(e.Located) && e.req.words != "" {
			p.worked = false
		}
	case transcript.Reply:
		p.reported(e)
	case transcript.Result:
		p.worked = p.worked || passed(e) && e.call != nil && (edits(e.call.info.Meaning) || e.call.family != "" && !shell.Probes[e.call.family])
		p.checked(e)
	}
}

// checked notes a check that passed, and forgets the passes of the same kind
// before it.
func (p *progressRules) checked(e *event) {
	if e.call == nil || !isCheck(e.call.family) {
		return
	}
	key := e.call.what()
	p.passes = slices.DeleteFunc(slices.Clone(p.passes), func(c checkPass) bool { return c.family == e.call.family })
	if !passed(e) {
		return
	}
	p.passes = limit(append(p.passes, checkPass{key: key, family: e.call.family, summary: e.test.summary, calls: e.calls, src: e.call.src}), maxPasses)
}

var (
	doneHeadings = []string{"summary", "done", "completed", "changes", "what i", "what was", "what changed", "implemented", "fixed", "results", "created", "added", "zusammenfassung", "erledigt", "résumé", "resumen", "итог", "сделано", "özet", "yapılan", "完了", "まとめ", "变更", "总结", "完成", "완료", "요약", "변경"}
	openHeads    = []string{"next step", "remaining", "todo", "to do", "not done", "still open", "left to do", "outstanding", "follow-up", "followup", "pending", "nächste", "offen", "prochaine", "pendiente", "próximos", "дальше", "осталось", "sonraki", "kalan", "残り", "次の", "下一步", "剩余", "다음", "남은"}
	doneVerbs    = []string{"added", "fixed", "created", "updated", "implemented", "removed", "renamed", "moved", "refactored", "replaced", "wrote", "changed", "extracted", "committed", "pushed", "opened", "verified", "installed", "merged", "converted", "exported", "all tests pass", "tests pass", "build succe", "lint"}
)

// reported takes the list a reply reports with.
func (p *progressRules) reported(e *event) {
	var claims []distiller.Progress
	whole := summarises(e.said)
	for _, s := range e.said {
		state := claimState(s)
		if state == "" && whole && s.bullet && !isQuestion(s.text) {
			state = "done"
		}
		if state != "" && len(s.text) > 8 && (p.worked || state != "done") {
			claims = append(claims, distiller.Progress{Text: clip(s.text, 200), State: state, Evidence: distiller.Said, Source: e.src})
		}
	}
	if len(claims) >= 2 || len(claims) == 1 && claims[0].State == "done" && strings.Contains(strings.ToLower(e.Text), "commit") {
		p.claims = claims[:min(len(claims), maxClaims)]
	}
}

// summarises says that a reply reports on what was done as a whole, so that
// its lists do too.
func summarises(said []statement) bool {
	for i, s := range said {
		if i == 4 {
			break
		}
		low := strings.ToLower(s.heading + " " + s.text)
		if hasAny(low, "summary of the changes", "summary of what", "here's a summary", "here's what", "all tests pass", "is complete", "are complete", "is done", "all done", "is now implemented", "zusammenfassung", "récapitulatif", "resumen de", "итог", "özet", "まとめ", "总结", "요약") {
			return true
		}
	}
	return false
}

// claimState says whether a statement reports something done or remaining.
func claimState(s statement) string {
	if s.state != "" {
		return s.state
	}
	low := strings.ToLower(s.text)
	head := strings.ToLower(s.heading)
	switch {
	case isQuestion(s.text):
		return ""
	case s.bullet && hasAny(head, openHeads...):
		return "todo"
	case hasPrefixAny(low, "i've ", "i have ", "we've ") && hasAny(low, doneVerbs...):
		return "done"
	case hasPrefixAny(low, doneVerbs...):
		return "done"
	case s.bullet && hasAny(head, doneHeadings...):
		return "done"
	}
	return ""
}

func (p *progressRules) facts(s *State) []distiller.Progress {
	var out []distiller.Progress
	for _, item := range p.items {
		state := item.State
		if state == "" {
			state = "todo"
		}
		out = append(out, distiller.Progress{Text: clip(oneLine(item.Text), 200), State: state, Evidence: distiller.Said, Source: p.src})
	}
	out = append(out, p.prior...)
	out = append(out, p.claims...)
	out = append(out, s.git.made...)
	for _, c := range limit(s.git.commits, 4) {
		out = append(out, c.done())
	}
	for _, c := range p.passes {
		if c.calls >= s.files.edited {
			out = append(out, distiller.Progress{Text: "`" + clip(strings.ReplaceAll(c.key, "`", "'"), 100) + "` passed after the last edit", State: "done", Evidence: distiller.Proved, Source: c.src})
		}
	}
	return out
}
