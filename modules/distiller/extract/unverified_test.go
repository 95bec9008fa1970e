package extract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller/internal/script"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// A session that commits often has no commits but those that git told of.
func TestCommits_ManyBringNoOthers(t *testing.T) {
	s := session().User("Split the importer into one commit for each format")
	for i := range 20 {
		s.Edit(root+"/importer.go").Shell("git commit -am step", 0, fmt.Sprintf("[main abc%04d] step %d", i, i))
	}
	for _, p := range fold(s).Progress {
		if p.Text == "commit" {
			t.Fatalf("a commit that nobody made: %+v", fold(s).Progress)
		}
	}
}

// What a command commits in a repository that it made elsewhere to try something in is no
// work on the project.
func TestCommits_NoneOfARepositoryMadeToTryIn(t *testing.T) {
	s := session().User("Why are ignored files listed? Fix it and add a test").Edit(root+"/status.go").
		Shell("cd /tmp && mkdir try && cd try && git init && git add . && git commit -m init", 0, "Initialized empty Git repository in /tmp/try/.git/\n[main (root-commit) abc1234] init")
	f := fold(s)
	if tells(f.Verify, "HEAD was") || f.Git.Head == "abc1234" || strings.Contains(f.Requests[0].Outcome, "committed") {
		t.Errorf("head %s, outcome %s", f.Git.Head, f.Requests[0].Outcome)
	}
	if !tells(f.Verify, "(status.go); see git status") {
		t.Errorf("verify: %+v", f.Verify)
	}
}

// Changed code that no check has seen is told as such.
func TestVerify_SaysWhatWasNotRun(t *testing.T) {
	for what, c := range map[string]struct{ command, want string }{
		"nothing":     {"git status", "no test, build or lint was run in this session"},
		"a lint only": {"golangci-lint run", "no test was run in this session"},
		"tests":       {"go test ./...", ""},
		"a script":    {"python3 test_upload.py", ""}, // it may be a test
	} {
		f := fold(session().User("Retry the upload three times").Edit(root+"/upload.go").Shell(c.command, 0, "ok  \tshop\t0.1s\n0 issues."))
		if told := tells(f.Verify, "was run in this session"); told != (c.want != "") || told && !tells(f.Verify, c.want) {
			t.Errorf("%s: %+v", what, f.Verify)
		}
	}
	if f := fold(session().User("Word the readme anew").Edit(root + "/README.md")); tells(f.Verify, "was run in this session") {
		t.Errorf("of a text: %+v", f.Verify)
	}
}

// A test that passes does not speak for all the others that ran before the edit.
func TestVerify_AllTestsRanBeforeTheEdit(t *testing.T) {
	s := session().User("Keep the version in the metadata").Edit(root+"/meta.go").Shell("go test ./...", 0, "ok  \tshop\t0.1s").
		Edit(root+"/meta_test.go").Shell("go test ./meta -run TestVersion", 0, "ok  \tshop/meta\t0.1s")
	if f := fold(s); !tells(f.Verify, "`go test ./...`: all tests were last run before the newest edits") {
		t.Errorf("verify: %+v", f.Verify)
	}
	if f := fold(s.Shell("go test ./...", 0, "ok  \tshop\t0.1s")); tells(f.Verify, "before the newest edits") {
		t.Errorf("once all were run: %+v", f.Verify)
	}
}

// Checks of a pull request that have not ended are no failure, and stay to be looked at.
func TestVerify_AChecksRunThatGoesOn(t *testing.T) {
	s := session().User("Fix the flaky test and push it").Edit(root+"/upload_test.go").
		Shell("git commit -am 'wait for the server' && git push", 0, "[main abc1234] wait for the server\n   1111111..abc1234  main -> main").
		Shell("gh pr checks 7", 8, "lint\tpass\t12s\thttps://x.example/1\nunit\tpending\t0\thttps://x.example/2")
	f := fold(s)
	if !tells(f.Verify, "the CI run of PR #7 had not ended when it was looked at last") && !tells(f.Verify, "the CI run of what was pushed had not ended when it was looked at last") {
		t.Errorf("verify: %+v", f.Verify)
	}
	if len(f.Failures) > 0 {
		t.Errorf("failures: %+v", f.Failures)
	}
	if f = fold(s.Shell("gh pr checks 7", 0, "lint\tpass\t12s\thttps://x.example/1\nunit\tpass\t40s\thttps://x.example/2")); tells(f.Verify, "CI run") {
		t.Errorf("when it had ended: %+v", f.Verify)
	}
}

