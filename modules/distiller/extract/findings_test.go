package extract_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller/internal/script"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

const reviewed = "Three findings:\n\n1. **High** `src/cart.go:12` drops the last row.\n2. **Low** `src/total.go:40` rounds twice.\n3. Medium: `src/tax.go:7` ignores the country."

func TestFindings_AreToldUntilTheirFileIsChanged(t *testing.T) {
	review := func() *script.Session { return session().User("Review the last commit of the cart").Agent(reviewed) }
	if f := fold(review()); tells(f.Questions, "found, not handled") {
		t.Errorf("listed before anybody works on them: %+v", f.Questions)
	}
	s := review().User("Fix the findings of the review").Edit(root + "/src/cart.go").Agent("The first is fixed.")
	f := fold(s)
	if !tells(f.Questions, "src/total.go:40") || !tells(f.Questions, "src/tax.go:7") || tells(f.Questions, "src/cart.go:12") {
		t.Errorf("left: %+v", f.Questions)
	}
	if f = fold(s.Edit(root + "/src/total.go").Edit(root + "/src/tax.go")); tells(f.Questions, "found, not handled") {
		t.Errorf("listed when all are handled: %+v", f.Questions)
	}
}

func TestFindings_AReportOfWhatWasChangedIsNone(t *testing.T) {
	s := session().User("Mend the cart").Edit(root + "/src/cart.go").Agent(reviewed).Edit(root + "/src/tax.go")
	if f := fold(s); tells(f.Questions, "found, not handled") {
		t.Errorf("questions: %+v", f.Questions)
	}
}

func TestParkedCommit_ItsListIsStillToDo(t *testing.T) {
	s := session().User("Park it for today").
		Shell("git commit --allow-empty -m \"$(cat <<'EOF'\nWIP: exporter\n\nCompleted:\n- the header row\n\nOpen:\n- check the tax of foreign orders\n- tag the release v1.2\nEOF\n)\"", 0, "[main abc1234] WIP: exporter")
	var todo []string
	for _, p := range fold(s).Progress {
		if p.State == "todo" {
			todo = append(todo, p.Text)
		}
	}
	if len(todo) != 2 {
		t.Errorf("to do: %q", todo)
	}
	s.Edit(root+"/tax.go").Shell("git add . && git commit -m 'Check the tax'", 0, "[main abc1235] Check the tax\n 1 file changed")
	for _, step := range fold(s).Progress {
		if strings.Contains(step.Text, "check the tax of foreign orders") {
			t.Errorf("still listed after it was taken up again: %+v", step)
		}
	}
	s = session().User("Commit it").Shell("git commit -m 'Add the exporter\n\n- header row'", 0, "[main abc1234] Add the exporter")
	for _, p := range fold(s).Progress {
		if p.State == "todo" {
			t.Errorf("to do after a plain commit: %+v", p)
		}
	}
}

// What the person has to do by hand is said at the start of a sentence; further behind it
// stands in an explanation.
func TestActions_OfThePersonBeginASentence(t *testing.T) {
	s := session().User("publish the shop").Agent("You need to add the key to the vault. In the engine of the car, you need to know whether the gear is neutral. Here is what you need to consider:\n\n- the gear")
	if got := fold(s).Actions; len(got) != 1 || !strings.Contains(got[0].What, "vault") {
		t.Errorf("got %+v", got)
	}
}

// What the person was told to do by hand is done, or not, some requests later; what
// somebody else is to do stays. A condition tells nobody to do anything.
func TestActions_OfThePersonEndWithTheirRequests(t *testing.T) {
	s := session().User("Set the vault up").Agent("Please add the key to the vault.\n\n## Action items\n- Ada: book the room").
		User("Mend the list of orders").Agent("If you need to change the style, tell me.")
	if got := fold(s).Actions; len(got) != 2 {
		t.Fatalf("got %+v", got)
	}
	for _, what := range []string{"writer", "reader", "parser", "printer", "loader", "server"} {
		s.User("now rename the methods of the list's " + what).Edit(root + "/" + what + ".go").Agent("Renamed.")
	}
	if got := fold(s).Actions; len(got) != 1 || got[0].Who != "Ada" {
		t.Errorf("after eight requests: %+v", got)
	}
}

// A style sheet has colours of digits alone; where there is none with letters, "#111827" is a number.
func TestReferences_AColourIsNone(t *testing.T) {
	s := session().User("Set the page up with:\n\n  --text: #e5e7eb;\n  --panel: #111827;\n\nas #42 and SHOP-17 say").Edit(root + "/page.css").Agent("Set.")
	if got := fold(s).References; len(got) != 2 || !tells(got, "#42") || !tells(got, "SHOP-17") {
		t.Errorf("got %+v", got)
	}
}

// A version is no ticket, a pattern of addresses is no address, nor is one that a fetch found nothing at.
func TestReferences_OnlyWhatLeadsSomewhere(t *testing.T) {
	s := session().User("Which licences do we take? CC0-1.0 is fine, see SHOP-17.").
		Agent("The archive is at https://shop.test/v#{version}/shop.tgz, the form at https://shop.test/form and https://shop.test/gone.").
		Call(transcript.CallInfo{Name: "WebFetch", Meaning: transcript.Fetch, Detail: "https://shop.test/gone"}).Result(transcript.ResultInfo{Failed: true, Text: "404 Not Found"})
	if got := fold(s).References; len(got) != 2 || !tells(got, "SHOP-17") || !tells(got, "https://shop.test/form") {
		t.Errorf("references: %+v", got)
	}
}

func TestReferences_ANumberWithItsAddressStandsOnce(t *testing.T) {
	s := session().User("Open the pull request").Shell("gh pr create --fill", 0, "https://github.com/shop/page/pull/233").Agent("#233 is open.")
	if got := fold(s).References; len(got) != 1 || !strings.Contains(got[0].Text, "/pull/233") {
		t.Errorf("got %+v", got)
	}
}

// What a review found is next to be decided on, where it was to change nothing.
func TestNext_TheFindingsOfAReview(t *testing.T) {
	next := fold(session().User("Review the last commit; change nothing").Read(root + "/src/cart.go").Agent(reviewed)).Next
	if next == nil || !strings.HasPrefix(next.Text, "Ask which of the 3 findings to fix, none is handled; the first: High `src/cart.go:12` drops the last row") {
		t.Errorf("got %+v", next)
	}
}

// Who refuses a plan and says what to do instead has changed what is worked on.
func TestTask_WhatIsWantedInsteadOfThePlan(t *testing.T) {
	s := session().User("Audit the article and make a plan").Read(root + "/a.md").
		Call(transcript.CallInfo{Name: "ExitPlanMode", Meaning: transcript.Planning}).
		Result(transcript.ResultInfo{Outcome: transcript.Rejected, Text: "The user doesn't want to proceed. the user said:\nGenerate the milestone contract for these opportunities"}).Read(root + "/b.md")
	if task := fold(s).Task; task.Now != "Generate the milestone contract for these opportunities" {
		t.Errorf("got %+v", task)
	}
}
