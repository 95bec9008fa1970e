package extract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/modules/distiller/internal/script"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// What came of a request is told as far as it is known: code that a reply showed may be among
// what was written since, tests that ran before the last edit ran all the same.
func TestOutcome_SaysNoMoreThanIsKnown(t *testing.T) {
	code := "Two arguments are all it takes:\n```csharp\nvar slip = Math.Max(a, b);\nslip = Math.Max(slip, c);\nreturn slip;\n```"
	for name, tt := range map[string]struct {
		session *script.Session
		of      int
		want    string
	}{
		"code in no file": {session().User("Why does the wheel slip at rest in the simulation?").Agent(code), 0, "answered with code, not put into a file here"},
		"code, and a file was changed since": {session().User("Why does the wheel slip at rest in the simulation?").Agent(code).
			User("Now clean up the wheel class with all of the changes you suggested").Edit(root + "/Wheel.cs").Agent("Done."), 0, "answered with code"},
		"tests before the last edit": {session().User("Add the user agent to all requests").Edit(root+"/agent.go").Shell("go test ./agent", 0, "ok  \tshop/agent\t0.1s").
			Edit(root+"/http.go").Shell("go build ./...", 0, ""), 0, "changed 2 files, build passed, no test since the last edit"},
		"no tests at all": {session().User("Add the user agent to all requests").Edit(root+"/agent.go").Shell("go build ./...", 0, ""), 0, "changed 1 file, build passed, no test ran"},
	} {
		f := fold(tt.session)
		if got := f.Requests[tt.of].Outcome; got != tt.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// What came of a command that ran in the background is the result of that command, once its tool
// tells how it ended.
func TestOutcome_OfAJobInTheBackground(t *testing.T) {
	begin := func(name string) *script.Session {
		return session().User("Add the messenger to the machine").Edit(root + "/home.nix").
			Call(transcript.CallInfo{Name: name, Meaning: transcript.Shell, Command: "cargo test"}).Result(transcript.ResultInfo{Text: "<command started in background with shellId: job7>"})
	}
	poll := func(s *script.Session, exit int, text string) *script.Session {
		return s.Call(transcript.CallInfo{Name: "read_bash", Meaning: transcript.Other, Detail: "job7"}).Result(transcript.ResultInfo{Text: text, ExitCode: &exit})
	}
	notice := "<task-notification>\n<task-id>job7</task-id>\n<status>completed</status>\n<summary>Background command \"Test\" completed (exit code 0)</summary>\n</task-notification>"
	for name, tt := range map[string]struct {
		session *script.Session
		want    string
	}{
		"still running":      {begin("bash"), "changed 1 file, not checked"},
		"a poll, passed":     {poll(begin("bash"), 0, "test result: ok. 4 passed; 0 failed"), "changed 1 file, tests passed"},
		"a poll, failed":     {poll(begin("bash"), 101, "test result: FAILED. 3 passed; 1 failed"), "changed 1 file, tests failed last"},
		"a poll, killed":     {poll(begin("bash"), 137, "running 4 tests"), "changed 1 file, not checked"},
		"a notice":           {begin("Bash").Prompt(transcript.Machine, notice), "changed 1 file, tests passed"},
		"changed in between": {poll(begin("bash").Edit(root+"/home.nix"), 0, "test result: ok. 4 passed; 0 failed"), "changed 1 file, not checked"},
		"of a job not known": {poll(session().User("Add the messenger to the machine").Edit(root+"/home.nix"), 0, "test result: ok. 4 passed; 0 failed"), "changed 1 file, not checked"},
	} {
		if f := fold(tt.session); f.Requests[0].Outcome != tt.want {
			t.Errorf("%s: %q", name, f.Requests[0].Outcome)
		}
	}
	failed := fold(poll(begin("bash"), 101, "test result: FAILED. 3 passed; 1 failed"))
	if len(failed.Failures) != 1 || failed.Failures[0].What != "cargo test" {
		t.Errorf("failures: %+v", failed.Failures)
	}
}

// The goal bears what came of it, so that nobody does again what is done.
func TestTask_GoalWithItsOutcome(t *testing.T) {
	s := session().User("Add thumbnails to the list of the videos, see internal/video").Edit(root+"/video.go").Shell("git commit -am thumbnails", 0, "[main abc1234] thumbnails").Agent("Thumbnails are in.").
		User("Then make the list of the videos sort by their length").Edit(root+"/list.go").Agent("It sorts.").
		User("Find a video of ten seconds to test the list with").Shell("ls videos", 0, "a.mp4")
	if f := fold(s); f.Task.Goal == "" || f.Task.GoalOutcome != "committed abc1234, changed 1 file, not checked" {
		t.Errorf("goal %q, outcome %q", f.Task.Goal, f.Task.GoalOutcome)
	}
}

// Nothing waits in CI where its list of what waits is empty.
func TestVerify_ACIListWithNothingInIt(t *testing.T) {
	s := session().User("Fix the flaky test and push it").Edit(root+"/upload_test.go").
		Shell("git commit -am 'wait for the server' && git push", 0, "[main abc1234] wait for the server\n   1111111..abc1234  main -> main").
		Shell("gh pr checks 7 --json name,bucket", 0, `{"failing":[],"pending":[]}`)
	if f := fold(s); tells(f.Verify, "had not ended") || tells(f.Verify, "nobody has looked") {
		t.Errorf("verify: %+v", f.Verify)
	}
}

// A question is answered by less than a report of work is long.
func TestTurn_AShortAnswerEndsIt(t *testing.T) {
	answer := "The package only strips the marks of editors, so neither of the two is doubled by it.\n\n| function | in the library |\n|---|---|\n| TruncateRunes | none, one converts to runes by hand |\n| CapitalizeFirst | Title is deprecated, and capitalizes every word |\n\n" + strings.Repeat("Both stay as they are. ", 4)
	s := session().User("Can you check that this is not replicating what the library of Go has?").Shell("grep -rn Title internal", 0, "internal/a.go:1: Title").Agent(answer)
	s.Ends(transcript.TurnCompleted)
	s.User("Can you check the names of the exported functions, too?").Shell("grep -rn func internal", 0, "internal/a.go:1: func A").Agent(answer)
	if f := fold(s); f.Turn.Who != "done" {
		t.Errorf("turn: %+v", f.Turn)
	}
}

// A failing test that the person asks about, or that is run again to look into it, is not given
// up by a commit made in spite of it.
func TestFailures_NotAbandonedWhileLookedInto(t *testing.T) {
	begin := func() *script.Session {
		return session().User("Add a test of the speed of the importer").Edit(root+"/speed_test.go").
			Shell("npm test -- speed/import.test.ts", 1, "FAIL speed/import.test.ts\n  ✕ reads a row in time\nTests: 1 failed, 8 passed, 9 total").
			Shell("git commit --no-verify -am wip", 0, "[main abc1234] wip").Agent("It is committed.")
	}
	for name, tt := range map[string]struct {
		session *script.Session
		open    bool
	}{
		"named by the person": {begin().User("why is import.test.ts failing?"), true},
		"run again":           {begin().User("why is the last one failing?").Shell("npm test -- speed/import.test.ts | grep -A5 response", 0, "response: {}"), true},
		"something else":      {begin().User("now write the notes of the release for the importer").Write(root + "/NOTES.md"), false},
	} {
		f := fold(tt.session)
		if open := len(f.Failures) > 0 && f.Failures[0].Ended == ""; open != tt.open {
			t.Errorf("%s: %+v", name, f.Failures)
		}
	}
}

// A step is worked off once something was done to every issue that it names.
func TestNext_AStepWhoseIssuesAreClosed(t *testing.T) {
	s := session().User("solve the open issues and close them").Agent("I'll go through them.").
		Todo(transcript.Item{Text: "Close the gaps in the tests (#26, #24)", State: "doing"}, transcript.Item{Text: "Close the questions of security (#28, #19)", State: "todo"}).
		Agent("Now let me close the gaps in the tests.").
		Shell(`gh issue close 26 --comment "covered"`, 0, "✓ Closed issue #26").Shell(`gh issue close 24 --comment "covered"`, 0, "✓ Closed issue #24")
	if f := fold(s); !strings.Contains(f.Next.Text, "questions of security") || strings.Contains(f.Next.Text, "gaps") {
		t.Errorf("next: %s", f.Next.Text)
	}
}

// What is no limit of the environment is told as none.
func TestLimits_SlipsAreNone(t *testing.T) {
	begin := func() *script.Session { return session().User("Close the issues that are done") }
	for name, tt := range map[string]struct {
		session *script.Session
		limit   bool
	}{
		"a program that is missing":   {begin().Shell("yq . a.yaml", 127, "zsh:1: command not found: yq"), true},
		"a repository that gh needs":  {begin().Shell("echo PRs; gh pr list", 0, "PRs\nnone of the git remotes configured for this repository point to a known GitHub host. To tell gh about a new GitHub host, please use `gh auth login`").Shell("gh pr list -R ada/shop", 0, "7 OPEN"), true},
		"a repository it found":       {begin().Shell("gh pr list", 1, "none of the git remotes configured for this repository point to a known GitHub host").Shell("gh pr list", 0, "7 OPEN"), false},
		"a text in backticks":         {begin().Shell("gh issue close 7 --comment \"the `yaml` is read\"", 1, "(eval):1: command not found: yaml"), true},
		"a function of the shell":     {begin().Shell("cd x", 127, "zsh:1: command not found: __z_add"), false},
		"got past, stopped by code":   {begin().Shell("cargo test", 101, "error: failed to download\nCould not resolve host: crates.example").Shell("cargo test", 101, "error[E0425]: cannot find value `rows`\n --> src/a.rs:3:5"), false},
		"a guard without an answer":   {begin().Shell("make", 1, "denied by the sandbox: the model is temporarily unavailable"), true},
		"a guard that answers by now": {begin().Shell("make", 1, "denied by the sandbox: the model is temporarily unavailable").Shell("ls", 0, "a"), false},
	} {
		f := fold(tt.session)
		if (len(f.Limits) > 0) != tt.limit {
			t.Errorf("%s: %+v", name, f.Limits)
		}
		if tells(f.Limits, "`yaml` is not installed") {
			t.Errorf("%s: %+v", name, f.Limits)
		}
		if name == "a repository that gh needs" && !tells(f.Limits, "`gh -R ada/shop` works") {
			t.Errorf("%s: %+v", name, f.Limits)
		}
	}
}

// Files that were removed by a pattern are gone.
func TestUndo_RemovedByAPattern(t *testing.T) {
	s := session().User("Try the setting").Shell("cat > /tmp/test-a.js <<'X'\na\nX\nnode /tmp/test-a.js", 0, "ok").Shell("rm -f /tmp/test-*.js", 0, "")
	if f := fold(s); len(f.Undo) > 0 {
		t.Errorf("undo: %+v", f.Undo)
	}
}

// What a command prints that only looks is the text of something, and no error.
func TestFailures_NoErrorInATextThatIsRead(t *testing.T) {
	s := session().User("Which declarations does the plugin need?").Shell("sed -n '370,390p' docs/plugin.md && cat nowhere.md", 1, "These declarations error out on older versions.\ncat: nowhere.md: No such file or directory")
	if f := fold(s); len(f.Failures) > 0 && strings.Contains(f.Failures[0].Why, "declarations") {
		t.Errorf("failures: %+v", f.Failures)
	}
	s = session().User("Is the plugin formatted?").Shell("sed -n '1,9p' docs/plugin.md && cargo fmt --check", 1, "These declarations are unknown to older versions.\nDiff in /shop/src/plugin.rs:9:\n-a\n+b")
	if f := fold(s); len(f.Failures) != 1 || !strings.HasPrefix(f.Failures[0].Why, "Diff in") {
		t.Errorf("failures: %+v", f.Failures)
	}
}

// A yes to both questions of a reply answers each of them.
func TestDecisions_YesToBoth(t *testing.T) {
	s := session().User("Send our own user agent with every request of the client").Read(root + "/client.go").
		Agent("Two notes for your call:\n\n1. **Override**: I'm not adding `Options.UserAgent`, callers can set `useragent.Version`. OK?\n2. **Spec**: this is small. Want me to skip the formal write-up of the design?\n\nIf both yes, I'll proceed.").
		User("yes for both, go ahead")
	f := fold(s)
	if len(f.Decisions) != 2 || len(f.Questions) > 0 {
		t.Fatalf("decisions %+v, questions %+v", f.Decisions, f.Questions)
	}
	for i, about := range []string{"skip the formal write-up", "Options.UserAgent"} {
		if !strings.Contains(f.Decisions[i].Question, about) || f.Decisions[i].Chosen[0] != "yes for both, go ahead" {
			t.Errorf("%+v", f.Decisions[i])
		}
	}
}

// What the person thinks about, or wants done now, binds nothing.
func TestConstraints_ThoughtsAreNone(t *testing.T) {
	for text, binds := range map[string]bool{
		"Look at the names. I'm wondering whether commitWithMeta is misnamed if it is only called from the handler.": false,
		"Look at the log. I would like to poll the debugging so that it only prints once per second in the loop.":    false,
		"Look at the names. Let's think how to enforce the branch so that changes always have that name.":            false,
		"Look at the names. I want you to never rename what is exported.":                                            true,
		"Look at the names. Only rename what is not exported.":                                                       true,
	} {
		if f := fold(session().User(text).Edit(root + "/names.go").User("Now sort the table of all names by their length").Edit(root + "/table.go")); (len(f.Constraints) > 0) != binds {
			t.Errorf("%q: %+v", text, f.Constraints)
		}
	}
}

// A name that a command looks for, or that is not there, is no file to open.
func TestNamed_OnlyWhatIsThere(t *testing.T) {
	s := session().User("Where are the helpers?").Shell(`find . -name package.json -o -name helpers.go`, 0, "./cart/total.go").
		Shell("cat cart/sums.go", 1, "cat: cart/sums.go: No such file or directory").Shell("grep -rl total .", 0, "./cart/price.go")
	names := map[string]bool{}
	for _, n := range fold(s).Named {
		names[n.Path] = true
	}
	if !names["cart/price.go"] || names["package.json"] || names["helpers.go"] || names["cart/sums.go"] {
		t.Errorf("named: %v", names)
	}
}

// What was done since somebody last said something is told: what was announced may be done by now.
func TestTurn_TellsWhatWasDoneSince(t *testing.T) {
	s := session().User("Make the parser render for both engines").Agent("I'm normalizing the arguments through JSON.").
		Edit(root+"/parser.go").Edit(root+"/parser.go").Edit(root+"/engine.go").Shell("cd engine && go vet ./...", 0, "").Read(root + "/docs.md")
	if f := fold(s); f.Turn.Since != "5 calls since the last words: changed `engine.go`, `parser.go` 2 times; `go vet ./...` passed" {
		t.Errorf("since: %q", f.Turn.Since)
	}
	if f := fold(s.Agent("The arguments are normalized, the engine is next:").Edit(root + "/engine.go")); f.Turn.Since != "" {
		t.Errorf("after new words: %q", f.Turn.Since)
	}
	if f := fold(session().User("Where is it rendered?").Agent("Let me look:").Read("/a.go").Read("/b.go").Read("/c.go").Read("/d.go").Read("/e.go")); f.Turn.Since != "" {
		t.Errorf("of looks: %q", f.Turn.Since)
	}
}

// Entries stand under the line that leads to them, however long it is, and not under the one
// before it.
func TestOutcome_EntriesUnderTheirOwnLine(t *testing.T) {
	s := session().User("Audit the build of the library for modules and say what is missing").Read(root + "/index.js").
		Agent("You have now added:\n- `dist/schemas/index.js`\n- `dist/validators/index.js`\n\nTo go on with the audit and all the changes that are needed, please also add:\n- `dist/index.js`\n- `dist/index.d.ts`")
	under := map[string]string{}
	for _, c := range fold(s).Requests[0].Concluded {
		under[c.Text] = c.Under
	}
	if under["`dist/schemas/index.js`"] != "You have now added" || !strings.HasSuffix(under["`dist/index.js`"], "please also add") {
		t.Errorf("under: %v", under)
	}
}

// A guard that keeps the agent from looking leaves nothing undone.
func TestVerify_ABlockedLookIsNotUndone(t *testing.T) {
	blocked := transcript.ResultInfo{Text: "blocked by hook: use another program", Outcome: transcript.Blocked}
	for command, told := range map[string]bool{"cat notes.md": false, "rm -rf dist": true} {
		s := session().User("What do the notes say about the build?").Call(transcript.CallInfo{Name: "Bash", Meaning: transcript.Shell, Command: command}).Result(blocked).Read(root + "/notes.md")
		if f := fold(s); tells(f.Verify, "blocked by a guard, not done") != told {
			t.Errorf("%s: %+v", command, f.Verify)
		}
	}
}

// What a command's document says in bold and capitals binds while its work goes on.
func TestConstraints_WhatACommandStresses(t *testing.T) {
	document := "# Explore\n\n**IMPORTANT: Explore mode is for research, not for implementing.** You may read and draw.\n\n" + strings.Repeat("Each look reads one file and says what it found there. ", 9)
	s := session().User("/explore the cache").Prompt("machine", document).Read(root + "/cache.go")
	if f := fold(s); !tells(f.Constraints, "Explore mode is for research, not for implementing") {
		t.Errorf("constraints: %+v", f.Constraints)
	}
}

// A run with a shorter filter has run what a longer one chose.
func TestFailures_MadeGoodByAShorterFilter(t *testing.T) {
	for filter, open := range map[string]bool{"TestEnhanced": false, "TestOther": true} {
		s := session().User("Add the manager of plugins").Edit(root+"/plugins/manager.go").Shell("go test ./plugins/ -run TestEnhancedManager", 1, "plugins/manager_test.go:35:39: cannot use logger\nFAIL\tshop/plugins [build failed]\nFAIL").
			Edit(root+"/plugins/manager_test.go").Shell("go test ./plugins/ -run "+filter, 0, "ok  \tshop/plugins\t0.1s")
		if f := fold(s); (len(f.Failures) > 0 && f.Failures[0].Ended == "") != open {
			t.Errorf("%s: %+v", filter, f.Failures)
		}
	}
}

// What was concluded is overtaken by edits of the files it is about.
func TestRequests_OvertakenByEditsOfTheirFiles(t *testing.T) {
	begin := func() *script.Session {
		return session().User("Make the total of the cart exact to the cent").Edit(root + "/total.go").Agent("The total is exact now, `total.go` rounds once at the end.")
	}
	for file, overtaken := range map[string]bool{"/total.go": true, "/list.go": false} {
		if f := fold(begin().User("And now sort the list of the carts by their total").Edit(root + file)); f.Requests[0].Overtaken != overtaken {
			t.Errorf("%s: %+v", file, f.Requests[0])
		}
	}
	behind := session().User("Make the total of the cart exact to the cent").Agent("The total is exact now, `total.go` rounds once at the end.").Edit(root + "/total.go").Ends(transcript.TurnCompleted)
	if f := fold(behind.User("And now sort the list of the carts by their total").Edit(root + "/list.go")); f.Requests[0].Overtaken {
		t.Errorf("its edits stand behind its words: %+v", f.Requests[0])
	}
	s := session().User("Why is the total of the cart wrong by a cent?").Read(root + "/total.go").Agent("`total.go` rounds each row of the cart.").User("Make it round once at the end").Edit(root + "/total.go")
	if f := fold(s); !f.Requests[0].Overtaken {
		t.Errorf("an answer: %+v", f.Requests[0])
	}
}

// A command that failed for several reasons is told with the last, and that there were others.
func TestFailures_ForSeveralReasons(t *testing.T) {
	fails := func(first, second string) *script.Session {
		return session().User("Build the importer").Edit(root+"/a.go").Shell("go build ./...", 1, first).Edit(root+"/b.go").Shell("go build ./...", 1, second)
	}
	if f := fold(fails("a.go:3:1: undefined: x", "b.go:9:1: undefined: y")); !f.Failures[0].Differs || f.Failures[0].Count != 2 {
		t.Errorf("%+v", f.Failures)
	}
	if f := fold(fails("a.go:3:1: undefined: x", "a.go:3:1: undefined: x")); f.Failures[0].Differs {
		t.Errorf("%+v", f.Failures)
	}
}

// A check that passed is told with how its runner closed, where that counts something.
func TestProgress_HowARunnerClosed(t *testing.T) {
	for output, want := range map[string]string{
		"=== 451 passed in 3.10s ===": "passed after the last edit: === 451 passed in 3.10s ===",
		"":                            "passed after the last edit",
	} {
		f := fold(session().User("Fix the upload").Edit(root+"/upload.py").Shell("uv run pytest -q", 0, output))
		if n := len(f.Progress); n == 0 || !strings.HasSuffix(f.Progress[n-1].Text, want) {
			t.Errorf("%q: %+v", output, f.Progress)
		}
	}
}

// In a mode in which nothing is changed before a plan is agreed to, the turn says so until one is.
func TestTurn_InPlanMode(t *testing.T) {
	begin := func() *script.Session {
		s := session().Event(transcript.Event{Kind: transcript.Prompt, Text: "Make the paths of the sessions absolute", Origin: transcript.Typed, Planning: true})
		return s.Agent("Let me look at how they are used:").Read(root + "/paths.go")
	}
	const told = "in plan mode: nothing is changed"
	for name, tt := range map[string]struct {
		session *script.Session
		want    bool
	}{
		"planning":           {begin(), true},
		"a plan agreed to":   {begin().Decides(transcript.Decision{Kind: transcript.DecisionPlan, Topic: "Absolute paths", Chosen: []string{"approved"}}), false},
		"a file was changed": {begin().Edit(root + "/paths.go"), false},
		"the mode was left":  {begin().User("just do it, and add a test for it"), false},
	} {
		if f := fold(tt.session); strings.Contains(f.Turn.Text, told) != tt.want {
			t.Errorf("%s: %q", name, f.Turn.Text)
		}
	}
}

// What the person took back is open again: they have not said yet what should be different.
func TestTurn_TakenBackByThePerson(t *testing.T) {
	begin := func(origin transcript.Origin) *script.Session {
		s := session().User("Start the number at three when three are made at once").Edit(root+"/number.rb").Shell("git commit -am 'start at three'", 0, "[HEAD abc1234] start at three").Agent("It starts at three.")
		s.Event(transcript.Event{Kind: transcript.Call, Origin: origin, Call: &transcript.CallInfo{ID: "undo", Name: "/undo", Meaning: transcript.Shell, Command: "git reset --hard HEAD~1"}})
		return s.Event(transcript.Event{Kind: transcript.Result, Result: &transcript.ResultInfo{CallID: "undo", Text: "HEAD is now at 1111111 before"}}).Agent("Understood. I'll wait for your instructions.")
	}
	f := fold(begin(transcript.Typed))
	if f.Turn.Text != "the user took the last change back" || !strings.HasPrefix(f.Next.Text, "Ask what should be different") || !strings.Contains(f.Requests[0].Outcome, "a commit taken back by the user") {
		t.Errorf("turn %q, next %q, outcome %q", f.Turn.Text, f.Next.Text, f.Requests[0].Outcome)
	}
	corrected := func(id string) []distiller.Decision {
		s := session().User("Start the number at three").Edit(root+"/number.rb").Agent("It starts at three.").User("No, it should start at the target's number instead of three.").
			Edit(root+"/number.rb").Shell("git commit -am 'start at the target'", 0, "[HEAD abc1234] start at the target").Agent("It does.")
		return fold(s.Shell("git reset --hard HEAD~1", 0, "HEAD is now at "+id+" before").Agent("Understood.")).Decisions
	}
	if kept, gone := corrected("abc1234"), corrected("1111111"); len(kept) != 1 || len(gone) != 0 {
		t.Errorf("a correction that stands %+v, and one whose commit was taken back %+v", kept, gone)
	}
	if f := fold(begin("")); f.Turn.Text == "the user took the last change back" {
		t.Errorf("by the agent: %q", f.Turn.Text)
	}
}

// A question that nobody answered in time stays, one that was turned down does not.
func TestQuestions_OfAnAskingTool(t *testing.T) {
	begin := func(r transcript.ResultInfo) *script.Session {
		return session().User("Ship the migration").Edit(root+"/a.go").Call(transcript.CallInfo{Name: "AskUserQuestion", Meaning: transcript.Ask}).Asks("May I merge the pull request now?", "Yes", "No").Result(r).Agent("I note that the gate is blocked.")
	}
	if f := fold(begin(transcript.ResultInfo{Text: "No response after 300s"})); !tells(f.Questions, "May I merge the pull request now?") {
		t.Errorf("unanswered: %+v", f.Questions)
	}
	if f := fold(begin(transcript.ResultInfo{Text: "The user doesn't want to proceed", Failed: true, Outcome: transcript.Rejected})); tells(f.Questions, "May I merge") {
		t.Errorf("turned down: %+v", f.Questions)
	}
}

// The reply that a tool marks as the closing one ends the turn, however short it is.
func TestTurn_TheClosingReplyOfTheTool(t *testing.T) {
	for final, who := range map[bool]string{true: "done", false: "agent"} {
		s := session().User("Commit what is in the tree").Shell("git commit -am a", 0, "[main abc1234] a").Agent("Committed.").Ends(transcript.TurnCompleted).User("Open the pull request").Shell("gh pr create", 0, "https://forge.test/shop/pull/7").
			Event(transcript.Event{Kind: transcript.Reply, Text: "It is open.", Final: final})
		if f := fold(s); f.Turn.Who != who {
			t.Errorf("%t: %+v", final, f.Turn)
		}
	}
}

// Before a request of few words stands what was answered just then.
func TestRequests_WhatAShortOneLeansOn(t *testing.T) {
	s := session().User("Organize all of the uncommitted work into commits of their own").Edit(root+"/a.go").Shell("git commit -am a", 0, "[main abc1234] a").Agent("Committed.").
		User("Now do the same with what lies in the folder of the drafts").Edit(root+"/b.go").Shell("git commit -am b", 0, "[main abc1235] b").Agent("Committed.").
		User("And with the rest of the settings that are not in git so far").Edit(root+"/c.go").Shell("git commit -am c", 0, "[main abc1236] c").Agent("Committed.").
		User("explain the bug to me, I'm not following").Agent("`company` must be a string and came as a list, and the prompt names no kinds of fields.").
		User("fix both of the issues").Read(root + "/prompts.go")
	f := fold(s)
	if r := f.Requests[len(f.Requests)-2]; !r.Near {
		t.Errorf("not told: %+v", r)
	}
}

// A commit holds as many files as git says, generated ones among them.
func TestOutcome_FilesAsGitCountsThem(t *testing.T) {
	s := session().User("Fix the status of the packages").Edit(root+"/flatpak.rs").Shell("git commit -am fix", 0, "[main f01f0b7] fix\n 2 files changed, 9 insertions(+)")
	if f := fold(s); f.Requests[0].Outcome != "committed f01f0b7, changed 2 files, not checked" {
		t.Errorf("outcome %q", f.Requests[0].Outcome)
	}
}

// Where the agent has answered with steps of its list left, the turn says how many.
func TestTurn_StepsThatAreLeft(t *testing.T) {
	s := session().User("Solve all tasks of the backlog in the order of the list").
		Todo(transcript.Item{Text: "Task 103", State: "done"}, transcript.Item{Text: "Task 150", State: "todo"}, transcript.Item{Text: "Task 158", State: "todo"}).
		Edit(root + "/wizard.go").Agent("Task 103 is done: the wizard asks for all settings now and writes them into one file.").Ends(transcript.TurnCompleted)
	if f := fold(s); f.Turn.Text != "the agent has answered; 2 of 3 steps of its list are left" {
		t.Errorf("turn %q", f.Turn.Text)
	}
}

// Of the calls that were refused together the first is the one that the person did not want.
func TestRefused_WhatWentWithIt(t *testing.T) {
	s := session().User("Write the hooks into the local settings").
		Call(transcript.CallInfo{ID: "a", Name: "Edit", Meaning: transcript.Edit, Paths: []string{root + "/hooks.go"}}).
		Call(transcript.CallInfo{ID: "b", Name: "Bash", Meaning: transcript.Shell, Command: "mise run fmt"}).
		Result(transcript.ResultInfo{CallID: "a", Text: "The user doesn't want to proceed", Failed: true, Outcome: transcript.Rejected}).
		Result(transcript.ResultInfo{CallID: "b", Text: "The user doesn't want to take this action right now", Failed: true, Outcome: transcript.Rejected})
	f := fold(s)
	if !strings.Contains(f.Turn.Text, "hooks.go") || strings.Contains(f.Turn.Text, "mise run fmt") || f.Turn.Since != "" {
		t.Errorf("turn %q, since %q", f.Turn.Text, f.Turn.Since)
	}
	for _, d := range f.Decisions {
		if strings.Contains(strings.Join(d.Chosen, " "), "mise run fmt") {
			t.Errorf("decided: %+v", d)
		}
	}
}

// What the person runs again and again is how they check the work.
func TestWorks_WhatThePersonRuns(t *testing.T) {
	s := session().User("Show the number of the items in the window")
	for i := range 3 {
		if f := fold(s); len(f.Works) > 0 {
			t.Errorf("after %d: %+v", i, f.Works)
		}
		id := fmt.Sprintf("run-%d", i)
		s.Event(transcript.Event{Kind: transcript.Call, Origin: transcript.Typed, Call: &transcript.CallInfo{ID: id, Name: "/run", Meaning: transcript.Shell, Command: "python test.py craft"}}).
			Event(transcript.Event{Kind: transcript.Result, Result: &transcript.ResultInfo{CallID: id, Outcome: transcript.UnknownOutcome}})
	}
	if f := fold(s); len(f.Works) != 1 || f.Works[0].Kind != "run by the user" || f.Works[0].Command != "python test.py craft" {
		t.Errorf("works: %+v", f.Works)
	}
}

// A call that the agent has gone on without is not what it is in the middle of.
func TestTurn_GoneOnWithoutACall(t *testing.T) {
	s := session().User("Test the server").Call(transcript.CallInfo{Name: "Bash", Meaning: transcript.Shell, Command: "go test ./server"})
	if f := fold(s); !strings.Contains(f.Turn.Text, "go test ./server") {
		t.Errorf("waiting: %q", f.Turn.Text)
	}
	if f := fold(s.Agent("One import is missing, I'm adding it:").Edit(root + "/server.go")); strings.Contains(f.Turn.Text, "go test") {
		t.Errorf("gone on: %q", f.Turn.Text)
	}
}

// What moves a subagent on is told as it is of a session.
func TestTask_OfASubagentThatIsMovedOn(t *testing.T) {
	s := session().Prompt(transcript.Injected, "Annotate the list of the issues and go through them one by one").Agent("I'll begin with the first.").Edit(root+"/list.md").
		Prompt(transcript.Injected, "just keep going until done")
	f := extract.Fold(distiller.Facts{}, extract.Options{Root: root, Subagent: true}, s.All())
	if f.Task == nil || f.Task.Now != "just keep going until done" || !f.Task.Nudge {
		t.Errorf("task: %+v", f.Task)
	}
}
