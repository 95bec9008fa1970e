package extract_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/modules/distiller/internal/script"
)

func TestAsking_TakesACourtesyForNoQuestion(t *testing.T) {
	for _, end := range []string{
		"Anything else?",
		"Is there anything else you'd like me to do?",
		"Want me to go on with anything else?",
		"Do you have any questions?",
		"Let me know if you need further assistance!",
		"Let me know if there's anything else you'd like to add.",
		"What would you like to do next?",
		"How can I help you today?",
		"Möchtest du sonst noch etwas?",
		"¿Quieres algo más?",
		"还需要其他帮助吗？",
		"他に何かありますか？",
		"Хотите что-нибудь ещё?",
	} {
		reply := "The export now streams its rows and needs no buffer.\n\n" + end
		if a := asked(t, reply, extract.Options{Root: root}); a != nil {
			t.Errorf("%q is asked as %q", end, a.Question)
		}
		before := "The export now streams its rows.\n\nShall I remove the old buffer as well? " + end
		if a := asked(t, before, extract.Options{Root: root}); a == nil || !strings.Contains(a.Question, "buffer") {
			t.Errorf("the question before %q is not asked: %+v", end, a)
		}
	}
}

func TestAsking_KeepsAQuestionThatNamesSomething(t *testing.T) {
	for _, end := range []string{
		"Shall I change anything else in export.go?",
		"Do you want the header row to say something else?",
		"Shall I go on with the migration?",
		"Would you like me to?",
		"Which format would you like next, JSON or CSV?",
	} {
		if a := asked(t, "The export now streams its rows; the old buffer is gone.\n\n"+end, extract.Options{Root: root}); a == nil {
			t.Errorf("%q is not asked", end)
		}
	}
}

func TestOffer_WaitsForNobodyAndCanBeTakenUp(t *testing.T) {
	s := session().User("make the export fast enough for ten thousand orders").
		Agent("The export now streams its rows.\n\nIf you want, I can remove the old row buffer too.")
	turn := extract.Fold(distiller.Facts{}, extract.Options{Root: root}, s.All()).Turn
	if turn.Who != "done" || turn.Asked != nil || !strings.Contains(turn.Text, "offers: If you want, I can remove") {
		t.Errorf("turn: %+v", turn)
	}
	f := extract.Fold(distiller.Facts{}, extract.Options{Root: root}, s.User("yes, let's do this").All())
	if f.Next == nil || !strings.Contains(f.Next.Text, "row buffer") {
		t.Errorf("next: %+v", f.Next)
	}
	f = extract.Fold(distiller.Facts{}, extract.Options{Root: root}, session().User("make the export fast enough for ten thousand orders").
		Agent("If you want, I can remove the old row buffer too.").User("Which tests cover the export of orders today?").Agent("None.").All())
	if len(f.Questions) != 0 {
		t.Errorf("an offer that was passed over stays: %+v", f.Questions)
	}
}

func TestNext_IsNotHowAReplyTookItsLeave(t *testing.T) {
	s := session().User("Make the export fast enough for ten thousand orders").
		Agent("The writer flushes every row.\n\nI will buffer the rows of `export.go`.\n\nIf you have any other questions, let me know.").Edit(root + "/export.go")
	if next := fold(s).Next; next == nil || strings.Contains(next.Text, "questions") || !strings.Contains(next.Text, "buffer the rows") {
		t.Errorf("next: %+v", next)
	}
}

func TestAnswer_OfManyWordsSpeaksOfTheQuestion(t *testing.T) {
	ask := func() *script.Session {
		return session().User("Analyse the validator of exercises").Agent("There are two phases, the analyzer and the pixels.\n\nWant me to proceed with phase one of the validator, or with both?")
	}
	f := fold(ask().User("Proceed with both phases of it, then write a document that explains the new code to newcomers, commit everything, push it and bump the version"))
	if len(f.Decisions) != 1 || len(f.Questions) != 0 {
		t.Errorf("an answer is none: %+v, open %+v", f.Decisions, f.Questions)
	}
	f = fold(ask().User("can you look at the readme of the installer now, as an engineer who knows repositories and validator tools well would do it, and list phases that are wrong there").Agent("Two are wrong."))
	if len(f.Decisions) != 0 || len(f.Questions) != 1 {
		t.Errorf("another request answers: %+v, open %+v", f.Decisions, f.Questions)
	}
}
