package extract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// A reply may number its advice and then its questions: a numbered answer goes
// through the questions, which are then open no more.
func TestDecisions_ANumberedAnswerGoesThroughTheListThatAsks(t *testing.T) {
	f := fold(session().User("Plan the archive of notes").Agent("Advice:\n\n1. **Storage:** one file a note keeps the diffs small\n2. **Access:** the token needs the repo scope\n3. **Layout:** folders may nest\n\n" +
		"## Questions\n\n1. **Depth:** how many levels of folders?\n   - shown in the tree\n   - hidden in search\n2. **Fields:** text only, or typed?\n3. **Cache:** in the browser or on the disk?\n\nTell me what you think of these and I'll update the plan.").
		User("1. five levels\n2. typed, no binaries\n3. in the browser"))
	var told []string
	for _, d := range f.Decisions {
		told = append(told, d.Question+" → "+strings.Join(d.Chosen, " "))
	}
	all := strings.Join(told, "\n")
	for _, want := range []string{"how many levels of folders? → five levels", "text only, or typed? → typed", "on the disk? → in the browser"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
	if len(f.Questions) != 0 {
		t.Errorf("still open: %+v", f.Questions)
	}
}

// "Yes, do this: 1. … 2. …" says yes to the question, and asks for the rest.
func TestDecisions_AYesWithAListOfWorkIsOneAnswer(t *testing.T) {
	f := fold(session().User("Plan the importer").Agent("The plan has three parts. Ready to write it into the plan file?").
		User("Perfect. Yes do this now:\n1. write our conversation into NOTES.md\n2. update the plan file"))
	if len(f.Decisions) != 1 {
		t.Errorf("decided: %+v", f.Decisions)
	}
}

// A question is passed over when the next prompt speaks of something else, and not
// when it talks it over in words of its own.
func TestQuestions_ALongPromptMaySpeakToTheQuestion(t *testing.T) {
	ask := func() distiller.Facts {
		return fold(session().User("Plan the archive of notes").Agent("One folder a topic, with the topic's metadata in it.\n\nDoes this folder structure with metadata files suit the archive?").
			User("Physical folders in the archive are good, and the metadata stands in a file of each folder, so the structure shows on the page. " +
				"Also the page wants a search field at the top, a button to add notes, colours that can be told apart and a printed form for the office."))
	}
	if f := ask(); len(f.Questions) != 0 {
		t.Errorf("open: %+v", f.Questions)
	}
	f := fold(session().User("Rename the module").Agent("Renamed. Want me to mention the new name in the readme of the tap as well?").
		User("Review the questions page in this branch as an engineer who knows how repositories work"))
	if len(f.Questions) != 1 {
		t.Errorf("open: %+v", f.Questions)
	}
}

// What waits for a person's word has it once there is word.
func TestQuestions_WhatWaitedForApprovalIsNotOpenOnceItIsGiven(t *testing.T) {
	s := session().User("Ship the migration").Shell("gh pr create", 0, "https://github.com/a/b/pull/7").
		Agent("The release is on hold: `gh pr merge 7` is blocked by your approval.")
	if f := fold(s); len(f.Questions) != 1 && f.Turn.Asked == nil {
		t.Errorf("nothing waits: %+v", f.Turn)
	}
	if f := fold(s.User("approved").Shell("gh pr merge 7", 0, "Merged").Agent("Merged. Now the notes.")); len(f.Questions) != 0 {
		t.Errorf("open: %+v", f.Questions)
	}
}

// What a plan ticks off before anything was done are its merits.
func TestProgress_TheMeritsOfAPlanAreNoWork(t *testing.T) {
	merits := "The setting fits the pattern:\n- ✅ Can be set per project\n- ✅ Easy to switch off\n- ✅ Applies to all launches"
	f := fold(session().User("How could the flag be optional?").Read(root + "/settings.ts").Agent(merits))
	if len(f.Progress) != 0 {
		t.Errorf("done: %+v", f.Progress)
	}
	f = fold(session().User("Make the flag optional").Edit(root + "/settings.ts").Agent(merits))
	if len(f.Progress) < 3 {
		t.Errorf("done: %+v", f.Progress)
	}
}

// A scratch file that the person asked for is what was wanted.
func TestUndo_NotTheFileThatThePersonNamed(t *testing.T) {
	f := fold(session().User("Try all tools and add any issue to /tmp/issues.md").Write("/tmp/issues.md").Write("/tmp/probe.js"))
	if all := texts(f.Undo); strings.Contains(all, "issues.md") || !strings.Contains(all, "probe.js") {
		t.Errorf("to undo: %s", all)
	}
}

// A request that the model's server refused was not simply left.
func TestRequest_StoppedByAnError(t *testing.T) {
	f := fold(session().User("Write a script that shuts the machine down").Ends(transcript.TurnFailed).User("Hello?"))
	if got := f.Requests[0].Outcome; got != "stopped by an error" {
		t.Errorf("outcome %q", got)
	}
}

// A plan that is handed back to be carried out is the agent's: no decision in it is
// the person's, and no demand.
func TestDecisions_NotThePlanThatIsSentBack(t *testing.T) {
	plan := "Proposed change: a route that returns the schema.\n\n1. backend/nodes.py\n   Never open the database twice.\n2. backend/app.py\n   Add the route below the health check.\n3. frontend/app.js\n   Call it from the new button."
	f := fold(session().User("Plan a button that shows the schema").Agent(plan).User(plan))
	if len(f.Decisions) != 0 || len(f.Constraints) != 0 {
		t.Errorf("decided %+v, constraints %+v", f.Decisions, f.Constraints)
	}
}

// Aider fences code with tags where it holds backticks: nothing in it was said.
func TestReply_CodeBetweenTagsIsNotProse(t *testing.T) {
	f := fold(session().User("Add the search field").Agent("The field stands below the header.\n\nindex.html\n<source>\n<!-- not verified yet -->\n<input placeholder=\"`query` is blocked until the index is built\">\n</source>\n"))
	if len(f.Questions) != 0 {
		t.Errorf("open: %+v", f.Questions)
	}
}

// "If you want other changes, let me know" waits for nothing.
func TestQuestions_APoliteConditionIsNotOpen(t *testing.T) {
	f := fold(session().User("Move the header down").Edit(root + "/app.css").Agent("The header has a padding of one rem.\n\nIf you want to adjust the padding of the header, let me know.").
		User("Add a magnifying glass to the search field"))
	if len(f.Questions) != 0 {
		t.Errorf("open: %+v", f.Questions)
	}
}

// A list that was made for what the person agreed to says more than the question.
func TestNext_TheListMadeForWhatWasAgreedTo(t *testing.T) {
	s := session().User("Add a user agent to the requests").
		Agent("The version stands in one package, and callers may set it. OK?\n\nWant me to skip the formal `docs/specs/agent.md` write-up?").
		User("yes for both, go ahead").Todo(transcript.Item{Text: "Add the package useragent", State: "todo"}, transcript.Item{Text: "Wire it into the client", State: "todo"})
	f := fold(s.Read(root + "/client.go"))
	if f.Next.Text != "Add the package useragent" {
		t.Errorf("next: %s", f.Next.Text)
	}
	if len(f.Questions) != 0 {
		t.Errorf("open after a yes to both: %+v", f.Questions)
	}
}

// Nothing is told as announced where nothing was.
func TestNext_NothingWasAnnounced(t *testing.T) {
	f := fold(session().User("Commit the specs").Shell("git commit -m specs", 0, "[main abc1234] specs").Agent("Committed as `abc1234`.").
		User("Implement what docs/resolution.md specifies, as one or more pull requests").Read(root + "/docs/resolution.md").Read(root + "/src/registry.py"))
	if !strings.HasPrefix(f.Next.Text, "Go on with the request: Implement what docs/resolution.md specifies") {
		t.Errorf("next: %s", f.Next.Text)
	}
}

// A value of a program is no doubt, and an agent that waits for its own command is
// not waiting for somebody.
func TestQuestions_NeitherValuesNorItsOwnCommands(t *testing.T) {
	f := fold(session().User("Fix the type error of the demo").
		Agent("`demo.tsx` has an unnecessary `characters={undefined}` prop. The cases passed; I'm waiting for the runner of `test/daemon.bats` to exit.").Edit(root + "/demo.tsx"))
	if len(f.Questions) != 0 {
		t.Errorf("open: %+v", f.Questions)
	}
}

// A request that leads in to a list of its own answers no list of the agent's.
func TestDecisions_AListThatARequestLeadsInToIsItsOwn(t *testing.T) {
	f := fold(session().User("Review the validators").Agent("To go on I need:\n\n1. The entry point of the package\n2. The folder of the schemas\n\nLet me know how to proceed.").
		User("You are auditing the core repository of the shop to prepare its release.\n\nObjectives:\n1. Verify the entry point of every module\n2. Flag commands that are missing"))
	if len(f.Decisions) != 0 {
		t.Errorf("decided: %+v", f.Decisions)
	}
}

// Output that a person pastes is no answer to what the agent offered to look at.
func TestDecisions_APastedLogAnswersNoOffer(t *testing.T) {
	f := fold(session().User("Run the review in CI").Edit(root + "/review.yml").
		Agent("That push should trigger the review workflow itself, let me know if you want me to check the run status.").
		User("Run review workflow status action\n15s\nAuto-detected mode: agent for event pull_request\nRequesting the token\nAttempt 1 of 3\nFailed to get the token: 66 | const token = yield client.getCall(url)\n" +
			"67 | secret(token)\nerror: Could not fetch a token, did you add the permission to the file"))
	if len(f.Decisions) != 0 {
		t.Errorf("decided: %+v", f.Decisions)
	}
}

// What the agent found unfinished on the way is not open once it went on to change it.
func TestQuestions_WhatWasFoundUnresolvedIsBeingWorkedOff(t *testing.T) {
	found := "Two comments on `cart.go` are unresolved: the sum is rounded twice and an empty cart fails."
	if f := fold(session().User("Address the review").Agent(found).Ends(transcript.TurnCompleted)); len(f.Questions) != 1 {
		t.Errorf("open: %+v", f.Questions)
	}
	if f := fold(session().User("Address the review").Agent(found).Edit(root + "/cart.go")); len(f.Questions) != 0 {
		t.Errorf("still open: %+v", f.Questions)
	}
}

// After many calls an announcement is no longer what comes next, though they only read.
func TestNext_AnAnnouncementIsBehindManyReads(t *testing.T) {
	s := session().User("Explain how the importer works").Agent("I'll start by mapping the folders.")
	for range 12 {
		s = s.Shell("ls src", 0, "importer.go")
	}
	if next := fold(s).Next; next == nil || !strings.Contains(next.Text, "has worked since") {
		t.Errorf("next: %+v", next)
	}
}

// Of a long paste the lines that stand out to the left are the person's.
func TestTask_IndentedOutputIsNotThePersons(t *testing.T) {
	log := "    Requesting the token of the run\n    Failed to get the token: 66 | const token = yield client.getCall(url);\n    67 | secret(token);\n    68 | return token;\n" +
		"    error: no token in the environment\n      at get (/run/core.js:71:27)\n      at new Promise (1:11)\n      at get (/run/core.js:12:4)\n"
	f := fold(session().User("The review fails in CI:\n" + log))
	if f.Task == nil || !strings.HasPrefix(f.Task.Text, "The review fails in CI") || strings.Contains(f.Task.Text, "Requesting") {
		t.Errorf("task: %+v", f.Task)
	}
}

// "What would you like to clarify?" is about nothing once something else was asked.
func TestQuestions_WhatSaysLittleIsNotKept(t *testing.T) {
	f := fold(session().User("Plan the review").Agent("What would you like to clarify?").User("How much does a run of it cost with the key of the team?").Agent("Two cents."))
	if len(f.Questions) != 0 {
		t.Errorf("open: %+v", f.Questions)
	}
}

// A program between the agent and git may word git's answer in its own way.
func TestVerify_ACommitBehindOtherCommandsHoldsTheChanges(t *testing.T) {
	s := session().User("Restore the sentence").Edit(root+"/guide.md").
		Shell("git add -A && git commit -m 'Restore the sentence' | cat; git status", 0, "ok 1 file changed, 8 insertions(+)\nok 189b49d")
	if f := fold(s); tells(f.Verify, "no commit of this session holds") {
		t.Errorf("to check: %+v", f.Verify)
	}
}

// A directive of the program that shows a reply is nothing the agent said.
func TestProgress_LeavesDirectivesOut(t *testing.T) {
	f := fold(session().User("Commit it").Edit(root + "/a.go").Agent("The package is committed and pushed to its branch.\n\n::git-commit{cwd=\"/home/dev/shop\"} ::git-push{cwd=\"/home/dev/shop\"}").Ends(transcript.TurnCompleted))
	if told := fmt.Sprintf("%+v", f.Requests); !strings.Contains(told, "pushed to its branch") || strings.Contains(told, "::git") {
		t.Errorf("told: %s", told)
	}
}

// A question may come without its mark: it decides nothing.
func TestDecisions_AQuestionWithoutItsMarkIsNone(t *testing.T) {
	for _, prompt := range []string{"how would I separate the wheel from the cart class", "why does the sum stay rounded for now"} {
		f := fold(session().User("Split the cart").Edit(root + "/cart.go").Agent("The cart is split into three files.").User(prompt))
		if len(f.Decisions) != 0 {
			t.Errorf("%s: decided %+v", prompt, f.Decisions)
		}
	}
}

// "Fix 3 too" says nothing to somebody who does not see the list.
func TestTask_SaysWhatANumberPointsTo(t *testing.T) {
	review := "Findings:\n\n1. **Rounding** drops the last cent\n2. **Links** are followed out of the folder\n3. **Names** are never shown"
	f := fold(session().User("Review the cart").Agent(review).User("let's fix 3 too"))
	if f.Task == nil || !strings.Contains(fmt.Sprintf("%+v", *f.Task), "(3: Names are never shown)") {
		t.Errorf("task: %+v", f.Task)
	}
	long := "Findings:\n\n1. **Rounding.**\n   It drops the last cent.\n\n2. **Links.**\n   They are followed out of the folder.\n\n   `till` shows it.\n\nAll of it is old."
	f = fold(session().User("Review the cart").Agent(long).User("What should we do about 2? Is that a problem of the cart, or of the till and its links?"))
	if f.Task == nil || !strings.Contains(fmt.Sprintf("%+v", *f.Task), "(2: Links. They are followed out of the folder. `till` shows it.)") {
		t.Errorf("with what stands below it: %+v", f.Task)
	}
	f = fold(session().User("Review the cart").Agent(review).User("can you fix all 3"))
	if f.Task == nil || !strings.Contains(fmt.Sprintf("%+v", *f.Task), "(1: Rounding drops the last cent; 2: Links are followed out of the folder; 3: Names are never shown)") {
		t.Errorf("all of them: %+v", f.Task)
	}
	f = fold(session().User("Review the cart").Agent(review).User("add 3 tests for the cart"))
	if f.Task == nil || strings.Contains(fmt.Sprintf("%+v", *f.Task), "Names are never shown") {
		t.Errorf("it counts and does not point: %+v", f.Task)
	}
}

// What a reply named as the next step is not next once something else is begun.
func TestNext_AnEarlierStepIsBehindARequestThatIsBegun(t *testing.T) {
	s := session().User("How do the two skills differ?").Agent("They repeat each other.\n\nNext: move both skills into one folder.").
		User("That is done elsewhere. Draw a diagram of the whole import instead").Read(root + "/import.go")
	if next := fold(s).Next; next == nil || strings.Contains(next.Text, "move both") || !strings.Contains(next.Text, "diagram") {
		t.Errorf("next: %+v", next)
	}
}

// An agent that says nothing is not done because its first check passes.
func TestNext_ASilentAgentGoesOnAfterACheck(t *testing.T) {
	s := session().User("Write a gateway with an interface, a queue, a login and a container").Edit(root+"/config.py").Shell("ruff check config.py --fix", 0, "Found 7 errors (7 fixed, 0 remaining).")
	if next := fold(s).Next; next == nil || !strings.HasPrefix(next.Text, "Go on with the request") {
		t.Errorf("next: %+v", next)
	}
}

// A commit of nothing is no failure: somebody has committed before.
func TestFailures_ACommitOfNothingIsNone(t *testing.T) {
	s := session().User("Commit the parser").Shell("git add -A && git commit -m 'Add the parser'", 1, "On branch main\nnothing to commit, working tree clean").
		Agent("It is committed already.").Ends(transcript.TurnCompleted)
	if f := fold(s); len(f.Failures) != 0 || tells(f.Verify, "failed") {
		t.Errorf("failed: %+v, to check: %+v", f.Failures, f.Verify)
	}
}

// A short answer may share no word with the question.
func TestDecisions_AnAnswerInWordsOfItsOwnIsOne(t *testing.T) {
	f := fold(session().User("Show the weather").Edit(root + "/weather.py").Agent("The page shows both units. Should the user choose between them?").User("Always Celsius by default"))
	if len(f.Decisions) != 1 || !strings.Contains(f.Decisions[0].Question, "choose between them") {
		t.Errorf("decided: %+v", f.Decisions)
	}
}
