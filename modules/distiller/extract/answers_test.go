package extract_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller/internal/script"
)

// decided is what a session decided, newest first: question and choice of each.
func decided(s *script.Session) []string {
	var out []string
	for _, d := range fold(s).Decisions {
		out = append(out, strings.TrimSpace(d.Question+" → "+strings.Join(d.Chosen, "; ")))
	}
	return out
}

func holdsDecision(t *testing.T, got []string, want string) {
	t.Helper()
	for _, d := range got {
		if strings.Contains(d, want) {
			return
		}
	}
	t.Errorf("no %q in %q", want, got)
}

func TestDecisions_APointThatAsksBackOrOnlyHeadsIsNone(t *testing.T) {
	s := session().User("Review the importer").
		Agent("Three findings:\n1. The parser drops empty rows.\n2. The cache has no limit.\n3. The log names no file.\nShall I fix them?").
		User("1. Keep the empty rows. Would that break the totals?\n2. How large does it get?\n3. Write it like this:")
	got := decided(s)
	holdsDecision(t, got, "Keep the empty rows.")
	for _, d := range got {
		if strings.Contains(d, "How large") || strings.Contains(d, "totals") || strings.Contains(d, "like this") {
			t.Errorf("decided: %q", d)
		}
	}
}

func TestDecisions_WhatIsSaidBehindThePoints(t *testing.T) {
	s := session().User("Review the importer").
		Agent("Two findings:\n1. The parser drops empty rows.\n2. The cache has no limit.\nShall I fix them?").
		User("1. Keep the empty rows.\n2. Limit it to 100 entries.\n\nThe exporter stays as it is. The docs come later.")
	holdsDecision(t, decided(s), "The exporter stays as it is. The docs come later.")
}

func TestDecisions_APromptOfPointsAnswersUnderLabelsOfItsOwn(t *testing.T) {
	s := session().User("Which version should the image have?").
		Agent("- **A:** the floor of the framework\n- **B:** the newest release\n\nWhich one?").
		User("1. If the template uses 17, the image does too. Does the snippet read the template?\n2. The naming rule goes into the contributing guide.")
	got := decided(s)
	holdsDecision(t, got, "If the template uses 17, the image does too.")
	holdsDecision(t, got, "The naming rule goes into the contributing guide.")
}

func TestDecisions_AGoAheadBehindWhatIsAddedAnswersTheOffer(t *testing.T) {
	s := session().User("Plan the release").
		Agent("The plan: bump the version, tag the commit, push the tag. Want me to proceed with this plan?").
		User("Also delete the old drafts from the release page with the api and keep the scripts folder for what runs while building\n\nAfter that proceed with the changes.")
	holdsDecision(t, decided(s), "Also delete the old drafts from the release page")
}

func TestDecisions_AListBesideTheQuestionIsPickedByItsLabels(t *testing.T) {
	reply := "### Option 1: a wrapper in the repository\nOne file for all.\n### Option 2: a setting of each person\nNothing to commit.\n\n**Option 1** is the simpler one.\n\nWant to go with the wrapper approach of one file for all of us?"
	s := session().User("How should the hook find the binary?").Agent(reply).
		User("I like Option 2, since the wrapper would have to be committed by everybody who has a repository, and a setting has not")
	holdsDecision(t, decided(s), "2) a setting of each person")

	s = session().User("Is the field ever shown?").
		Agent("It is not.\n1. **Remove it**\n2. **Show it in the preview**\n3. **Log it**\n\nWould you like me to either remove the field or make it useful by displaying it?").User("3")
	holdsDecision(t, decided(s), "3) Log it")
}

func TestDecisions_AnOrdinalThatPutsAnothersSubjectInOrderPicksNothing(t *testing.T) {
	s := session().User("What is left?").
		Agent("1. Merge the branch\n2. Watch the run\n3. Archive the change\n\nWhich of these first?").User("Archive first. Then I'll merge.")
	for _, d := range decided(s) {
		if strings.Contains(d, "→ 1) Merge") {
			t.Errorf("decided: %q", d)
		}
	}
}

func TestDecisions_BothPicksOfTwoAlone(t *testing.T) {
	s := session().User("Where does the version come from?").
		Agent("1. The floor\n2. The template\n3. The newest\n\nWant me to write this down and move on to the plan?").User("Yes, do both")
	if got := decided(s); len(got) != 1 || strings.Contains(got[0], "newest") {
		t.Errorf("decided: %q", got)
	}
}

func TestDecisions_AYesTakesWhatWasAdvised(t *testing.T) {
	s := session().User("What should the heading say?").
		Agent("1. \"Is there a daemon?\"\n2. \"Does it watch for changes?\"\n3. \"Does it sync always?\"\n\nI recommend **#2**, as it says most. Want me to apply that, or pick a different one?").User("yes, apply that")
	holdsDecision(t, decided(s), "2) \"Does it watch for changes?\"")
}

