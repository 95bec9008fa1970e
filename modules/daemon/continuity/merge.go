package continuity

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/ledger"
)

// Merge puts what an agent saved into its ledger: finished work, decisions,
// uncertain items, files and notes add up, the other fields are replaced where
// they are named. What is finished is no longer open.
func Merge(into ledger.AgentLedger, saved Fields) ledger.AgentLedger {
	if saved.CurrentTask != "" {
		into.CurrentTask = saved.CurrentTask
	}
	into.Completed = union(into.Completed, saved.Completed)
	into.UncertainItems = union(into.UncertainItems, saved.Uncertain)
	into.Notes = union(into.Notes, saved.Notes)
	for field, values := range map[*[]string][]string{
		&into.InProgress: saved.InProgress, &into.Blocked: saved.Blocked, &into.NextSteps: saved.NextSteps,
	} {
		if values != nil {
			*field = values
		}
		*field = without(*field, saved.Completed)
	}
	for _, decision := range saved.Decisions {
		same := func(c ledger.AgentChose) bool { return sameText(c.Decision, decision.Decision) }
		if at := slices.IndexFunc(into.KeyDecisions, same); at >= 0 {
			into.KeyDecisions[at] = decision
		} else {
			into.KeyDecisions = append(into.KeyDecisions, decision)
		}
	}
	for _, file := range saved.Files {
		same := func(f ledger.FileRange) bool { return f.Path == file.Path }
		if at := slices.IndexFunc(into.FileContext, same); at >= 0 {
			into.FileContext[at] = file
		} else {
			into.FileContext = append(into.FileContext, file)
		}
	}
	return into
}

// FieldsOf are the fields that a ledger names: an empty list of a ledger is not
// meant to empty another one's.
func FieldsOf(l ledger.AgentLedger) Fields {
	named := func(list []string) []string {
		if len(list) == 0 {
			return nil
		}
		return list
	}
	return Fields{
		CurrentTask: l.CurrentTask, Completed: l.Completed, InProgress: named(l.InProgress), Blocked: named(l.Blocked),
		NextSteps: named(l.NextSteps), Decisions: l.KeyDecisions, Uncertain: l.UncertainItems, Files: l.FileContext, Notes: l.Notes,
	}
}

// Fill puts what a session's transcript says where the agent said nothing
// itself.
func Fill(into ledger.AgentLedger, facts distiller.Facts) ledger.AgentLedger {
	var known Fields
	if into.CurrentTask == "" && facts.Task != nil {
		known.CurrentTask = facts.Task.Text
	}
	for _, step := range facts.Progress {
		switch {
		case step.State == "done":
			known.Completed = append(known.Completed, step.Text)
		case step.State == "doing" && len(into.InProgress) == 0:
			known.InProgress = append(known.InProgress, step.Text)
		case step.State == "blocked" && len(into.Blocked) == 0:
			known.Blocked = append(known.Blocked, step.Text)
		}
	}
	if len(into.NextSteps) == 0 && facts.Next != nil {
		known.NextSteps = []string{facts.Next.Text}
	}
	for _, d := range facts.Decisions {
		what := strings.Join(d.Chosen, ", ")
		if what == "" {
			what = d.Topic
		}
		if what != "" {
			known.Decisions = append(known.Decisions, ledger.AgentChose{Decision: what, Question: d.Question, Reasoning: d.Rationale})
		}
	}
	for _, file := range facts.Files {
		if file.Change != "read" && !slices.ContainsFunc(into.FileContext, func(f ledger.FileRange) bool { return f.Path == file.Path }) {
			known.Files = append(known.Files, ledger.FileRange{Path: file.Path})
		}
	}
	return Merge(into, known)
}

func union(a, b []string) []string {
	a = slices.Clone(a)
	for _, text := range b {
		if !slices.ContainsFunc(a, func(other string) bool { return sameText(other, text) }) {
			a = append(a, text)
		}
	}
	return a
}

func without(list, gone []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(text string) bool {
		return slices.ContainsFunc(gone, func(other string) bool { return sameText(other, text) })
	})
}

// sameText leaves white space, case and a final stop aside.
func sameText(a, b string) bool {
	plain := func(s string) string {
		return strings.TrimRight(strings.ToLower(strings.Join(strings.Fields(s), " ")), ".")
	}
	return plain(a) == plain(b)
}
