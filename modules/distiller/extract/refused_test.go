package extract_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller/internal/script"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// refusing turns the checks down at the end of a session, with words or without.
func refusing(words string) *script.Session {
	text := "The user doesn't want to proceed with this tool use."
	if words != "" {
		text += " To tell you how to proceed, the user said:\n" + words
	}
	return session().User("make the export of orders stream its rows").Edit(root + "/b.go").Agent("Now I'll run the whole suite:").
		Call(transcript.CallInfo{Name: "Bash", Meaning: transcript.Shell, Command: "make test"}).
		Result(transcript.ResultInfo{Failed: true, Outcome: transcript.Rejected, Text: text})
}

func TestARefusalWithWordsIsWhatComesNext(t *testing.T) {
	f := fold(refusing("leave the suite alone, test the writer only"))
	if f.Turn == nil || !strings.Contains(f.Turn.Text, "refused `make test`") {
		t.Errorf("turn %+v", f.Turn)
	}
	if f.Next == nil || f.Next.Text != `Do as the user said: "leave the suite alone, test the writer only"` {
		t.Errorf("next %+v", f.Next)
	}
}

func TestARefusalWithoutWordsIsAskedAbout(t *testing.T) {
	if f := fold(refusing("")); f.Next == nil || !strings.HasPrefix(f.Next.Text, "Ask how to go on: the user refused `make test`") {
		t.Errorf("next %+v", f.Next)
	}
}

func TestARefusalStandsBehindTheClosingReply(t *testing.T) {
	f := fold(refusing("i'll take it from here").Agent("Done. The export streams its rows now."))
	if f.Turn == nil || !strings.Contains(f.Turn.Text, `before it the user refused `+"`make test`"+` and said: "i'll take it from here"`) {
		t.Errorf("turn %+v", f.Turn)
	}
	if f.Next == nil || !strings.HasPrefix(f.Next.Text, "Ask how to go on: the user refused `make test`") || !strings.Contains(f.Next.Text, "b.go") {
		t.Errorf("next %+v", f.Next)
	}
}

func TestARefusalEndsWithTheNextStepOfTheAgent(t *testing.T) {
	s := refusing("test the writer only").Agent("Only the writer then.").Shell("go test ./writer", 0, "ok")
	if f := fold(s); strings.Contains(f.Turn.Text, "refused") || strings.Contains(f.Next.Text, "test the writer only") {
		t.Errorf("turn %+v, next %+v", f.Turn, f.Next)
	}
}

func TestAnotherOptionNamedLaterTakesTheChoiceBack(t *testing.T) {
	for prompt, stands := range map[string]bool{
		"actually let's take the signed tokens with rotation you recommended": false,
		"add a test for the expiry of the server sessions":                    true,
		"would signed tokens with rotation cost more?":                        true,
	} {
		s := session().User("add a login to the shop").Asks("How does the shop know a user?", "Signed tokens with rotation", "Server sessions in Redis").
			Decides(transcript.Decision{Question: "How does the shop know a user?", Options: []transcript.Option{{Label: "Signed tokens with rotation"}, {Label: "Server sessions in Redis"}}, Chosen: []string{"Server sessions in Redis"}, Kind: transcript.DecisionAsked}).
			Agent("Sessions it is.").User(prompt)
		got := false
		for _, d := range fold(s).Decisions {
			got = got || strings.Contains(strings.Join(d.Chosen, " "), "Redis")
		}
		if got != stands {
			t.Errorf("%q: the choice stands: %v", prompt, got)
		}
	}
}

func TestWorkOfEarlierTopicsIsNamed(t *testing.T) {
	s := session().User("make the export of orders stream its rows").Edit(root + "/orders.go").Agent("The export streams now.").
		User("what is the difference between a mutex and a semaphore in one sentence please").Agent("A mutex has an owner.").
		User("translate the invoice templates to Portuguese and Danish with proper currency formats").Edit(root + "/invoice.html")
	f := fold(s)
	if len(f.Earlier) != 1 || !strings.Contains(f.Earlier[0].Text, "export of orders") || !strings.HasPrefix(f.Earlier[0].Outcome, "changed 1 file") {
		t.Errorf("earlier %+v, requests %+v", f.Earlier, f.Requests)
	}
}

// TestDecisions_ARefusalThatWasTakenBackIsNone holds that a command which the person turned
// down without a word decides nothing once it ran after all.
func TestDecisions_ARefusalThatWasTakenBackIsNone(t *testing.T) {
	s := session().User("Format the shop").Edit(root + "/cart.go").
		Call(transcript.CallInfo{Name: "Bash", Meaning: transcript.Shell, Command: "mise run fmt"}).Result(transcript.ResultInfo{Failed: true, Outcome: transcript.Rejected})
	if got := fold(s).Decisions; len(got) != 1 {
		t.Errorf("refused: %+v", got)
	}
	if got := fold(s.User("no, go on").Shell("mise run fmt", 0, "")).Decisions; len(got) != 0 {
		t.Errorf("it ran: %+v", got)
	}
}

// TestConstraints_WhatCanNeverBeIsNone holds that a sentence of the person which tells what can
// or will never be demands nothing; one that forbids it does.
func TestConstraints_WhatCanNeverBeIsNone(t *testing.T) {
	for said, want := range map[string]bool{
		"The hook of the shop is left behind. This means that it can never be removed.": false,
		"The hook of the shop is left behind. It must never be removed by hand.":        true,
	} {
		s := session().User("Mend the hooks of the shop").Edit(root + "/hooks.go").Agent("Mended.").User(said).Edit(root + "/hooks.go").Agent("Done.").User("Now write a page that lists the orders of the last week by customer and by day").Edit(root + "/page.go")
		if got := tells(fold(s).Constraints, "never be removed"); got != want {
			t.Errorf("%s: %+v", said, fold(s).Constraints)
		}
	}
}

// A question that the person turned down waits for no answer: they say what they want instead.
func TestTurn_AQuestionTurnedDownIsNotPending(t *testing.T) {
	s := session().User("one proposal for all of it").Agent("One proposal then.").Call(transcript.CallInfo{Name: "AskUserQuestion", Meaning: transcript.Ask}).Asks("What should the change be named?", "scan-scope", "fan-out").
		Result(transcript.ResultInfo{Failed: true, Outcome: transcript.Rejected, Text: "The user doesn't want to proceed with this tool use."})
	f := fold(s)
	if f.Turn.Asked != nil || !strings.Contains(f.Turn.Text, "turned the question down") || !strings.Contains(f.Next.Text, "not the same again") {
		t.Errorf("turn %+v, next %q", f.Turn, f.Next.Text)
	}
	if f = fold(s.User("make independent requests of it")); strings.Contains(f.Turn.Text, "turned") {
		t.Errorf("after their words: %+v", f.Turn)
	}
}