func TestDecisions_AChoicePutAnewReplacesTheOne(t *testing.T) {
	s := session().User("Where does the purpose line go?").
		Agent("1. Edit the purpose line in this branch\n2. Add a purpose section to the delta\n3. Drop the purpose line and file an issue\n\nWhich way?").User("option 2.").
		Agent("The parser drops the section. Do you want option 1 (edit the purpose line in this branch), or option 3 (drop the purpose line, file an issue)?").User("option 1.")
	if got := decided(s); len(got) != 1 || !strings.Contains(got[0], "option 1") {
		t.Errorf("decided: %q", got)
	}
}

func TestAsking_AListThatEndsInQuestionsIsWhatItsLeadInOffers(t *testing.T) {
	s := session().User("Move to the new release").
		Agent("It is a large change. Do you want me to:\n\n1. **Look first** — and report before touching code?\n2. **Just do it** — and fix whatever breaks?\n3. **Something else** — replace it altogether?")
	asked := fold(s).Turn.Asked
	if asked == nil || !strings.HasPrefix(asked.Question, "Do you want me to") || len(asked.Options) != 3 {
		t.Errorf("asked: %+v", asked)
	}
}

func TestQuestions_AGoAheadTakesNoneOfTwo(t *testing.T) {
	s := session().User("Write the tests").
		Agent("The plan stands. Ready to begin when you are: with the optional nightly workflow as well, or strictly the suite?").User("Proceed with the changes").Edit(root + "/cart_test.go").Agent("The suite passes.")
	if f := fold(s); !tells(f.Questions, "nightly workflow") {
		t.Errorf("open: %+v", f.Questions)
	}
}

func TestQuestions_WhatWasAskedBesideABareYes(t *testing.T) {
	s := session().User("Make the mode a setting").
		Agent("The setting should be off by default. Maybe add a dialog that confirms the first use of it?\n\nWould you like me to implement this setting?").User("yes").Edit(root + "/settings.go").Agent("The setting exists.")
	if f := fold(s); !tells(f.Questions, "dialog that confirms the first use") {
		t.Errorf("open: %+v", f.Questions)
	}
}

func TestQuestions_ACourtesyWithAConditionAsksNothing(t *testing.T) {
	s := session().User("Run the script").Shell("./run.sh", 0, "done").Agent("The script ran. If you have any specific questions or need further assistance with the script, please let me know!").
		User("Now write the exporter").Edit(root + "/export.go").Agent("It writes CSV.")
	if f := fold(s); len(f.Questions) > 0 {
		t.Errorf("open: %+v", f.Questions)
	}
}

func TestDecisions_AShortAnswerInKorean(t *testing.T) {
	s := session().User("릴리스 상태를 확인해줘").
		Agent("남은 항목이 두 개 있습니다. 커밋/릴리스를 진행할까요, 아니면 다른 항목을 먼저 하시겠습니까?").User("v0.16.0의 남은 2개 항목 완료 후 릴리스")
	holdsDecision(t, decided(s), "→ v0.16.0의 남은 2개 항목 완료 후 릴리스")
}

func TestDecisions_WhatACommandIsForIsTheTask(t *testing.T) {
	s := session().User("<command-message>brainstorm</command-message>\n<command-name>/brainstorm</command-name>").
		Agent("What would you like to brainstorm today?\nA) A new feature\nB) Improvements to an existing feature").User("B) I'd like the sessions to record when they ended, in both tools")
	if got := decided(s); len(got) > 0 {
		t.Errorf("decided: %q", got)
	}
}

func TestDecisions_LeaveToLookIsNone(t *testing.T) {
	s := session().User("The index is corrupt again").Agent("Something packs the objects. Want me to look into whether your settings might be triggering this?").User("yeah check what's triggering it").
		Read("git.go").Shell("git config --list", 0, "gc.auto=0").Agent("The editor fetches every minute, and that packs.").User("how often does it do that in a day, with the defaults?").Agent("Some 480 times.")
	if got := decided(s); len(got) > 0 {
		t.Errorf("decided: %q", got)
	}
	s = session().User("The index is corrupt again").Agent("Something packs the objects. Want me to turn the setting off in this repository?").User("yeah turn it off").
		Shell("git commit -m 'Turn it off'", 0, "[main abc1234] Turn it off").Agent("Done.").User("how often does it do that in a day, with the defaults?").Agent("Some 480 times.")
	holdsDecision(t, decided(s), "yeah turn it off")
}

func TestDecisions_OnePointWithARemarkPicks(t *testing.T) {
	s := session().User("The index is corrupt").
		Agent("Do you want me to:\n1. **Reset the index** with read-tree\n2. **Look further** at what is staged\n\nWhich approach do you prefer?").User("1. this has happened twice now just so you know")
	holdsDecision(t, decided(s), "1) Reset the index")
}

