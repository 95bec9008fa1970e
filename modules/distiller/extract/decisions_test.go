package extract_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/modules/distiller/internal/script"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// An approved plan is called by its title, also where the tool only names the
// file it stands in.
func TestAnApprovedPlanIsCalledByItsTitle(t *testing.T) {
	for topic, want := range map[string]string{"plan.md": "The parser", "": "The parser", "Split the lexer": "Split the lexer"} {
		s := session().User("Plan the parser for the archive")
		s.Event(transcript.Event{Kind: transcript.Plan, Text: "# The parser\n\n1. Write mail_dates.py\n"})
		s.Decides(transcript.Decision{Kind: transcript.DecisionPlan, Topic: topic, Chosen: []string{"approved"}})
		if got := extract.Fold(distiller.Facts{}, extract.Options{Root: root}, s.All()).Decisions; len(got) != 1 || got[0].Topic != want {
			t.Errorf("the plan called %q is %+v", topic, got)
		}
	}
}

// TestDecisions_PointsOfAReplyAreAnswered holds that a numbered prompt decides on
// the numbered entries of the reply before it, question or none.
func TestDecisions_PointsOfAReplyAreAnswered(t *testing.T) {
	s := session().User("review the reader of the settings file")
	s.Read(root + "/settings.go")
	s.Agent("The review is complete.\n\n### 1. Correctness\n\n**1. `read()` lets empty strings through** — `settings.go:33`\n\nThey come out as an empty name.\n\n**2. A list is not checked** — `settings.go:50`\n\nDone.")
	s.User("Go through all of them. Here are my answers:\n1. Refuse empty strings.\n2. A list must have an entry.")
	got := fold(s).Decisions
	if len(got) != 2 || got[0].Chosen[0] != "Refuse empty strings." || !strings.Contains(got[0].Question, "lets empty strings through") || got[1].Chosen[0] != "A list must have an entry." {
		t.Errorf("got %+v", got)
	}
}

// TestDecisions_APointThatAsksBackIsNone holds that a numbered answer decides nothing where it
// asks, with a mark or without.
func TestDecisions_APointThatAsksBackIsNone(t *testing.T) {
	s := session().User("review the reader of the settings file")
	s.Read(root + "/settings.go")
	s.Agent("1. `read()` lets empty strings through\n2. A list is not checked\n3. The name is read twice\n4. The default is written by hand\n\nHow do you want each of them handled?")
	s.User("1. Refuse empty strings.\n2. I don't understand.\n3. What would be the simplest way to read it once.\n4. Is that a problem?")
	if got := fold(s).Decisions; len(got) != 1 || got[0].Chosen[0] != "Refuse empty strings." {
		t.Errorf("got %+v", got)
	}
}

// TestDecisions_TheFileThatWasAskedForIsNone holds that there is nothing to choose where one
// thing is asked for by its name; one of two is a choice.
func TestDecisions_TheFileThatWasAskedForIsNone(t *testing.T) {
	s := session().User("Reorder the lists of the rules").Agent("Could you please add `rules.md` to the chat?").User("rules.md").Edit(root + "/rules.md").Agent("Reordered.")
	if got := fold(s).Decisions; len(got) != 0 {
		t.Errorf("got %+v", got)
	}
	s = session().User("Write the rules down").Agent("Shall they stand in `rules.md`, or do you want them in `README.md`?").User("README.md").Edit(root + "/README.md").Agent("Written.")
	if got := fold(s).Decisions; len(got) != 1 || got[0].Chosen[0] != "README.md" {
		t.Errorf("of two: %+v", got)
	}
}

// TestDecisions_AYesInTheWordsOfTheReplyDecides holds that a person who says yes to what the
// reply told, which asked nothing, and says what of it, has decided; a yes that goes on to
// other work has not.
func TestDecisions_AYesInTheWordsOfTheReplyDecides(t *testing.T) {
	for said, want := range map[string]int{
		"yeah, the reader should retry twice and join both errors": 1,
		"ok, then add some tests for the parser":                   0,
		"ok, does it retry twice and join both errors?":            0,
	} {
		s := session().User("why does the reader give up").Read(root + "/reader.go").
			Agent("The reader stops at the first error. My take: retry twice, and join both errors when that fails as well.").User(said)
		if got := fold(s).Decisions; len(got) != want {
			t.Errorf("%q: %+v", said, got)
		}
	}
}

// TestDecisions_PastedTextDecidesNothing holds that a contrast in what a prompt
// only shows is none of the user's.
func TestDecisions_PastedTextDecidesNothing(t *testing.T) {
	pasted := "Most tools clone first, fetch everything down and push it back up, which takes long for big repositories. Instead, this one streams the packs from one side to the other, without a checkout."
	s := session().User("describe the mirror in the README").Edit(root + "/README.md").Agent("Described it.")
	s.User("look at this announcement of the mirror: " + pasted)
	if got := fold(s).Decisions; len(got) != 0 {
		t.Errorf("got %+v", got)
	}
}

