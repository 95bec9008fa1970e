package extract_test

import (
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/modules/distiller/internal/script"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

const gone = `A preface that is no aim.

Analysis:
1. First there was a table. Then a till.

Summary:
1. Primary Request and Intent:
   - Let the shop give vouchers a date
   - Keep old vouchers valid

2. Current Work:
   The migration is written.`

func factsOf(s *script.Session, opts extract.Options) distiller.Facts {
	opts.Root = root
	return extract.Fold(distiller.Facts{}, opts, s.All())
}

func summarised(text string) *script.Session {
	return session().Event(transcript.Event{Kind: transcript.Compacted, Text: text, Compaction: &transcript.CompactionInfo{}})
}

func TestRecap_SessionThatBeginsWithASummaryHasItsTaskThere(t *testing.T) {
	for name, text := range map[string]string{
		"numbered": gone,
		"markdown": "## Objective\n- Let the shop give vouchers a date\n- Keep old vouchers valid\n\n## Relevant Files\n- till.go",
		"prose":    "Another model began. Here is its summary:\n- Let the shop give vouchers a date\n- Keep old vouchers valid\n\nThe till is next.",
		"chinese":  "**目标**\n- Let the shop give vouchers a date\n- Keep old vouchers valid\n**文件**\n- till.go",
	} {
		facts := factsOf(summarised(text).User("continue").Agent("Going on."), extract.Options{})
		if facts.Task == nil || facts.Task.By != distiller.BySummary || facts.Task.Text != "Let the shop give vouchers a date; Keep old vouchers valid" {
			t.Errorf("%s: the task is %+v", name, facts.Task)
		}
	}
	if own := factsOf(summarised(gone).User("Write the check at the till"), extract.Options{}); own.Task.By != "" {
		t.Errorf("the task is %+v although the user asked for something", own.Task)
	}
	if prose := factsOf(summarised("This went on before.").Agent("Hello."), extract.Options{}); prose.Task != nil && prose.Task.By != "" {
		t.Errorf("a preface became the task: %+v", prose.Task)
	}
}

func TestRecap_IsQuotedUntilSomethingIsAsked(t *testing.T) {
	away := transcript.Event{Kind: transcript.Recap, Recap: transcript.AwaySummary, Text: "The check is next."}
	s := session().User("Write the check at the till").Agent("Written.").Event(away)
	facts := factsOf(s, extract.Options{})
	if len(facts.Recaps) != 1 || facts.Recaps[0].What != "away summary" || facts.Recaps[0].Text != "The check is next." {
		t.Fatalf("the recaps are %+v", facts.Recaps)
	}
	facts.Updated = facts.Recaps[0].Time.Add(3 * time.Hour)
	if text := render.Handoff(facts, render.Options{}); !strings.Contains(string(text), `- away summary, 3 hours before the last activity: "The check is next."`) {
		t.Errorf("the handoff is\n%s", text)
	}
	if later := factsOf(s.User("Now the receipt, please"), extract.Options{}); len(later.Recaps) != 0 {
		t.Errorf("a recap from before the request is shown: %+v", later.Recaps)
	}
}

func TestRecap_DelegatedTaskIsNotTheUsers(t *testing.T) {
	s := session().Prompt(transcript.Injected, "Give vouchers an end").Agent("I begin with the table.")
	facts := factsOf(s, extract.Options{})
	if facts.Task == nil || facts.Task.By != distiller.ByAgent || facts.Task.Text != "Give vouchers an end" {
		t.Errorf("the task is %+v", facts.Task)
	}
	if own := factsOf(s.User("Write the check at the till"), extract.Options{}); own.Task.By != "" {
		t.Errorf("the user's own request is not the task: %+v", own.Task)
	}
}

func TestSubagent_IsToldAsASessionOfItsOwn(t *testing.T) {
	s := session()
	s.Event(transcript.Event{Kind: transcript.Session, Start: &transcript.Start{From: "parent", How: "subagent", Agent: `explorer "Noether"`}})
	s.Prompt(transcript.Injected, "Sort the notes").Prompt(transcript.Injected, "Find all callers of total()")
	s.Edit(root + "/src/total.go")
	for i := range s.Events {
		s.Events[i].Subagent = true
	}
	facts := factsOf(s, extract.Options{Subagent: true})
	if facts.Subagent == nil || *facts.Subagent != (distiller.Subagent{Of: "parent", Agent: `explorer "Noether"`}) {
		t.Fatalf("the subagent is %+v", facts.Subagent)
	}
	if facts.Task == nil || facts.Task.Text != "Find all callers of total()" || facts.Task.By != distiller.ByAgent || len(facts.Files) != 1 {
		t.Errorf("the task is %+v, the files are %+v", facts.Task, facts.Files)
	}
	if text := render.Handoff(facts, render.Options{}); !strings.Contains(string(text), `This is the session of a subagent (explorer "Noether") of session parent.`) {
		t.Errorf("the handoff is\n%s", text)
	}
	if within := factsOf(s, extract.Options{}); within.Subagent != nil || within.Task != nil {
		t.Errorf("within its parent it is %+v", within.Task)
	}
}

// TestGoal_IsTheSummarysOnceThereIsOne holds that the tool's summary of a topic
// words its goal better than the first prompt of the day.
func TestGoal_IsTheSummarysOnceThereIsOne(t *testing.T) {
	s := session().User("get the newest changes first, they will inform us").Agent("Done: the checkpoint of a session is reused.")
	s.User("then mend the reuse of checkpoints in the hook").Edit(root + "/hook.go")
	s.Event(transcript.Event{Kind: transcript.Compacted, Text: "1. Primary Request:\n   - A checkpoint is not reused once its session has grown\n\n2. Files:\n   - hook.go\n", Compaction: &transcript.CompactionInfo{}})
	task := factsOf(s, extract.Options{}).Task
	if task.Goal != "A checkpoint is not reused once its session has grown" || task.GoalBy != distiller.BySummary {
		t.Errorf("goal %q, by %q", task.Goal, task.GoalBy)
	}
}