func TestDecisions_WhatTheAgentWouldDoAndWasBidden(t *testing.T) {
	plan := "No, not hard. The command reaches one socket.\n\nI'd implement this by listing the runtime directory and sending the request to every running daemon. That also catches profiles that no file names."
	s := session().User("i think it should clear all profiles, is that hard?").Read("daemon.go").Agent(plan).
		User("ok make a pr to fix").Edit(root + "/daemon.go").Agent("The pull request is open.")
	holdsDecision(t, decided(s), "I'd implement this by listing the runtime directory")

	s = session().User("i think it should clear all profiles, is that hard?").Read("daemon.go").Agent(plan).
		User("and what would the other way cost, with a list of the profiles in one file?").Agent("Some 200 lines.")
	if got := decided(s); len(got) > 0 {
		t.Errorf("decided: %q", got)
	}
}

// A list beside an offer is not what is offered: who only uses its words speaks of
// something else, and the offer still waits.
func TestQuestions_WordsOfTheListBesideAnOfferAnswerNothing(t *testing.T) {
	s := session().User("The index is corrupt again").
		Agent("Two things point to it:\n\n1. The shadow branch was replaced in this change\n2. The status of the tree comes from the cache\n\nThe fix is still the same: read what is staged with a call of the command line, so that the library never writes the index. Want me to do that?").
		User("hmm, we made a change recently to the shadow branch where we replaced the cache of the tree with its status, and I wonder since then about the order of those calls")
	if f := fold(s); !tells(f.Questions, "Want me to do that?") || len(f.Decisions) > 0 {
		t.Errorf("open: %+v, decided: %+v", f.Questions, f.Decisions)
	}
}

func TestQuestions_OutputIsTheWordThatWasAwaited(t *testing.T) {
	s := session().User("Do both hooks run?").Agent("Start it once and let me know what it prints, then we can go on with the right one.").
		User("$ cat /tmp/hook-*.log\nerror: /tmp/hook-local.log: permission denied").Agent("It may not be read.")
	if f := fold(s); len(f.Questions) > 0 {
		t.Errorf("open: %+v", f.Questions)
	}
}

// Who begins with one word of an offer and one of the sentence before it speaks of
// something else.
func TestQuestions_TwoChanceWordsAnswerNoOffer(t *testing.T) {
	s := session().User("Why was nothing committed?").Read("hook.go").
		Agent("The hook sees no edits of a shell. A fix would be to check the status of the tree as well. Want me to look into that?").
		User("can you take a look in ../shop where I checked out the branch with the fault, the first three commits were made by the hook and then it stopped, the logs of the agent should be in the archive beside them")
	if f := fold(s); !tells(f.Questions, "Want me to look into that?") || len(f.Decisions) > 0 {
		t.Errorf("open: %+v, decided: %+v", f.Questions, f.Decisions)
	}
}

// An answer about a setting answers what was asked about it before, in other words.
func TestQuestions_AnAnswerIsToAllThatNameTheSameCode(t *testing.T) {
	s := session().User("why is the index damaged again and again by something?").Agent("Collections run by themselves. Want me to disable them (`git config gc.auto 0`) to stop this from recurring?").
		User("first add that to the tracker, with the steps that bring the index back").Agent("Added with the cause and the steps. Want me to also set `gc.auto 0` on your repository now?").
		User("no don't set it, let's see if it keeps happening")
	if f := fold(s); len(f.Questions) != 0 {
		t.Errorf("open: %+v", f.Questions)
	}
}

// TestDecisions_AYesIsToThePlan holds that a yes to whether to go on with the steps of a reply is to
// these, one by one, and not to what weighs most in it.
func TestDecisions_AYesIsToThePlan(t *testing.T) {
	s := session().User("Let the shop take orders by mail").Agent("The reader knows no mail yet, see `reader.go`.\n\n1. **Reader**: take messages\n   - with attachments\n2. **Queue**: one for each customer\n3. **Tests**: with a mailbox of our own\n\nWant me to go on with this?").
		User("yes")
	if f := fold(s); len(f.Decisions) != 1 || !strings.HasPrefix(f.Decisions[0].Rationale, "1) Reader: take messages; 2) Queue: one for each customer; 3) Tests") {
		t.Errorf("decided: %+v", f.Decisions)
	}
}

// TestOutcome_APlanChangesNothing holds that a request to which the agent laid out steps, and asked, is
// not shown as merely answered.
func TestOutcome_APlanChangesNothing(t *testing.T) {
	s := session().User("Let the shop take orders by mail").Agent("This is what I would do:\n\n1. Reader: take messages\n2. Queue: one for each customer\n3. Tests: with a mailbox of our own\n\nWant me to go on with this?").
		User("Yes, and a page for the orders as well.").Edit(root + "/mail.go")
	if got := fold(s).Requests[0].Outcome; got != "answered, nothing changed" {
		t.Errorf("outcome %q", got)
	}
}
