package extract_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller/internal/script"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func TestWhatIsAFailedApproach(t *testing.T) {
	one := 1
	for name, tt := range map[string]struct {
		session func(*script.Session)
		open    string // what must be listed as open, "" for nothing
		count   int
	}{
		"a failing build": {
			session: func(s *script.Session) { s.Shell("go build ./...", 1, "# shop\ncart.go:3:2: undefined: total") },
			open:    "undefined: total", count: 1,
		},
		"the same again": {
			session: func(s *script.Session) {
				s.Shell("make release", 2, "error: no key").Shell("cd /home/ada/shop && make release 2>&1 | tail -5", 2, "error: no key")
			},
			open: "no key", count: 2,
		},
		"a test run that a pipe hides": {
			session: func(s *script.Session) {
				s.Shell("go test ./... | tail -3", 0, "--- FAIL: TestTotal (0.00s)\nFAIL\tshop/cart\t0.1s")
			},
			open: "TestTotal", count: 1,
		},
		"grep found nothing":     {session: func(s *script.Session) { s.Shell("grep -r total src", 1, "") }},
		"diff found differences": {session: func(s *script.Session) { s.Shell("diff a b", 1, "1c1") }},
		"rejected by the user": {session: func(s *script.Session) {
			s.Call(transcript.CallInfo{Name: "Bash", Meaning: transcript.Shell, Command: "rm -r data"}).Result(transcript.ResultInfo{Failed: true, Outcome: transcript.Rejected})
		}},
		"blocked by a guard": {session: func(s *script.Session) {
			s.Call(transcript.CallInfo{Name: "Bash", Meaning: transcript.Shell, Command: "rm -r data"}).Result(transcript.ResultInfo{Failed: true, Outcome: transcript.Blocked, Text: "BLOCKED"})
		}},
		"cancelled with its sibling": {session: func(s *script.Session) {
			s.Call(transcript.CallInfo{Name: "Bash", Meaning: transcript.Shell, Command: "make"}).Result(transcript.ResultInfo{Failed: true, ExitCode: &one, Outcome: transcript.Cancelled})
		}},
		"solved by the same command": {session: func(s *script.Session) {
			s.Shell("go build ./...", 1, "undefined: total").Edit(root+"/cart.go").Shell("go build ./...", 0, "")
		}},
		"solved by a wider run": {session: func(s *script.Session) {
			s.Shell("go test ./cart", 1, "--- FAIL: TestTotal (0.00s)\nFAIL\tshop/cart\t0.1s").Shell("go test ./...", 0, "ok  \tshop/cart\t0.1s")
		}},
		"not solved by a narrower run": {
			session: func(s *script.Session) {
				s.Shell("go test ./cart ./shop", 1, "--- FAIL: TestTotal (0.00s)\nFAIL\tshop/cart\t0.1s").Shell("go test ./shop", 0, "ok  \tshop\t0.1s")
			},
			open: "TestTotal", count: 1,
		},
		"solved by formatting what it complained of": {session: func(s *script.Session) {
			s.Shell("uv run ruff format --check src tests", 1, "Would reformat: src/cart.py\n1 file would be reformatted, 3 files already formatted").Shell("uv run ruff format src/cart.py", 0, "1 file reformatted")
		}},
		"not solved by formatting another file": {
			session: func(s *script.Session) {
				s.Shell("uv run ruff format --check src tests", 1, "Would reformat: src/cart.py\n1 file would be reformatted, 3 files already formatted").Shell("uv run ruff format src/till.py", 0, "1 file left unchanged")
			},
			open: "src/cart.py", count: 1,
		},
		"solved by another form": {session: func(s *script.Session) {
			s.Shell("hk check", 127, "zsh: command not found: hk").Shell("mise x hk -- hk check", 0, "")
		}},
		"an edit that worked later": {session: func(s *script.Session) {
			s.Call(transcript.CallInfo{Name: "Edit", Meaning: transcript.Edit, Paths: []string{root + "/cart.go"}}).Result(transcript.ResultInfo{Failed: true, Text: "String to replace not found"})
			s.Edit(root + "/cart.go")
		}},
		"reading what is not there": {session: func(s *script.Session) {
			s.Call(transcript.CallInfo{Name: "Read", Meaning: transcript.Read, Paths: []string{root + "/x.go"}}).Result(transcript.ResultInfo{Failed: true, Text: "File does not exist."})
			s.Read(root + "/y.go")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s := session().User("make the release work")
			tt.session(s)
			open := 0
			for _, f := range fold(s).Failures {
				if f.Ended != "" {
					continue
				}
				open++
				if tt.open == "" || !strings.Contains(f.Why, tt.open) || f.Count != tt.count {
					t.Errorf("listed as open: %+v", f)
				}
			}
			if tt.open != "" && open != 1 {
				t.Errorf("%d open failures, want 1", open)
			}
		})
	}
}