// A command of a forge that lacked the name of the repository is made good by one that
// names it, and that one works here.
func TestFailures_AForgeThatHasToBeToldTheRepository(t *testing.T) {
	f := fold(session().User("Which of the pull requests are merged?").
		Shell("gh pr view 12", 1, "none of the git remotes configured for this repository point to a known GitHub host. To tell gh about a new GitHub host, please use `gh auth login`").
		Shell("git remote -v && gh auth status", 0, "github.com\n  Logged in to github.com").
		Shell("gh api repos/acme/shop/pulls/12", 0, `{"merged": true}`))
	if len(f.Failures) != 1 || f.Failures[0].Ended == "" || len(f.Limits) > 0 {
		t.Errorf("failures %+v, limits %+v", f.Failures, f.Limits)
	}
	if len(f.Works) != 1 || f.Works[0].Command != "gh api repos/acme/shop/pulls/12" {
		t.Errorf("works: %+v", f.Works)
	}
}

// Looking at a pull request does not mend its checks.
func TestFailures_ALookAtAPullRequestMendsNoChecks(t *testing.T) {
	f := fold(session().User("Is the pull request ready?").Shell("gh pr checks 7", 1, "unit\tfail\t40s\thttps://x.example/2").
		Shell("gh pr view 7", 0, "title: Retry the upload"))
	if len(f.Failures) != 1 || f.Failures[0].Ended != "" {
		t.Errorf("failures: %+v", f.Failures)
	}
}

// A check that failed is open until something makes it good, however much is asked for
// meanwhile.
func TestFailures_AFailingCheckStaysOpen(t *testing.T) {
	s := session().User("Run the whole suite and report").Shell("go test ./internal/server", 1, "server.go:4:2: handler redeclared\nFAIL\tshop/internal/server [build failed]")
	for _, ask := range []string{"continue", "Write the release notes of the last three versions", "Now list the open tickets by age"} {
		s.User(ask)
		for i := range 20 {
			s.Shell(fmt.Sprintf("cat notes/%d.md", i), 0, "text")
		}
		s.Agent("Done.")
	}
	if f := fold(s); len(f.Failures) != 1 || f.Failures[0].Ended != "" {
		t.Errorf("failures: %+v", f.Failures)
	}
}

// A failing test is mended by its own name, in whatever run it passes.
func TestFailures_ATestThatPassesByName(t *testing.T) {
	s := session().User("Make the retry test pass").Edit(root+"/retry.go").
		Shell(`go test ./... -run TestRetry -v 2>&1 | grep -A 20 "=== RUN"`, 0, "=== RUN   TestRetry\n--- FAIL: TestRetry (0.01s)\nFAIL").
		Edit(root+"/retry.go").
		Shell(`go test ./... -run TestRetry -v 2>&1 | grep -A 5 "=== RUN"`, 0, "=== RUN   TestRetry\n--- PASS: TestRetry (0.01s)")
	f := fold(s)
	if len(f.Failures) != 1 || f.Failures[0].Ended != "solved" || tells(f.Verify, "it failed last") {
		t.Errorf("failures %+v, verify %+v", f.Failures, f.Verify)
	}
}

// Where the person interrupts, what the agent was about to do stands beside the request.
func TestNext_WhatTheAgentWasAtWhenItWasInterrupted(t *testing.T) {
	s := session().User("Find out why the cache is never hit").Read(root + "/cache.go").
		Agent("Let me check whether the key holds the tenant:").Ends(transcript.TurnInterrupted)
	if next := fold(s).Next.Text; !strings.Contains(next, "interrupted") || !strings.Contains(next, "check whether the key holds the tenant") {
		t.Errorf("next: %s", next)
	}
}

