package extract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// What the list says now outlives what was announced, and done, before it.
func TestNext_TheListOutlivesWhatWasAnnouncedBefore(t *testing.T) {
	s := session().User("Make the rows green in the table, the bar and the legend").
		Agent("Let me colour the cells of the table:").Edit(root+"/table.go").
		Todo(transcript.Item{Text: "Colour the table", State: "done"}, transcript.Item{Text: "Colour the bar", State: "doing"})
	if next := fold(s).Next.Text; next != "Colour the bar" {
		t.Errorf("next: %s", next)
	}
}

// A list that was made for what was announced says what comes behind the step that is written.
func TestNext_TheListSaysWhatComesBehindWhatIsWritten(t *testing.T) {
	s := session().User("Create a component that this library lacks").Agent("Let me set up the plan and create it:").
		Todo(transcript.Item{Text: "Create ui/magnet.go", State: "doing"}, transcript.Item{Text: "Register it in registry.json"}).
		Write(root + "/ui/magnet.go").Edit(root + "/ui/all.go")
	if next := fold(s).Next.Text; next != "Register it in registry.json" {
		t.Errorf("next: %s", next)
	}
}

// What is left is left of the newest request, though it leans on the one before.
func TestNext_IsAboutTheNewestRequest(t *testing.T) {
	s := session().User("Delete the folder of the old importer and its tests, please").Agent("Deleted.").
		User("create draft PR").Agent("Committing both:").
		Edit(root+"/importer.go").Shell("git commit -qam 'drop the old importer'", 0, "[main abc1234] drop the old importer")
	if next := fold(s).Next.Text; !strings.Contains(next, "see what is left of the request, then report: create draft PR") {
		t.Errorf("next: %s", next)
	}
}

// A commit made in spite of a failing check has gone on without it.
func TestNext_NoCheckFromBeforeTheCommit(t *testing.T) {
	s := session().User("Stream the rows of the export and open a pull request").Edit(root+"/writer.go").
		Shell("npm test", 1, "FAIL config.test.ts").Shell("git commit -am 'stream rows'", 0, "[main abc1234] stream rows").
		Shell("git push", 0, "main -> main").Call(transcript.CallInfo{Name: "Task", Meaning: transcript.Subagent, Command: ""})
	if next := fold(s).Next.Text; strings.Contains(next, "npm test") {
		t.Errorf("next: %s", next)
	}
}

// Of one kind of command it is said once or twice that it failed before it worked.
func TestFailures_OfOneKindThatEndedAreFew(t *testing.T) {
	s := session().User("Write the modules and lint each")
	for i := range 6 {
		file := fmt.Sprintf("mod%d.py", i)
		s.Write(root+"/"+file).Shell("ruff check "+file, 1, "Found 2 errors.").Edit(root+"/"+file).Shell("ruff check "+file, 0, "All checks passed!")
	}
	if failures := fold(s).Failures; len(failures) != 2 {
		t.Errorf("%d failures of one linter: %+v", len(failures), failures)
	}
}

// What blocked a command blocks nothing once the command has worked, and what was
// not verified is once a later reply tells of it.
func TestQuestions_ADoubtEndsWithWhatItDoubts(t *testing.T) {
	s := session().User("Commit the changes one by one").Shell("git commit -m one", 1, "error: signing failed").
		Agent("Three are staged. Blocked: `git commit` fails because the key is locked.\n\nThe retry limit of the uploader is not verified.")
	if open := fold(s).Questions; len(open) != 2 {
		t.Fatalf("open: %+v", open)
	}
	s.User("unlocked, try again and check the limit").Shell("git commit -m one", 0, "[main abc1234] one")
	if open := fold(s).Questions; len(open) != 1 || !strings.Contains(open[0].Text, "retry limit") {
		t.Errorf("open after the commit: %+v", open)
	}
	s.Read(root + "/uploader.go").Agent("Committed. The retry limit of the uploader is five, as documented.")
	if open := fold(s).Questions; len(open) != 0 {
		t.Errorf("open after the look: %+v", open)
	}
}

// The person's own words may lead to a long paragraph that came from elsewhere: what
// it begins with is what they are about.
func TestTask_TellsHowALongParagraphBegins(t *testing.T) {
	feedback := strings.Repeat("The cache falls through to the old key when the new one is empty, and the comment says otherwise. ", 9)
	task := fold(session().User("we have some other feedback:\n" + feedback + "\n\nlet's discuss")).Task.Text
	if !strings.Contains(task, "The cache falls through to the old key") || !strings.HasSuffix(task, "let's discuss") {
		t.Errorf("task: %s", task)
	}
}

