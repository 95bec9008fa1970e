package extract

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/words"
)

// resolve takes out what facts say of one thing twice, by time and evidence: a
// command is passed or failing, a step done or to do, a file worked on or only
// named. What is proved outweighs what was said; of two results the later one
// stands.
func resolve(f *distiller.Facts, lex *words.Lexicon) {
	resolveSteps(f)
	resolveChecks(f)
	forbidden := forbids(f.Constraints, lex)
	tellOnce(f)
	f.Named = slices.DeleteFunc(f.Named, func(n distiller.Named) bool {
		return prose.HasAny(forbidden, path.Base(n.Path)) || slices.ContainsFunc(f.Files, func(file distiller.File) bool { return file.Path == n.Path })
	})
}

// standing are the decisions without what the person asked for in a request whose commits were all
// taken back.
func standing(decisions []distiller.Decision, requests []*timeline.Request) []distiller.Decision {
	return slices.DeleteFunc(decisions, func(d distiller.Decision) bool {
		return d.Kind == "correction" && slices.ContainsFunc(requests, func(r *timeline.Request) bool { return r.TakenBack() && r.Source == d.Source })
	})
}

// forbids is what the person said not to do: a file that it names is none to open.
func forbids(constraints []distiller.Statement, lex *words.Lexicon) string {
	said := ""
	for _, c := range constraints {
		if text, theirs := strings.CutPrefix(c.Text, `user: "`); theirs && (lex.Begins(words.None, text) || lex.Begins(words.Never, text) || lex.Begins(words.Lasting, text) && lex.Begins(words.No, text)) {
			said += text + "\n"
		}
	}
	return said
}

// tellOnce drops a constraint that stands among the decisions, the open questions
// or the first conclusions, and an action item that the turn waits for.
func tellOnce(f *distiller.Facts) {
	var chosen []string
	for _, d := range f.Decisions {
		chosen = append(chosen, strings.Join(d.Chosen, " "), d.Said)
	}
	for _, q := range f.Questions {
		chosen = append(chosen, q.Text)
	}
	if n := len(f.Requests); n > 0 {
		for _, c := range f.Requests[n-1].Concluded[:min(len(f.Requests[n-1].Concluded), shownBefore)] {
			chosen = append(chosen, c.Text)
		}
	}
	f.Constraints = slices.DeleteFunc(f.Constraints, func(c distiller.Statement) bool {
		text := strings.Trim(strings.TrimPrefix(strings.TrimPrefix(c.Text, "user: "), "agent: "), "\"…")
		return slices.ContainsFunc(chosen, func(t string) bool { return strings.Contains(t, text) })
	})
	f.Actions = slices.DeleteFunc(f.Actions, func(a distiller.Action) bool {
		return f.Turn != nil && strings.Contains(f.Turn.Text, strings.TrimRight(a.What, "."))
	})
}

// resolveSteps drops the earlier of two entries for one step.
func resolveSteps(f *distiller.Facts) {
	var out []distiller.Progress
	at := map[string]int{}
	for _, step := range f.Progress {
		key := stepKey(step.Text)
		i, known := at[key]
		switch {
		case !known:
			at[key] = len(out)
			out = append(out, step)
		case step.Source.Line > out[i].Source.Line || step.Evidence == distiller.Proved && out[i].Evidence != distiller.Proved:
			out[i] = step
		}
	}
	f.Progress = out
}

// stepKey is a step without punctuation: lists are copied with other marks.
func stepKey(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(prose.Clip(text, 60)), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
}

// resolveChecks drops the claim that a check passed where it failed later, and
// the failure where it passed later.
func resolveChecks(f *distiller.Facts) {
	f.Progress = slices.DeleteFunc(f.Progress, func(step distiller.Progress) bool {
		return step.State == "done" && slices.ContainsFunc(f.Failures, func(fl distiller.Failure) bool {
			return fl.Ended == "" && samePass(step, fl) && fl.Source.Line >= step.Source.Line
		})
	})
	f.Failures = slices.DeleteFunc(f.Failures, func(fl distiller.Failure) bool {
		return fl.Ended == "" && slices.ContainsFunc(f.Progress, func(step distiller.Progress) bool {
			return step.State == "done" && samePass(step, fl)
		})
	})
}

func samePass(step distiller.Progress, fl distiller.Failure) bool {
	key := strings.TrimPrefix(step.Text, "`")
	what := strings.ReplaceAll(timeline.CommandKey(fl.What), "`", "'")
	n := min(len(what), 60)
	return n > 7 && strings.HasPrefix(key, what[:n])
}