// What a person pasted as broken, and what was changed without a check, is not told as done
// with.
func TestNext_NobodyKnowsWhetherItWorks(t *testing.T) {
	committed := "[main abc1234] open files by url"
	for what, c := range map[string]struct {
		session *script.Session
		want    string
	}{
		"a pasted failure": {session().User("The schema is not read:\n\n$ curl localhost/schema\n{\"detail\": \"unable to open database file\"}\nError: 500").Edit(root+"/db.py").
			Shell("git commit -am 'open files by url'", 0, committed).Agent("Paths of Windows are opened as they stand now."), "Ask whether it works now"},
		"no check": {session().User("Accept addresses of files in the reader").Edit(root+"/db.py").
			Shell("git commit -am 'open files by url'", 0, committed).Agent("The reader accepts addresses of files."), "no check has seen the last change (db.py)"},
		"a check that was announced": {session().User("Accept addresses of files in the reader").Edit(root+"/db.py").Agent("Let me run the tests:").Shell("pytest", 0, "3 passed in 0.1s").
			Shell("git commit -am 'open files by url'", 0, committed).Agent("The reader accepts addresses of files."), "Nothing is open: the last request was answered"},
		"a check": {session().User("Accept addresses of files in the reader").Edit(root+"/db.py").Shell("pytest", 0, "3 passed in 0.1s").
			Shell("git commit -am 'open files by url'", 0, committed).Agent("The reader accepts addresses of files."), "Nothing is open: the last request was answered"},
	} {
		if next := fold(c.session).Next.Text; !strings.Contains(next, c.want) {
			t.Errorf("%s: %s", what, next)
		}
	}
}

// What a program shows to type is no command of the person's, and "error:" alone says nothing.
func TestTask_APastedErrorIsTheOneThatSaysSomething(t *testing.T) {
	task := fold(session().User("sudo rebuild switch\nbuilding the system configuration...\nerror:\n       … while calling the builtin\n\n       error: Package 'viewer-3' is marked as insecure\n\n       a) To allow it for once\n          $ export ALLOW_INSECURE=1")).Task.Text
	if strings.Contains(task, "export ALLOW_INSECURE") || !strings.Contains(task, "marked as insecure") {
		t.Errorf("task: %s", task)
	}
}

// TestUncommitted_IsWhatGitStatusLists holds that what git status lists no more is committed
// by somebody, or put back; a status of a part, or of another tree, says nothing of the rest.
func TestUncommitted_IsWhatGitStatusLists(t *testing.T) {
	for name, tt := range map[string]struct{ command, output, want string }{
		"clean, short":     {"git status --short", "", ""},
		"clean, long":      {"cd src && git status", "On branch main\nnothing to commit, working tree clean", ""},
		"one is left":      {"git status --short", "M src/cart.go\n?? notes.md", "1 file changed here"},
		"one is left, too": {"git status", "Changes not staged for commit:\n\tmodified:   src/cart.go", "1 file changed here"},
		"of a part":        {"git status --short docs", "", "2 files changed here"},
		"cut down":         {"git status --short | grep docs", "", "2 files changed here"},
		"of another tree":  {"git -C /w/other status --short", "", "2 files changed here"},
	} {
		f := fold(session().User("Stream the cart").Edit(root+"/src/cart.go").Edit(root+"/src/total.go").Shell(tt.command, 0, tt.output))
		if tt.want == "" && tells(f.Verify, "uncommitted") || tt.want != "" && !tells(f.Verify, tt.want) {
			t.Errorf("%s: %+v", name, f.Verify)
		}
	}
}

// TestUndo_WhatAReplyHandsOverIsKept holds that a file beside the project which a reply says is
// there is no leftover of the session.
func TestUndo_WhatAReplyHandsOverIsKept(t *testing.T) {
	s := session().User("Try the shop by hand").Write("/tmp/try/smoke.sh").Write("/tmp/try/probe.py").Shell("bash /tmp/try/smoke.sh", 0, "12 passed")
	if f := fold(s); !tells(f.Undo, "smoke.sh") || !tells(f.Undo, "probe.py") {
		t.Errorf("undo %+v", f.Undo)
	}
	if f := fold(s.Agent("All twelve pass. The script is at `/tmp/try/smoke.sh`.")); tells(f.Undo, "smoke.sh") || !tells(f.Undo, "probe.py") {
		t.Errorf("handed over: %+v", f.Undo)
	}
}