// "resume" after an error goes on with what was announced before it.
func TestNext_ANudgeInTheMiddleKeepsWhatWasAnnounced(t *testing.T) {
	s := session().User("Find out which of the rules nobody uses").Agent("Fifty sessions are too few. Let me widen the scan to all of them:").
		Read(root + "/rules.md").Ends(transcript.TurnFailed).User("resume")
	f := fold(s)
	if !strings.Contains(f.Next.Text, "widen the scan") || f.Turn.Text != "stopped in the middle of the request" {
		t.Errorf("turn %q, next %q", f.Turn.Text, f.Next.Text)
	}
}

// A command that steers the tool is a request once the agent works on it.
func TestRequest_ASteeringCommandThatTheAgentWorksOn(t *testing.T) {
	command := func(name string) string {
		return "<command-message>" + name + "</command-message>\n<command-name>/" + name + "</command-name>"
	}
	s := session().User("Push the branch and comment on the pull request").Shell("git push", 0, "main -> main").Agent("Pushed.").
		Prompt(transcript.Machine, command("model")).Prompt(transcript.Machine, command("doctor")).Agent("All checks first:").Read(root + "/settings.json")
	if f := fold(s); len(f.Requests) != 2 || f.Requests[1].Text != "run /doctor" || f.Task.Now != "run /doctor" {
		t.Errorf("requests %+v, task %+v", f.Requests, f.Task)
	}
}

// A list is not always kept up: what was worked on since is said beside its step,
// and is not next.
func TestProgress_SaysThatAStepsFilesWereChanged(t *testing.T) {
	s := session().User("Write tests for the utilities").
		Todo(transcript.Item{Text: "Export the helpers in colour.ts", State: "doing"}, transcript.Item{Text: "Test the streak", State: "todo"}).
		Edit(root + "/src/colour.ts").Write(root + "/src/streak.test.ts")
	f := fold(s)
	if !f.Progress[0].Touched || f.Progress[1].Touched || !strings.Contains(f.Next.Text, "Test the streak") {
		t.Errorf("progress %+v, next %q", f.Progress, f.Next.Text)
	}
}

// Once the agent's own list says that all is done, nothing is left of what it announced
// before it brought the list up to date.
func TestNext_AListThatIsDoneEndsWhatWasAnnounced(t *testing.T) {
	s := session().User("Make the rows green in the table and the bar, then run pnpm fix").
		Todo(transcript.Item{Text: "Colour the table", State: "done"}, transcript.Item{Text: "Run pnpm fix", State: "doing"}).
		Edit(root+"/table.go").Shell("pnpm fix", 0, "$ ultracite fix").Agent("It passes. Let me update the list.").
		Todo(transcript.Item{Text: "Colour the table", State: "done"}, transcript.Item{Text: "Run pnpm fix", State: "done"})
	if next := fold(s).Next.Text; !strings.HasPrefix(next, "See what is left of the request, then report; uncommitted changes: table.go; after the last edit lint passed, no test ran") {
		t.Errorf("next: %s", next)
	}
}

// Once the files of the step that is being done are written, the list says what comes next.
func TestNext_TheStepBehindTheOneThatIsWritten(t *testing.T) {
	s := session().User("Make a repository of the seven modules, with tests").Shell("pytest -v", 0, "78 passed").Agent("All 78 tests pass.").
		Todo(transcript.Item{Text: "Write README.md with examples", State: "doing"}, transcript.Item{Text: "Create the repository and push", State: "todo"}).
		Write(root + "/README.md").Write(root + "/.gitignore")
	if next := fold(s).Next.Text; !strings.HasPrefix(next, "Create the repository and push") {
		t.Errorf("next: %s", next)
	}
}

// A push of all that was changed ends what was announced, as a commit does.
func TestNext_APushEndsWhatWasAnnounced(t *testing.T) {
	for announced, want := range map[string]string{
		"I'll push `bump` to origin now.":                      "see what is left of the request",
		"I'll commit it, then push.":                           "see what is left of the request",
		"I'll commit it, then push and open the pull request.": "then push and open the pull request",
	} {
		s := session().User("Make a pull request for the new release").Edit(root+"/go.mod").Agent(announced).
			Shell("git commit -am 'go.mod: bump'", 0, "[bump abc1234] go.mod: bump").Shell("git push -u origin bump", 0, "bump -> bump")
		if next := fold(s).Next.Text; !strings.Contains(strings.ToLower(next), want) {
			t.Errorf("%s next: %s", announced, next)
		}
	}
}

func TestNext_AFailingCheckIsNotHidByAnotherThatPassed(t *testing.T) {
	s := session().User("Make the buttons larger").Edit(root+"/button.tsx").Shell("pnpm check", 1, "button.tsx:3:1 error Missing radix").
		User("and make them round").Edit(root+"/button.tsx").Shell("pnpm typecheck", 0, "$ tsc --noEmit").Agent("They are round.")
	if next := fold(s).Next.Text; strings.Contains(next, "the checks passed") {
		t.Errorf("next: %s", next)
	}
}