// TestDecisions_OfAnAgentNameWhatWasTaken holds that a contrast in prose is a
// choice only where it names what was taken, and a change went with it.
func TestDecisions_OfAnAgentNameWhatWasTaken(t *testing.T) {
	for said, want := range map[string]int{
		"I keep the total in `cart.go` rather than in the view, because two views show it.":                1,
		"Instead of a second flag the reader takes `Options.Strict`, so that callers have one place.":      1,
		"One more review of that edge case rather than a guess is worth it, because the rest is the same.": 0,
	} {
		s := session().User("move the total of the cart").Agent(said).Edit(root + "/cart.go")
		if got := fold(s).Decisions; len(got) != want {
			t.Errorf("%q: %+v", said, got)
		}
	}
}

// TestDecisions_ARefusedLookIsNone holds that a look the user refused without a word is no
// decision, and no limit either: they stopped the agent, and say why next.
func TestDecisions_ARefusedLookIsNone(t *testing.T) {
	s := session().User("why is the commit signed")
	s.Call(transcript.CallInfo{Name: "Bash", Meaning: transcript.Shell, Command: "cat ~/.gitconfig"})
	s.Result(transcript.ResultInfo{Failed: true, Outcome: transcript.Rejected, Text: "The user doesn't want to proceed with this tool use."})
	f := fold(s)
	if len(f.Decisions) != 0 || len(f.Limits) != 0 {
		t.Errorf("decisions %+v, limits %+v", f.Decisions, f.Limits)
	}
}

// What is to be delivered is over once it is done, and what the person found or means to
// do themselves is no decision.
func TestDecisions_NoneOfWhatIsOver(t *testing.T) {
	later := "Now tell me how the exporter picks its files in general, and which of these the loader caches"
	for name, s := range map[string]*script.Session{
		"an order to push that was followed": session().User("Tidy the importer").Edit(root+"/importer.go").Agent("It is tidy. Want me to push it?").
			User("push & comment on the pr").Shell("git push", 0, "").Agent("Pushed.").User(later).Read(root + "/exporter.go"),
		"a finding of the person": session().User("Why does the importer stop?").Read(root + "/importer.go").Agent("The cache is too small.").
			User("stop for a second, so the issue was the global ignore file").Read(root + "/ignore"),
		"what the person does": session().User("Commit it").Call(transcript.CallInfo{Name: "Bash", Meaning: transcript.Shell, Command: "git commit -am x"}).
			Result(transcript.ResultInfo{Outcome: transcript.Rejected, Text: "The user doesn't want to proceed with this tool use. the user said:\ni'll take it from here."}),
	} {
		if got := fold(s).Decisions; len(got) != 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestDecisions_WhatTheAgentSetsAgainstAnotherThingAndDoesAtOnce holds that a sentence before
// an edit is a choice of the agent where it sets what it is about to do against something else,
// and the next call does it; a look at the file, or an edit that did not apply, may stand
// between. What it does not do, and what the person asked for, is none.
func TestDecisions_WhatTheAgentSetsAgainstAnotherThingAndDoesAtOnce(t *testing.T) {
	const said = "The model requires a name. I'll mend the fixtures rather than loosen the model."
	edit := transcript.CallInfo{Name: "Edit", Meaning: transcript.Edit, Paths: []string{root + "/fixtures.go"}}
	for name, tt := range map[string]struct {
		asked, said string
		after       func(*script.Session)
		want        int
	}{
		"done":       {"The tests of the reader fail", said, func(s *script.Session) { s.Edit(root + "/fixtures.go") }, 1},
		"read first": {"The tests of the reader fail", said, func(s *script.Session) { s.Read(root + "/fixtures.go").Edit(root + "/fixtures.go") }, 1},
		"at the second try": {"The tests of the reader fail", said, func(s *script.Session) {
			s.Call(edit).Result(transcript.ResultInfo{Failed: true})
			s.Edit(root + "/fixtures.go")
		}, 1},
		"something else done": {"The tests of the reader fail", said, func(s *script.Session) { s.Shell("go test ./...", 1, "--- FAIL: TestReader").Edit(root + "/model.go") }, 0},
		"turned down": {"The tests of the reader fail", said, func(s *script.Session) {
			s.Call(edit).Result(transcript.ResultInfo{Failed: true, Outcome: transcript.Rejected})
			s.Edit(root + "/model.go")
		}, 0},
		"said again instead":       {"The tests of the reader fail", said, func(s *script.Session) { s.Agent("Wait.").Edit(root + "/model.go") }, 0},
		"asked for in these words": {"mend the fixtures and don't loosen the model", said, func(s *script.Session) { s.Edit(root + "/fixtures.go") }, 0},
		"asked for":                {"make the stripes green and yellow", "Now let me update the pattern of the board to use green and yellow instead of red:", func(s *script.Session) { s.Edit(root + "/board.css") }, 0},
	} {
		s := session().User(tt.asked).Agent(tt.said)
		tt.after(s)
		got := fold(s).Decisions
		if len(got) != tt.want {
			t.Errorf("%s: %+v", name, got)
		}
		if len(got) > 0 && got[0].Chosen[0] != "chose: mend the fixtures rather than loosen the model." {
			t.Errorf("%s: chosen %q", name, got[0].Chosen)
		}
	}
}