// TestOutcome_ARebuiltSystemIsBuilt holds that switching a machine to its new configuration
// builds that, and says more than that nothing was checked.
func TestOutcome_ARebuiltSystemIsBuilt(t *testing.T) {
	s := session().User("Add the messenger to the machine").Edit(root+"/home.nix").Shell("sudo darwin-rebuild switch --flake .#machine", 0, "setting up launchd services").Agent("It is there.")
	if got := fold(s).Requests[0].Outcome; got != "changed 1 file, build passed, no test ran" {
		t.Errorf("outcome %q", got)
	}
}

// TestUncommitted_WhatWasMadeAndRemovedIsNone holds that a file which the session wrote and
// removed again leaves nothing to commit.
func TestUncommitted_WhatWasMadeAndRemovedIsNone(t *testing.T) {
	s := session().User("Try the shop").Write(root+"/.env").Edit(root+"/cart.go").Shell("rm .env", 0, "")
	if f := fold(s); !tells(f.Verify, "1 file changed here") || tells(f.Verify, ".env") {
		t.Errorf("verify %+v", f.Verify)
	}
}

// TestRequest_ACommitThatWasTakenBackIsNone holds that a commit which the person took back is
// none of what came of its request, and leaves nothing to commit.
func TestRequest_ACommitThatWasTakenBackIsNone(t *testing.T) {
	s := session().User("Stream the cart").Edit(root+"/cart.go").Shell("git commit -am 'Stream the cart'", 0, "[main abc1234] Stream the cart\n 1 file changed").Agent("Streamed.").
		User("Sort the cart").Edit(root+"/cart.go").Shell("git commit -am 'Sort the cart'", 0, "[main abc1235] Sort the cart\n 1 file changed").Agent("Sorted.").
		Call(transcript.CallInfo{Name: "/undo", Meaning: transcript.Shell, Command: "git reset --hard HEAD~1"})
	s.Events[len(s.Events)-1].Origin = transcript.Typed
	f := fold(s.Result(transcript.ResultInfo{Text: "HEAD is now at abc1234 Stream the cart"}))
	if got := f.Requests[1].Outcome; !strings.Contains(got, "a commit taken back by the user once") || strings.Contains(got, "committed") {
		t.Errorf("the second: %q", got)
	}
	if got := f.Requests[0].Outcome; !strings.Contains(got, "committed abc1234") {
		t.Errorf("the first: %q", got)
	}
	if tells(f.Verify, "uncommitted") {
		t.Errorf("verify %+v", f.Verify)
	}
}

// What git and its forge say of the branch, of CI and of who commits is told.
func TestVerify_WhatGitSaysOfTheBranch(t *testing.T) {
	begin := func() *script.Session {
		return session().User("Fix the flaky test").Edit(root+"/upload_test.go").Shell("go test ./...", 0, "ok  \tshop\t0.1s").Shell("git commit -am 'wait'", 0, "[main abc1234] wait")
	}
	for name, tt := range map[string]struct {
		session *script.Session
		want    string
		told    bool
	}{
		"a commit without a push":      {begin(), "no push was seen: one commit made here", true},
		"a commit of the tool itself":  {session().User("Fix the upload").Edit(root+"/upload.go").Shell("git commit", 0, "[main abc1234] Fix the upload"), "no push was seen", false},
		"a pull request of it":         {begin().Shell("gh pr create --fill", 0, "https://github.com/ada/shop/pull/7"), "no push was seen", false},
		"a commit behind it":           {begin().Shell("gh pr create --fill", 0, "https://github.com/ada/shop/pull/7").Edit(root+"/upload.go").Shell("git commit -am 'again'", 0, "[main abc1235] again"), "no push was seen: one commit made here", true},
		"a branch that lacks nothing":  {begin().Shell("git status -sb", 0, "## main...origin/main"), "no push was seen", false},
		"commits that are not pushed":  {begin().Shell("git status", 0, "On branch main\nYour branch is ahead of 'origin/main' by 3 commits.\nnothing to commit, working tree clean"), "not pushed: 3 commits are not in origin/main", true},
		"the same, in short":           {begin().Shell("git status -sb", 0, "## main...origin/main [ahead 1]"), "not pushed: 1 commit is not in origin/main", true},
		"pushed since":                 {begin().Shell("git status -sb", 0, "## main...origin/main [ahead 1]").Shell("git push", 0, "   1111111..abc1234  main -> main"), "not pushed", false},
		"nothing left to push":         {begin().Shell("git status -sb", 0, "## main...origin/main [ahead 1]").Shell("git status -sb", 0, "## main...origin/main"), "not pushed", false},
		"a name that git made up":      {begin().Shell("git commit --allow-empty -m x", 0, "[main abc1235] x\n Committer: Ada <ada@host.local>\nYour name and email address were configured automatically based\non your username and hostname."), "git made up who commits: Ada", true},
		"checks that have not ended":   {begin().Shell("git push", 0, "   1111111..abc1234  main -> main").Shell("gh pr checks 7", 8, "lint\tpass\t12s\tu\nunit\tpending\t0\tu\nnightly\tpending\t0\tu"), "looked at last (pending: unit, nightly)", true},
		"a merge that was not to end":  {begin().Shell("git merge --no-commit topic", 0, "Automatic merge went well; stopped before committing as requested"), "git merge in progress", true},
		"tests of a part":              {session().User("Fix the upload").Edit(root+"/upload.go").Shell("go test ./upload -run TestRetry", 0, "ok  \tshop/upload\t0.1s"), "only a part of the tests was run, as by `go test ./upload -run TestRetry`", true},
		"tests of a part after others": {session().User("Fix the upload").Edit(root+"/upload.go").Shell("go test ./...", 0, "ok  \tshop\t0.1s").Shell("go test ./upload", 0, "ok  \tshop/upload\t0.1s"), "only a part", false},
	} {
		if f := fold(tt.session); tells(f.Verify, tt.want) != tt.told {
			t.Errorf("%s: %+v", name, f.Verify)
		}
	}
}