// What was pushed after a pull request was merged is not of it.
func TestNext_APushAfterTheMergeIsOfAnotherPullRequest(t *testing.T) {
	s := session().User("Wire the review into the checks of https://github.com/shop/shop/pull/41").Edit(root+"/ci.yml").
		Shell("git commit -am 'ci: review'", 0, "[review abc1234] ci: review").Shell("git push", 0, "review -> review")
	if next := fold(s).Next.Text; !strings.Contains(next, "the CI run of PR #41") {
		t.Fatalf("next: %s", next)
	}
	s.Shell("gh pr merge 41 --squash", 0, "✓ Merged").Edit(root+"/README.md").
		Shell("git commit -am 'readme: the review'", 0, "[readme def5678] readme: the review").Shell("git push -u origin readme", 0, "readme -> readme")
	if next := fold(s).Next.Text; !strings.Contains(next, "the CI run of what was pushed") {
		t.Errorf("next: %s", next)
	}
}

// TestProgress_AListThatNobodyKeptUpSaysSo holds that a list of steps which was not brought up
// to date for many edits is listed as that, and says nothing of what comes next.
func TestProgress_AListThatNobodyKeptUpSaysSo(t *testing.T) {
	s := session().User("Move the checks of the shop into one place").
		Todo(transcript.Item{Text: "Write the shared checks", State: "doing"}, transcript.Item{Text: "Use them in the till", State: "todo"})
	for range 9 {
		s.Edit(root + "/checks.go")
	}
	f := fold(s.Agent("The checks are in one place now. Let me look at the docs."))
	if f.Progress[0].Outdated != 9 || strings.Contains(f.Next.Text, "till") {
		t.Errorf("progress %+v, next %q", f.Progress, f.Next.Text)
	}
	f = fold(s.Todo(transcript.Item{Text: "Write the shared checks", State: "done"}, transcript.Item{Text: "Use them in the till", State: "doing"}))
	if f.Progress[1].Outdated != 0 || !strings.Contains(f.Next.Text, "till") {
		t.Errorf("brought up to date: progress %+v, next %q", f.Progress, f.Next.Text)
	}
}

// Steps that were not kept up say where the agent is as far as their files are seen to be written.
func TestNext_IsBehindTheStepsWhoseFilesAreWritten(t *testing.T) {
	s := session().User("Write tests for the app, so that what breaks is seen").
		Todo(transcript.Item{Text: "Set up package.json", State: "doing"}, transcript.Item{Text: "Create the helpers (fakeClock, fakeRouter)"}, transcript.Item{Text: "Write the suites of the logic"})
	for range 8 {
		s.Edit(root + "/package.json")
	}
	s.Agent("Now the helpers:").Write(root + "/test/fakeClock.ts").Write(root + "/test/fakeRouter.ts")
	if next := fold(s).Next.Text; next != "Write the suites of the logic" {
		t.Errorf("next: %s", next)
	}
}

// What a commit puts aside for later is taken up: many edits after it, its steps are no longer next.
func TestNext_IsNoStepThatACommitPutAsideLongAgo(t *testing.T) {
	s := session().User("Finish the two things that are left and release").Edit(root+"/a.go").
		Shell("git commit -qam \"$(cat <<'EOF'\nTODOs: what is left\n\n- Look at the advice on the gate\n- Release the version\nEOF\n)\"", 0, "")
	for range 9 {
		s.Edit(root + "/gate.go")
	}
	s.Agent("The gate is in place, and all of it is written down in the guide.")
	if next := fold(s).Next.Text; strings.Contains(next, "advice") {
		t.Errorf("next: %s", next)
	}
}

// A plan that the person agreed to is not overtaken by what carries it out.
func TestConcluded_APlanIsNotOvertakenByItsOwnWork(t *testing.T) {
	s := session().User("How would you make the demo follow the theme of the page?").Read(root + "/theme.css").
		Agent("The best way is a variable `--mark` in each theme, light in one and dark in the other, which the demo takes its colour from.").
		User("so write that variable").Edit(root + "/theme.css")
	if f := fold(s); f.Requests[0].Overtaken || !f.Requests[0].ActedOn {
		t.Errorf("not acted on: %+v", f.Requests[0])
	}
	s.Agent("Done.").User("now write the page of the manual about the themes and their colours").Edit(root + "/manual.md")
	if f := fold(s); !f.Requests[0].Overtaken {
		t.Errorf("not overtaken after other work: %+v", f.Requests[0])
	}
}
