package extract_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/internal/script"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func texts(list []distiller.Statement) string {
	var out []string
	for _, s := range list {
		out = append(out, s.Text)
	}
	return strings.Join(out, "\n")
}

func works(list []distiller.Work) string {
	var out []string
	for _, w := range list {
		out = append(out, w.Kind+": "+w.Command)
	}
	return strings.Join(out, "\n")
}

func TestWorks_TheLastFormThatPassed(t *testing.T) {
	for name, tt := range map[string]struct {
		session func(*script.Session)
		want    string
	}{
		"with its variables, without its pager": {
			func(s *script.Session) {
				s.Shell(`DB="sqlite://a.db" cargo check 2>&1 | tail -5`, 0, "    Finished `dev` profile [unoptimized] target(s) in 1s")
			},
			`build: DB="sqlite://a.db" cargo check`,
		},
		"with its wrapper and folder": {
			func(s *script.Session) {
				s.Shell("cd web && docker compose exec -T app npm test", 0, "Tests:  3 passed, 3 total")
			},
			"test: cd web && docker compose exec -T app npm test",
		},
		"the last one, and the last one on everything": {
			func(s *script.Session) {
				s.Shell("go test ./...", 0, "ok  \ta\t0.1s").Shell("go test ./cart", 0, "ok  \ta/cart\t0.1s").Shell("go test ./shop", 0, "ok  \ta/shop\t0.1s")
			},
			"test: go test ./shop\ntest: go test ./cart\ntest: go test ./...",
		},
		"none that failed or whose result was not seen": {
			func(s *script.Session) { s.Shell("go test ./...", 1, "FAIL").Shell("npm run lint || true", 0, "done") }, "",
		},
		"a script of the project and what brings dependencies in": {
			func(s *script.Session) {
				s.Shell("npm ci", 0, "added 3 packages").Shell("node scripts/seed.mjs --small", 0, "seeded")
			},
			"run: node scripts/seed.mjs --small\ninstall: npm ci",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := session().User("make the release work")
			tt.session(s)
			if got := works(fold(s).Works); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestLimits_WhatCanNotWorkHere(t *testing.T) {
	for name, tt := range map[string]struct {
		session func(*script.Session)
		want    string
	}{
		"a program that is missing": {func(s *script.Session) { s.Shell("bats test", 127, "bash: line 1: bats: command not found") }, "`bats` is not installed"},
		"a program that came later": {func(s *script.Session) {
			s.Shell("bats test", 127, "bash: line 1: bats: command not found").Shell("bats test", 0, "1..1\nok 1 a")
		}, ""},
		"a program that another one stands in for": {func(s *script.Session) {
			s.Shell("python tools/count.py --all", 127, "zsh:1: command not found: python").Shell("python3 tools/count.py --all", 0, "12")
		}, "`python` is not installed, `python3` works in its place"},
		"no network":               {func(s *script.Session) { s.Shell("curl https://a.test", 6, "curl: (6) Could not resolve host: a.test") }, "no network"},
		"a port":                   {func(s *script.Session) { s.Shell("go run ./srv", 1, "listen tcp :80: bind: operation not permitted") }, "port"},
		"no disk space":            {func(s *script.Session) { s.Shell("make all", 2, "cp: write error: No space left on device") }, "no disk space"},
		"a script that is missing": {func(s *script.Session) { s.Shell("npm run lint 2>&1 || true", 0, "npm error Missing script: \"lint\"") }, "no such task"},
		"a target that is missing": {func(s *script.Session) { s.Shell("make lint", 2, "make: *** No rule to make target 'lint'.  Stop.") }, "no such task"},
		"a test of another system": {func(s *script.Session) {
			s.Shell("GOOS=windows go test ./...", 1, "fork/exec /tmp/shop.test.exe: exec format error")
		}, "another platform"},
		"a failing test": {func(s *script.Session) { s.Shell("go test ./...", 1, "--- FAIL: TestA (0.0s)\nFAIL") }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := session().User("make the release work")
			tt.session(s)
			if got := texts(fold(s).Limits); !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestUndo_WhatTheSessionLeft(t *testing.T) {
	for name, tt := range map[string]struct {
		session func(*script.Session)
		want    string
	}{
		"a stash": {func(s *script.Session) {
			s.Shell("git stash", 0, "Saved working directory and index state WIP on main: 1a2b3c4 a")
		}, "`git stash` without `git stash pop`"},
		"a stash brought back": {func(s *script.Session) {
			s.Shell("git stash", 0, "Saved working directory and index state WIP on main").Shell("git stash pop", 0, "Dropped refs/stash@{0} (1a2b3c4)")
		}, ""},
		"nothing to stash":          {func(s *script.Session) { s.Shell("git stash", 0, "No local changes to save") }, ""},
		"a server":                  {func(s *script.Session) { s.Shell("npm run dev &", 0, "[1] 4711") }, "still running: `npm run dev`"},
		"a server that was stopped": {func(s *script.Session) { s.Shell("npm run dev &", 0, "[1] 4711").Shell("kill %1", 0, "") }, ""},
		"containers":                {func(s *script.Session) { s.Shell("docker compose up -d", 0, "started") }, "still running: `docker compose up -d`"},
		"containers that are down": {func(s *script.Session) {
			s.Shell("docker compose up -d", 0, "started").Shell("docker compose down", 0, "removed")
		}, ""},
		"a scratch file":         {func(s *script.Session) { s.Write("/tmp/try.go") }, "scratch files: `/tmp/try.go`"},
		"a scratch file removed": {func(s *script.Session) { s.Write("/tmp/try.go").Shell("rm /tmp/try.go", 0, "") }, ""},
		"a file of the project":  {func(s *script.Session) { s.Write(root + "/cart.go") }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := session().User("make the release work")
			tt.session(s)
			if got := texts(fold(s).Undo); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestGit_WhatWasRecorded(t *testing.T) {
	for name, tt := range map[string]struct {
		session func(*script.Session)
		check   func(*distiller.Git) bool
	}{
		"a commit that printed nothing": {
			func(s *script.Session) { s.Shell("git add -A && git commit -q -m 'cart: add total'", 0, "") },
			func(g *distiller.Git) bool { return len(g.Commits) == 1 && g.Commits[0] == "cart: add total" },
		},
		"and its id, once somebody looked": {
			func(s *script.Session) {
				s.Shell("git commit -q -m 'cart: add total'", 0, "").Shell("git log --oneline -1", 0, "1a2b3c4 cart: add total")
			},
			func(g *distiller.Git) bool { return g.Head == "1a2b3c4" && g.Commits[0] == "1a2b3c4 cart: add total" },
		},
		"a commit on the branch before": {
			func(s *script.Session) {
				s.Shell("git commit -m x", 0, "[topic 1a2b3c4] x").Event(transcript.Event{Kind: transcript.Reply, Text: "It is merged.", WorkDir: &transcript.WorkDir{Cwd: root, Branch: "main"}})
			},
			func(g *distiller.Git) bool { return g.Branch == "main" && g.Head == "" },
		},
		"a branch that begins with it": {
			func(s *script.Session) {
				s.Shell("git commit -m x", 0, "[main 1a2b3c4] x").Shell("git switch -c topic", 0, "Switched to a new branch 'topic'")
			},
			func(g *distiller.Git) bool { return g.Branch == "topic" && g.Head == "1a2b3c4" },
		},
		"a rebase that waits": {
			func(s *script.Session) {
				s.Shell("git rebase main", 1, "CONFLICT (content): Merge conflict in a.go\nhint: run \"git rebase --continue\".")
			},
			func(g *distiller.Git) bool { return g.Halted == "rebase" },
		},
		"a rebase that ended": {
			func(s *script.Session) {
				s.Shell("git rebase main", 1, "hint: run \"git rebase --continue\".").Shell("git rebase --continue", 0, "Successfully rebased and updated refs/heads/a.")
			},
			func(g *distiller.Git) bool { return g.Halted == "" },
		},
		"a diff": {
			func(s *script.Session) {
				s.Shell("git diff --stat", 0, " a.go | 3 ++-\n 1 file changed, 2 insertions(+), 1 deletion(-)")
			},
			func(g *distiller.Git) bool { return g.Stat == "1 file changed, 2 insertions(+), 1 deletion(-)" },
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := session().User("make the release work").Event(transcript.Event{Kind: transcript.Git, Git: &transcript.GitInfo{Branch: "main", Head: "0000000"}})
			tt.session(s)
			if g := fold(s).Git; g == nil || !tt.check(g) {
				t.Errorf("git %+v", g)
			}
		})
	}
}

func TestProgress_IsMarkedWithItsEvidence(t *testing.T) {
	s := session().User("make the release work").Edit(root+"/cart.go").Shell("go test ./...", 0, "ok  \ta\t0.1s").
		Todo(transcript.Item{Text: "write the notes", State: "todo"})
	for _, p := range fold(s).Progress {
		want := distiller.Said
		if strings.Contains(p.Text, "go test") {
			want = distiller.Proved
		}
		if p.Evidence != want {
			t.Errorf("%s: %q, want %q", p.Text, p.Evidence, want)
		}
	}
}

func TestFailures_EditsTakenBackAreGivenUp(t *testing.T) {
	s := session().User("make the release work").Edit(root+"/cart.go").Agent("The old client can't stream, so this doesn't help.").Shell("git checkout -- cart.go", 0, "")
	failures := fold(s).Failures
	if len(failures) != 1 || failures[0].Ended != "given up" || !strings.Contains(failures[0].What, "cart.go") || !strings.Contains(failures[0].Why, "can't stream") {
		t.Errorf("failures %+v", failures)
	}
}

func TestFailures_ACheckOfStashedWorkIsNoFailureOfIt(t *testing.T) {
	s := session().User("make the release work").Edit(root+"/cart.go").Shell("git stash && go test ./... | tail -5; git stash pop", 0, "--- FAIL: TestA (0.00s)\nFAIL\nDropped refs/stash@{0}")
	facts := fold(s)
	if len(facts.Failures) != 1 || facts.Failures[0].Ended == "" {
		t.Errorf("failures %+v", facts.Failures)
	}
}

func TestFailures_CoveredByATestRunOfTheSameProgram(t *testing.T) {
	s := session().User("make the release work").Shell("go build ./cart", 1, "cart/a.go:3:5: undefined: b").Edit(root+"/cart/a.go").Shell("go test ./...", 0, "ok  \ta/cart\t0.1s")
	for _, f := range fold(s).Failures {
		if f.Ended == "" {
			t.Errorf("%s is listed as open", f.What)
		}
	}
}

// A job that a tool runs in the background is known by its id, in each tool's words, until the tool
// says that it ended.
func TestBackground_JobsEndByTheirID(t *testing.T) {
	starts := map[string]string{
		"Command running in background with ID: bash_1": "bash_1",
		"Process running with session ID 4711":          "4711",
		"listening on :8000\n<command with shellId: dev is still running after 30 seconds. The command is still running.>": "dev",
		"<command started in background with shellId: dev2>":                                                               "dev2",
		"Async agent launched successfully.\nagentId: a1b2c3":                                                              "a1b2c3",
	}
	ends := map[string]func(s *script.Session, id string){
		"a notice": func(s *script.Session, id string) {
			s.Prompt(transcript.Machine, "<task-notification><task-id>"+id+"</task-id><status>completed</status></task-notification>")
		},
		"a poll": func(s *script.Session, id string) {
			s.Call(transcript.CallInfo{Name: "BashOutput", Meaning: transcript.Other, Detail: id}).Result(transcript.ResultInfo{Text: "<status>completed</status>"})
		},
		"a poll with an exit code": func(s *script.Session, id string) {
			done := 0
			s.Call(transcript.CallInfo{Name: "read_bash", Meaning: transcript.Other, Detail: id}).Result(transcript.ResultInfo{Text: "Activating the units", ExitCode: &done})
		},
		"a kill": func(s *script.Session, id string) {
			s.Call(transcript.CallInfo{Name: "KillShell", Meaning: transcript.Other, Detail: id}).Result(transcript.ResultInfo{Text: "done"})
		},
	}
	for text, id := range starts {
		begin := func() *script.Session { return session().User("Start the server").Shell("npm run dev", 0, text) }
		f := fold(begin())
		if !tells(f.Verify, id) || !tells(f.Undo, "npm run dev") {
			t.Errorf("%q is not listed: %+v %+v", text, f.Verify, f.Undo)
		}
		for name, end := range ends {
			s := begin()
			end(s, id)
			if f = fold(s.Agent("The server is up.")); tells(f.Verify, "background") || tells(f.Undo, "npm run dev") {
				t.Errorf("%q is listed after %s: %+v %+v", text, name, f.Verify, f.Undo)
			}
		}
		s := begin().Call(transcript.CallInfo{Name: "BashOutput", Meaning: transcript.Other, Detail: id}).Result(transcript.ResultInfo{Text: "<status>running</status>\ncompiled, 0 failed"})
		if f = fold(s); !tells(f.Undo, "npm run dev") {
			t.Errorf("%q is forgotten after a poll: %+v", text, f.Undo)
		}
	}
}

func tells(list []distiller.Statement, text string) bool {
	return slices.ContainsFunc(list, func(s distiller.Statement) bool { return strings.Contains(s.Text, text) })
}

func TestGivenUp_IsOverOnceTheFileIsChangedAgain(t *testing.T) {
	s := session().User("Stream the cart").Edit(root+"/cart.go").Agent("It can't stream the totals.").Shell("git checkout -- cart.go; make list", 0, "")
	if f := fold(s); len(f.Failures) != 1 || !strings.Contains(f.Failures[0].Why, "git checkout -- cart.go") {
		t.Errorf("failures: %+v", f.Failures)
	}
	if f := fold(s.Edit(root + "/cart.go")); len(f.Failures) != 0 {
		t.Errorf("still listed: %+v", f.Failures)
	}
}

const rebasing = "interactive rebase in progress; onto abc1234\nLast command done (1 command done):"

func TestHalt_IsOfThisWorkTreeAndEnds(t *testing.T) {
	if f := fold(session().User("Look at the other tree").Shell("git -C /w/other status", 0, rebasing)); tells(f.Verify, "rebase") {
		t.Errorf("the rebase of another work tree is listed: %+v", f.Verify)
	}
	begin := func() *script.Session { return session().User("Rebase it").Shell("git status", 0, rebasing) }
	if f := fold(begin()); !tells(f.Verify, "rebase in progress") {
		t.Errorf("a rebase is not listed: %+v", f.Verify)
	}
	for name, s := range map[string]*script.Session{
		"a push":         begin().Shell("git push --force-with-lease", 0, "+ abc...def topic -> topic"),
		"other requests": begin().User("Now explain the importer to me").User("And what the exporter does with rows").User("List the tests of the cart"),
	} {
		if f := fold(s); tells(f.Verify, "rebase") {
			t.Errorf("listed after %s: %+v", name, f.Verify)
		}
	}
}

// A rebase gives new ids to what was not pushed: the old ones lead nowhere.
func TestCommits_ARebaseWritesThemAnew(t *testing.T) {
	s := session().User("Release it").Edit(root+"/cart.go").Shell("git commit -am total", 0, "[main abc1234] total").
		Shell("git pull --rebase", 0, "Successfully rebased and updated refs/heads/main.")
	var done []string
	for _, step := range fold(s).Progress {
		done = append(done, step.Text)
	}
	if got := strings.Join(done, "\n"); strings.Contains(got, "abc1234") || !strings.Contains(got, "commit `total`") {
		t.Errorf("done: %s", got)
	}
}

// What git waits for is told with its state; that it stopped for conflicts is no failed approach.
func TestHalt_ForConflictsIsNoFailure(t *testing.T) {
	s := session().User("Merge main in").Shell("git merge origin/main", 1, "Auto-merging cart.go\nCONFLICT (content): Merge conflict in cart.go\nAutomatic merge failed; fix conflicts and then commit the result.")
	if f := fold(s); len(f.Failures) != 0 || !tells(f.Verify, "git merge in progress, by its last output; it failed on conflicts in cart.go: fix them, then commit the result") {
		t.Errorf("failures %+v, verify %+v", f.Failures, f.Verify)
	}
	s = session().User("Merge main in").Shell("git merge origin/main", 1, "CONFLICT (content): Merge conflict in shop/a/long/folder/of/all/the/carts/cart.go\nCONFLICT (content): Merge conflict in shop/a/long/folder/of/all/the/carts/total.go\nCONFLICT (content): Merge conflict in shop/a/long/folder/of/all/the/carts/tax.go\n"+"Automatic merge failed; fix conflicts and then commit the result.")
	if f := fold(s); !tells(f.Verify, "conflicts in shop/a/long/folder/of/all/the/carts/cart.go, shop/a/long/folder/of/all/the/carts/total.go and 1 more: fix them") {
		t.Errorf("verify %+v", f.Verify)
	}
	s = session().User("Merge main in").Shell("git merge origin/main", 1, "CONFLICT (content): Merge conflict in cart.go\nAutomatic merge failed; fix conflicts and then commit the result.").Edit(root + "/cart.go")
	if f := fold(s); !tells(f.Verify, "the files in conflict (cart.go) were edited since") {
		t.Errorf("verify %+v", f.Verify)
	}
	for command, text := range map[string]string{
		"git stash pop":                     "CONFLICT (content): Merge conflict in cart.go\nThe stash entry is kept in case you need it again.",
		"git -C /w/other merge origin/main": "Automatic merge failed; fix conflicts and then commit the result.",
	} {
		if f := fold(session().User("Bring it in").Shell(command, 1, text)); len(f.Failures) != 1 {
			t.Errorf("%s, which no state tells of: %+v", command, f.Failures)
		}
	}
}

func TestShellFiles_TakeNoScriptForAFile(t *testing.T) {
	for command, want := range map[string]string{
		"sed -i 's/a/b/' src/a.go":                "src/a.go",
		"sed -i -e 's/a/b/' -e 's/c/d/' src/a.go": "src/a.go",
		"sed -i --expression='s/a/b/' src/a.go":   "src/a.go",
	} {
		f := fold(session().User("Rename it").Shell(command, 0, ""))
		if len(f.Files) != 1 || f.Files[0].Path != want {
			t.Errorf("%s: %+v", command, f.Files)
		}
	}
}

func TestNext_ACheckWhoseProgramIsMissingIsNoStep(t *testing.T) {
	s := session().User("Move the docs to the new layout").Edit(root+"/docs/index.md").
		Shell("markdownlint docs/index.md && make lint", 127, "zsh:1: command not found: markdownlint").Shell("make lint", 0, "0 issues.").Agent("The layout is moved. I'm looking at the diff.").
		Call(transcript.CallInfo{Name: "Bash", Meaning: transcript.Shell, Command: "git diff"})
	f := fold(s)
	if f.Next == nil || strings.Contains(f.Next.Text, "markdownlint") || tells(f.Verify, "markdownlint") {
		t.Errorf("next %+v, to check %+v", f.Next, f.Verify)
	}
}

// TestFiles_AreMarkedByTheTestsThatLookAtThem holds that a file is marked as tested only by a
// run that was asked to look at it, and that a run that fails takes the mark away.
func TestFiles_AreMarkedByTheTestsThatLookAtThem(t *testing.T) {
	const ok = "ok  \tshop/cart\t0.1s"
	for command, want := range map[string]string{
		"go test ./...":                 "passing",
		"go test ./cart":                "passing",
		"go test ./cart/...":            "passing",
		"go test ./till":                "unknown",
		"go test -run TestTotal ./cart": "unknown",
		"npm test":                      "passing",
	} {
		s := session().User("Stream the cart").Edit(root+"/cart/cart.go").Shell(command, 0, ok)
		if f := fold(s); f.Files[0].Tests != want {
			t.Errorf("%s: %+v", command, f.Files[0])
		}
	}
	s := session().User("Stream the cart").Edit(root+"/cart/cart.go").Shell("go test ./...", 0, ok).Shell("go test ./...", 1, "--- FAIL: TestTill\nFAIL\tshop/till")
	if f := fold(s); f.Files[0].Tests != "unknown" {
		t.Errorf("after a failing run: %+v", f.Files[0])
	}
}

// TestCode_AFileWrittenAnewHoldsNoOldNotes holds that a note which an edit left is gone once
// the file is written whole without it.
func TestCode_AFileWrittenAnewHoldsNoOldNotes(t *testing.T) {
	write := transcript.CallInfo{Name: "Write", Meaning: transcript.Write, Paths: []string{root + "/face.go"}}
	s := session().User("Find the faces").Call(write).Code(transcript.CodeInfo{Path: root + "/face.go", Added: []string{"TODO: use the model"}, Whole: true}).Result(transcript.ResultInfo{Text: "ok"})
	if f := fold(s); !tells(f.Verify, "TODO: use the model") {
		t.Errorf("verify %+v", f.Verify)
	}
	s.Call(write).Code(transcript.CodeInfo{Path: root + "/face.go", Whole: true}).Result(transcript.ResultInfo{Text: "ok"})
	if f := fold(s); tells(f.Verify, "TODO: use the model") {
		t.Errorf("written anew: %+v", f.Verify)
	}
}

// What git lists and nobody changed here is somebody else's: it is not to be committed with it.
func TestVerify_WhatOthersChanged(t *testing.T) {
	s := session().User("make the cart count once").Edit(root+"/cart.go").Shell("git status --short", 0, " M cart.go\n M CLAUDE.md\n?? .cursor/")
	if f := fold(s); !tells(f.Verify, "git status also listed what was not changed here: CLAUDE.md, .cursor/") {
		t.Errorf("verify %+v", f.Verify)
	}
	s.Shell("git commit -am all", 0, "[main abc1234] all\n 2 files changed")
	if f := fold(s); tells(f.Verify, "also listed") {
		t.Errorf("after a commit: %+v", f.Verify)
	}
}

// A pull request that the forge is to merge by itself is not merged until somebody has seen it.
func TestVerify_APullRequestThatIsToMergeByItself(t *testing.T) {
	s := session().User("merge both pull requests").Shell("gh pr merge 221 --squash --auto", 0, "").Agent("Auto-merge is set.")
	if f := fold(s); !tells(f.Verify, "PR #221 was set to merge by itself; nobody has seen it merged") {
		t.Errorf("verify %+v", f.Verify)
	}
	s.User("is it in?").Shell("gh pr view 221 --json state --jq .state", 0, "MERGED").Agent("It is.")
	if f := fold(s); tells(f.Verify, "221") || !strings.Contains(f.Requests[0].Outcome, "merged a pull request #221") {
		t.Errorf("verify %+v, requests %+v", f.Verify, f.Requests)
	}
}

// A push that deletes, or of a repository made to try something in, brings no work anywhere; what
// was committed after a push is not pushed.
func TestPush_OfWork(t *testing.T) {
	commit := "[main abc1234] total\n 1 file changed"
	pushed := func(command string) bool {
		f := fold(session().User("take the tags back").Edit(root+"/cart.go").Shell("git commit -m total", 0, commit).Shell(command, 0, "done").Agent("Done."))
		return strings.Contains(f.Requests[0].Outcome, "pushed")
	}
	for command, want := range map[string]bool{
		"git push": true, "git push origin main": true, "git push origin v1 :v0": true,
		"git push origin --delete v0": false, "git push origin :refs/tags/v0 :refs/tags/v1": false, "git push --dry-run": false,
		"cd /tmp/try && git push": false, "git push /tmp/bare.git main": false,
	} {
		if got := pushed(command); got != want {
			t.Errorf("%s: pushed %v", command, got)
		}
	}
	s := session().User("release it").Edit(root+"/.github/workflows/ci.yml").Shell("git commit -m total && git push", 0, commit+"\n   1111111..abc1234  main -> main").
		Edit(root+"/cart.go").Shell("git commit -m tax", 0, "[main def5678] tax\n 1 file changed").Agent("Committed.")
	if f := fold(s); !tells(f.Verify, "not pushed: what was committed since the newest push") || strings.Contains(f.Next.Text, "CI run") {
		t.Errorf("verify %+v, next %+v", f.Verify, f.Next)
	}
}

// A run of CI that had not ended is looked at again.
func TestNext_ARunThatHadNotEnded(t *testing.T) {
	eight := 8
	s := session().User("address the comments of the pull request").Edit(root+"/cart.go").
		Shell("git commit -m total && git push", 0, "[main abc1234] total\n 1 file changed\n   1111111..abc1234  main -> main").
		Shell("gh pr checks 17", 0, "lint\tpass\t6s\n").Call(transcript.CallInfo{Name: "Bash", Meaning: transcript.Shell, Command: "gh pr checks 17"}).
		Result(transcript.ResultInfo{Failed: true, ExitCode: &eight, Text: "lint\tpass\t6s\nbuild-windows\tpending\t0\n"}).Agent("All comments are addressed.")
	if f := fold(s); !strings.Contains(f.Next.Text, "Look again at the CI checks of") || !tells(f.Verify, "had not ended when it was looked at last") {
		t.Errorf("next %+v, verify %+v", f.Next, f.Verify)
	}
}

// What is tried out in a temporary folder checks nothing of the project, and a command whose file is
// removed behind it can't be run again.
func TestChecks_OfAScratchFolderAreNone(t *testing.T) {
	s := session().User("Does the schema refuse an empty list?").Edit(root+"/config/schema.cue").
		Shell("cd /tmp/try && go vet ./...", 1, "./a.go:3:5: undefined: rows").
		Shell("go vet ./config/...", 0, "").
		Write(root+"/entry.mjs").Shell("npx esbuild entry.mjs --bundle --outfile=out.js && rm -f entry.mjs", 0, "")
	f := fold(s)
	if tells(f.Verify, "re-run") || !strings.HasPrefix(f.Requests[0].Outcome, "changed 1 file, ") {
		t.Errorf("to check %+v, outcome %q", f.Verify, f.Requests[0].Outcome)
	}
	if len(f.Works) != 1 || f.Works[0].Kind != "lint" {
		t.Errorf("works: %+v", f.Works)
	}
}

// What was written for the request and removed again is no change, and a loop changes what it goes
// through.
func TestOutcome_CountsWhatIsLeft(t *testing.T) {
	s := session().User("give each page a default export").Write(root+"/probe.mjs").Shell("node probe.mjs && rm probe.mjs", 0, "").
		Shell("for f in link tooltip; do fn=\"pages/${f}.tsx\"; echo \"export default $f;\" >> \"$fn\"; done", 0, "").Agent("Done.")
	f := fold(s)
	if !strings.HasPrefix(f.Requests[0].Outcome, "changed 2 files") || !tells(f.Verify, "uncommitted: 2 files") {
		t.Errorf("%q, %+v", f.Requests[0].Outcome, f.Verify)
	}
}

// A file that was seen not to be there is not offered to be opened.
func TestNamed_LeavesOutWhatIsNotThere(t *testing.T) {
	s := session().User("where is the version of java taken from?").
		Shell("cat script/java.sh; ls script", 0, "cat: script/java.sh: No such file or directory\nnode.sh").
		Agent("`script/java.sh` is gone; `script/node.sh` is left.").Shell("rm -r old && ls", 0, "script").Agent("Its reader was `old/reader.go`.")
	var named []string
	for _, n := range fold(s).Named {
		named = append(named, n.Path)
	}
	if !slices.Equal(named, []string{"script/node.sh"}) {
		t.Errorf("named: %v", named)
	}
}

// What the person pasted of a log, or of somebody's text, demands nothing.
func TestConstraints_NoneOfWhatWasPasted(t *testing.T) {
	for _, prompt := range []string{
		"the run shows this\nRun # Do NOT pass --config-override here. It breaks the runtime.",
		"is that so? without --force), sync must never exit with zero before it has pushed (README.md:162).",
	} {
		if f := fold(session().User(prompt).Read(root + "/ci.yml").Agent("It is.")); len(f.Constraints) != 0 {
			t.Errorf("%q: %+v", prompt, f.Constraints)
		}
	}
}