// What the agent was not sure of on its way is answered by the work after it, once the person goes on.
func TestQuestions_ADoubtOnTheWayIsSettledByTheWorkAfterIt(t *testing.T) {
	const doubt = "No entry of the log is needed for this: the workflow is untested so far."
	s := session().User("Wire the reviewer into the checks of each request").Edit(root+"/ci.yml").Agent(doubt).
		Shell("git commit -qam 'run the reviewer'", 0, "")
	if f := fold(s); len(f.Questions) != 1 {
		t.Errorf("while it is worked on: %+v", f.Questions)
	}
	s.Agent("The reviewer is wired in.").User("now give it the permission that it lacks")
	if f := fold(s); len(f.Questions) != 0 {
		t.Errorf("afterwards: %+v", f.Questions)
	}
}

// A file that has another name now is one that was changed.
func TestOutcome_ARenamedFileIsOne(t *testing.T) {
	s := session().User("rename the page and its demo").
		Shell("mv page/mark.mdx page/note.mdx && mv demo/mark.tsx demo/note.tsx", 0, "").Agent("Renamed.")
	f := fold(s)
	if !strings.HasPrefix(f.Requests[0].Outcome, "changed 2 files") || !tells(f.Verify, "uncommitted: 2 files") {
		t.Errorf("%q, %+v", f.Requests[0].Outcome, f.Verify)
	}
}

// A task that is not there has examined nothing.
func TestOutcome_ATaskThatIsNotThereIsNoCheck(t *testing.T) {
	s := session().User("mend the colour of the demo").Edit(root+"/demo.tsx").
		Shell("npm run lint 2>&1 | head -30 || true", 0, "npm error Missing script: \"lint\"").
		Shell("npm run typecheck 2>&1 | tail -20", 0, "\n> shop@0.1.0 typecheck\n> tsc --noEmit\n").Agent("Mended.")
	if got := fold(s).Requests[0].Outcome; got != "changed 1 file, type check passed, no test ran" {
		t.Errorf("outcome: %s", got)
	}
}

// HEAD of another work tree is not that of this one.
func TestHead_IsNotThatOfAnotherWorkTree(t *testing.T) {
	s := session().User("why is the index broken?").Shell("git log --oneline -1", 0, "dbdc06e2 Keep the state of a session").
		Shell("git -C "+root+"/../other log --oneline -1", 0, "6ca42818 Parse the settings strictly").Agent("It is the hook.")
	if f := fold(s); f.Git == nil || f.Git.Head != "dbdc06e2" {
		t.Errorf("got %+v", f.Git)
	}
}