func TestARejectedCallIsACorrection(t *testing.T) {
	s := session().User("clean up").
		Call(transcript.CallInfo{Name: "Bash", Meaning: transcript.Shell, Command: "rm -r data"}).
		Result(transcript.ResultInfo{Failed: true, Outcome: transcript.Rejected, Text: "The user doesn't want this. the user said:\nkeep the data folder"})
	got := fold(s).Decisions
	if len(got) != 1 || got[0].Kind != "correction" || !strings.Contains(got[0].Chosen[0], "keep the data folder") {
		t.Errorf("got %+v", got)
	}
}

// TestFailures_LastStandFirst holds that what failed last is listed whatever
// became of it, until the same call works.
func TestFailures_LastStandFirst(t *testing.T) {
	s := session().User("make the release work")
	s.Shell("make release", 2, "error: no key")
	s.Shell("npx tsc --noEmit 2>&1 | tail -5", 0, "src/cart.ts(3,1): error TS2304: Cannot find name 'total'.")
	s.Shell("gh run view 7 --log | rg panic", 1, "")
	s.Shell("rg total src", 1, "")
	s.Shell("make docs", 2, "error: no pandoc").Shell("make docs", 0, "done")
	for range 8 {
		s.User("and the next file, please, with its test in the same folder").Edit(root+"/cart.go").Shell("git commit -am next", 0, "[main 1a2b3c4] next")
	}
	var got []string
	for _, f := range fold(s).Failures {
		got = append(got, f.Ended+" "+f.What)
	}
	want := []string{"harmless gh run view 7 --log | rg panic", "abandoned at the last commit npx tsc --noEmit 2>&1 | tail -5", "abandoned make release", "solved make docs"}
	if !slices.Equal(got, want) {
		t.Errorf("failures\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestFailures_SlipsThatAreOverAreNotListed holds that an edit that missed and was done again is
// listed only while it is among the last failures.
func TestFailures_SlipsThatAreOverAreNotListed(t *testing.T) {
	miss := transcript.CallInfo{Name: "Edit", Meaning: transcript.Edit, Paths: []string{root + "/cart.go"}}
	s := session().User("make the release work").Call(miss).Result(transcript.ResultInfo{Failed: true, Text: "String to replace not found in file."}).Edit(root + "/cart.go")
	if got := fold(s).Failures; len(got) != 0 && got[0].Ended != "solved" {
		t.Errorf("got %+v", got)
	}
	for _, target := range []string{"a", "b", "c"} {
		s.Shell("make "+target, 2, "error: no key")
	}
	for _, f := range fold(s).Failures {
		if strings.HasPrefix(f.What, "Edit") {
			t.Errorf("listed: %+v", f)
		}
	}
}

// TestFailures_AnotherDeedIsNoRemedy holds that what was got past is not told with a command
// that did something else.
func TestFailures_AnotherDeedIsNoRemedy(t *testing.T) {
	for other, ended := range map[string]string{
		"git submodule status":                 "abandoned",
		"git submodule update --init till":     "abandoned",
		"git submodule update --init ./lib":    "abandoned",
		"git submodule update --init --remote": "worked around",
		"git submodule update --force lib":     "worked around",
	} {
		s := session().User("look at the tests").Shell("git submodule update --init lib", 128, "fatal: no such revision").Shell(other, 0, "done")
		got := fold(s).Failures
		if len(got) != 1 || got[0].Ended != ended || (got[0].Solved == other) != (ended == "worked around") {
			t.Errorf("%s: got %+v", other, got)
		}
	}
	s := session().User("look at the tests").Shell("till open 7", 1, "error: locked").Shell("till list", 0, "7").Shell("till open 7 --force", 0, "open")
	if got := fold(session().User("look").Shell("go get till@v0.6.1", 1, "go: unknown revision").Shell("go get till@v0.6.0", 0, "")).Failures; len(got) != 1 || got[0].Ended != "worked around" {
		t.Errorf("another version: %+v", got)
	}
	if got := fold(s).Failures; len(got) != 1 || got[0].Solved != "till open 7 --force" {
		t.Errorf("another deed before it: %+v", got)
	}
}

// TestFailures_ACompilerNamesNoTest holds that what does not compile and a test that fails in one
// run are not told as one.
func TestFailures_ACompilerNamesNoTest(t *testing.T) {
	s := session().User("make the tests pass").Shell("go test ./...", 1, "--- FAIL: FuzzConfig (0.01s)\n# shop/server\nserver/server.go:448:25: method handleHealth already declared\nFAIL\tshop/server [build failed]\nFAIL")
	got := fold(s).Failures
	if len(got) != 1 || strings.Contains(got[0].Why, "FuzzConfig") || !strings.Contains(got[0].Why, "server.go:448:25") || !slices.Contains(got[0].Also, "FuzzConfig") {
		t.Errorf("got %+v", got)
	}
}

// TestLimits_APortIsFreeOnceSomethingWasKilled holds that what held it is gone then.
func TestLimits_APortIsFreeOnceSomethingWasKilled(t *testing.T) {
	s := session().User("start the shop").Shell("./shop serve", 1, "Error: Address already in use (os error 48)")
	if got := fold(s).Limits; len(got) != 1 {
		t.Errorf("got %+v", got)
	}
	s.Shell("lsof -ti:3000 | xargs kill -9; pkill shop", 0, "")
	if got := fold(s).Limits; len(got) != 0 {
		t.Errorf("after the kill: %+v", got)
	}
}

// One limit of the environment is one failure, whatever was to be looked for.
func TestFailures_OneLimitOfAToolIsToldOnce(t *testing.T) {
	s := session().User("find the parser")
	for _, pattern := range []string{"parse", "ParseDate", "parser.go"} {
		s.Call(transcript.CallInfo{Name: "Grep", Meaning: transcript.Search, Detail: pattern}).
			Result(transcript.ResultInfo{Failed: true, Text: "ENOENT: no such file or directory, posix_spawn '/opt/agent/rg'"})
	}
	if got := fold(s).Failures; len(got) != 1 || got[0].Count != 3 {
		t.Errorf("got %+v", got)
	}
}

// A linter that shows the code it complains of is told by its complaint.
func TestFailures_ALinterIsToldByItsComplaint(t *testing.T) {
	f := fold(session().User("Fix the linter").Edit(root+"/hooks_test.go").Shell("mise run lint", 1,
		"[lint] $ golangci-lint run ./...\nhooks_test.go:328: 328-354 lines are duplicate of `hooks_test.go:404-431` (dupl)\n\tif err != nil {\n\t\tt.Fatalf(\"Install() error = %v\", err)\n2 issues:\n[lint] ERROR task failed"))
	if len(f.Failures) != 1 || !strings.Contains(f.Failures[0].Why, "lines are duplicate of") {
		t.Errorf("failures: %+v", f.Failures)
	}
}

// A linter that shows the code behind its rule is told by the rule and the place.
func TestFailures_ALinterIsToldByItsRule(t *testing.T) {
	out := "F401 [*] `typing.Optional` imported but unused\n --> shop/models.py:3:20\n  |\n3 | from typing import Any, Optional\n  |\nFound 8 errors (7 fixed, 1 remaining)."
	s := session().User("write the models of the shop").Write(root+"/shop/models.py").Shell("uv run ruff check shop/models.py --fix", 1, out)
	got := fold(s).Failures
	if want := "shop/models.py:3:20 F401 [*] `typing.Optional` imported but unused"; len(got) != 1 || got[0].Why != want {
		t.Errorf("got %+v", got)
	}
}

// What a linter finds in files that nobody changed is not for this work to mend; what a
// compiler finds may be.
func TestNext_ALinterOverOtherFilesIsNotNext(t *testing.T) {
	for command, next := range map[string]string{"pnpm exec prettier --check .": "Run the checks over the uncommitted changes", "go vet ./...": "Make this pass"} {
		s := session().User("add the magnet to the library").Write(root+"/magnet.tsx").
			Shell(command, 1, "(node:7) Warning: no module type\nReparsing as ES module because module syntax was detected.\ndocs/link.mdx:3:1 wrong\ndocs/theme.mdx:9:2 wrong").
			Agent("The magnet is there. The two files that are still wrong were before.")
		got := fold(s)
		if got.Next == nil || !strings.HasPrefix(got.Next.Text, next) || len(got.Failures) != 1 || !strings.HasPrefix(got.Failures[0].Why, "docs/link.mdx") {
			t.Errorf("%s: %+v, %+v", command, got.Next, got.Failures)
		}
	}
}

// A missing program is worked around by another one that is given the same, though its end
// is not seen.
func TestFailures_AnotherProgramIsGivenTheSame(t *testing.T) {
	s := session().User("look at the failing checks").Shell("python tools/checks.py --json", 127, "zsh:1: command not found: python").
		Shell("python3 tools/checks.py --json", 0, "Command running in background with ID: b1")
	got := fold(s).Failures
	if len(got) != 1 || got[0].Ended != "worked around" || !strings.Contains(got[0].Solved, "python3") {
		t.Errorf("got %+v", got)
	}
}

// TestFailures_NameWhatElseTheRunNames holds that a failing check is listed with the other
// tests or files that it names, and with how many failed where its runner counts them.
func TestFailures_NameWhatElseTheRunNames(t *testing.T) {
	for command, tt := range map[string]struct {
		output, why string
		also        []string
	}{
		"go test ./...": {"--- FAIL: TestTotal (0.00s)\n--- FAIL: TestTax (0.00s)\nFAIL\tshop/cart\t0.1s", "TestTotal", []string{"TestTax"}},
		"go build ./...": {
			"# shop/cart\ncart/cart.go:3:2: undefined: total\ncart/cart.go:9:2: undefined: tax\n# shop/till\ntill/till.go:5:1: undefined: drawer",
			"cart/cart.go:3:2: undefined: total",
			[]string{"till/till.go"},
		},
		"npx vitest run": {
			"stderr | cart.test.ts > total > tells of what is wrong\nWarning: Failed to read prices.json\n Test Files  2 failed | 9 passed (11)\n      Tests  3 failed | 40 passed (43)",
			"Tests 3 failed | 40 passed (43)", nil,
		},
		"cargo build": {"error: linker `cc` not found", "linker", nil},
	} {
		got := fold(session().User("Mend the till").Edit(root+"/till/till.go").Shell(command, 1, tt.output)).Failures
		if len(got) != 1 || !strings.Contains(got[0].Why, tt.why) || !slices.Equal(got[0].Also, tt.also) {
			t.Errorf("%s: %+v", command, got)
		}
	}
}

// TestFailures_ACommitPastItsHooksSolvesNothing holds that what a hook found stays open when
// the commit is made without it, until one goes through.
func TestFailures_ACommitPastItsHooksSolvesNothing(t *testing.T) {
	s := session().User("Commit it").Edit(root+"/cart.go").Shell("git commit -am 'Mend the total'", 1, "FAIL cart.test.ts > total\nAssertionError: expected 3 to be 4").
		Shell("git commit --no-verify -am 'Mend the total'", 0, "[main abc1234] Mend the total\n 1 file changed")
	f := fold(s)
	if len(f.Failures) != 1 || f.Failures[0].Ended != "" || !strings.HasPrefix(f.Failures[0].Why, "committed past it with --no-verify; ") {
		t.Errorf("failures %+v", f.Failures)
	}
	if f = fold(s.Shell("git commit -am 'Mend the total'", 0, "[main abc1235] Mend the total\n 1 file changed")); len(f.Failures) > 0 && f.Failures[0].Ended == "" {
		t.Errorf("still open: %+v", f.Failures)
	}
}

// TestFailures_ACheckThatPassesAfterAnEditIsSolved holds that where the code was changed in
// between, a wider check that passes has not worked around the failure of another one.
func TestFailures_ACheckThatPassesAfterAnEditIsSolved(t *testing.T) {
	const failing = "--- FAIL: TestTotal (0.00s)\nFAIL\tshop/cart\t0.1s"
	s := session().User("Mend the total").Shell("go test ./cart", 1, failing).Edit(root+"/cart/cart.go").Shell("go test ./...", 0, "ok  \tshop/cart\t0.1s")
	if got := fold(s).Failures; len(got) != 1 || got[0].Ended != "solved" || got[0].Solved != "" {
		t.Errorf("after an edit: %+v", got)
	}
}

// TestFailures_HelpMakesNothingGood holds that a program which tells of itself has done nothing of what
// failed, and that the heading a script prints is no reason.
func TestFailures_HelpMakesNothingGood(t *testing.T) {
	s := session().User("Fetch the shop").Shell("shopctl repo clone shop", 1, "=== 1. Fetch ===\nPASS: 3  FAIL: 1").Shell("shopctl repo clone --help", 0, "usage: shopctl repo clone NAME")
	if f := fold(s).Failures; len(f) != 1 || f[0].Ended != "" || f[0].Why != "PASS: 3 FAIL: 1" {
		t.Errorf("failures %+v", f)
	}
}

// TestFailures_AServerThatRunsNow holds that a program which found its port taken has not failed once
// it was started again in the background.
func TestFailures_AServerThatRunsNow(t *testing.T) {
	s := session().User("Serve the shop").Shell("./shop serve", 1, "Error: address already in use").Shell("kill -9 77", 0, "").
		Shell("./shop serve 2>&1 &", 0, "Command running in background with ID: bash_6")
	if f := fold(s).Failures; len(f) > 0 && f[0].Ended == "" {
		t.Errorf("failures %+v", f)
	}
}

// A line of PowerShell that sets a variable, or only prints a text, does nothing that another one could make good.
func TestFailures_SettingAVariableIsNoRemedy(t *testing.T) {
	s := session().User("clone the mirror").Shell(`$env:Path += ";C:\shop\bin"; shop clone prices`, 1, "fatal: authentication failed").
		Shell(`$env:Path += ";C:\shop\bin"; "=== status ==="; gitk status`, 0, "logged in")
	failed := fold(s).Failures
	if len(failed) != 1 || failed[0].Solved != "" || failed[0].Ended == "worked around" {
		t.Errorf("got %+v", failed)
	}
}
