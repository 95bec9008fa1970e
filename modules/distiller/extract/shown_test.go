package extract_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller/internal/script"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// TestOutcome_WhatTheUserBroughtBack holds that an error which the person pastes with the next
// request came of what was changed for the one before.
func TestOutcome_WhatTheUserBroughtBack(t *testing.T) {
	for name, c := range map[string]struct{ next, want string }{
		"a traceback": {
			"Traceback (most recent call last):\n  File \"/shop/db.py\", line 4, in <module>\n    import sqlite4\nModuleNotFoundError: No module named 'sqlite4'",
			"not checked, then the user showed `ModuleNotFoundError: No module named 'sqlite4'`",
		},
		"a report of tests": {"The tests fail still: FAILED tests/test_db.py::test_open - assert 1 == 2\nFAILED tests/test_db.py::test_close - assert False\n2 failed, 4 passed in 0.3s", "then the user showed `FAILED tests/test_db.py::test_close"},
		"nothing of it":     {"Now close it when the reader ends", "not checked"},
	} {
		s := session().User("Open the shop's database by its address").Edit(root + "/db.py").Agent("The reader takes addresses now.")
		got := fold(s.User(c.next).Edit(root + "/db.py").Agent("Done.")).Requests[0].Outcome
		if !strings.Contains(got, c.want) || c.want == "not checked" && strings.Contains(got, "showed") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestTask_WhatTheUserRanHimself holds that a session which begins with a command of the person's
// is about that command, once the agent goes into it.
func TestTask_WhatTheUserRanHimself(t *testing.T) {
	s := session().Call(transcript.CallInfo{Name: "!", Meaning: transcript.Shell, Command: "sh install.sh"})
	s.Events[len(s.Events)-1].Origin = transcript.Typed
	s.Result(transcript.ResultInfo{Text: "install.sh does not know this system", Failed: true})
	if f := fold(s); f.Task != nil {
		t.Errorf("before the agent said anything: %q", f.Task.Text)
	}
	f := fold(s.Shell("curl -sO https://shop.test/shop.zip && unzip shop.zip", 0, "inflating: shop").Agent("It is installed by hand."))
	if f.Task == nil || f.Task.Text != "see what came of `sh install.sh`, which the user ran" {
		t.Errorf("task: %+v", f.Task)
	}
}

// TestVerify_NoRepository holds that nothing is called uncommitted where no repository was seen.
func TestVerify_NoRepository(t *testing.T) {
	s := session().User("Write the shop").Edit(root + "/cart.go")
	for i := range s.Events {
		if s.Events[i].WorkDir != nil {
			s.Events[i].WorkDir.Branch, s.Events[i].WorkDir.Head = "HEAD", "" // as Claude Code writes outside of one
		}
	}
	if f := fold(s); !tells(f.Verify, "1 file changed here (cart.go); no repository was seen") || tells(f.Verify, "git status") {
		t.Errorf("verify %+v", f.Verify)
	}
	if f := fold(s.Shell("git status --short", 0, " M cart.go")); !tells(f.Verify, "uncommitted: 1 file") {
		t.Errorf("after git answered: %+v", f.Verify)
	}
}

// TestTurn_SinceCountsTheAgentsCalls holds that a hook's run is no call of the agent, and that a
// check which is shown is shown with its result.
func TestTurn_SinceCountsTheAgentsCalls(t *testing.T) {
	s := session().User("Write the shop").Agent("First the cart:")
	for _, file := range []string{"cart.go", "total.go", "price.go", "tax.go", "order.go"} {
		s.Edit(root+"/"+file).Shell("golangci-lint run --config tools/lint/strict.yaml --timeout 5m internal/pkg/shop/"+file, 0, "0 issues.")
		s.Call(transcript.CallInfo{ID: transcript.HookCallID(file), Name: "Bash", Meaning: transcript.Shell, Command: "hooks/lint.sh"}).Result(transcript.ResultInfo{CallID: transcript.HookCallID(file), Text: "ok"})
	}
	since := fold(s).Turn.Since
	if !strings.HasPrefix(since, "10 calls since the last words") || len(since) > 240 || !strings.HasSuffix(since, "passed") {
		t.Errorf("since: %q", since)
	}
}

// TestOutcome_EntriesThatAreNotShown holds that a list of which some entries have no room says how
// many, and that what the agent closed with stands after thanks.
func TestOutcome_EntriesThatAreNotShown(t *testing.T) {
	long := strings.Repeat("and the reader takes one more form of the price ", 5)
	var list strings.Builder
	for range 14 {
		list.WriteString("\n- The cart, " + long + "in `cart.go`.")
	}
	texts := func(s *script.Session) string {
		var all []string
		for _, c := range fold(s).Requests[0].Concluded {
			all = append(all, c.Text)
		}
		return strings.Join(all, "\n")
	}
	if got := texts(session().User("What takes prices?").Read(root + "/cart.go").Agent("These take prices:" + list.String())); !strings.HasSuffix(got, "more)") {
		t.Errorf("of a long list:\n%s", got)
	}
	s := session().User("What takes prices?").Read(root + "/cart.go").Agent("These do:\n- The cart\n- The order, which is empty yet\n- The bill")
	if got := texts(s.User("thank you").Agent("You're welcome! The list of what takes prices is ready for the next one to use.")); !strings.Contains(got, "empty yet") || strings.Contains(got, "more)") {
		t.Errorf("after thanks:\n%s", got)
	}
}

// TestTurn_AReportThatIsHandedIn holds that a call of no known kind after the end of a turn leaves
// the request answered: a tool of the program hands its report in.
func TestTurn_AReportThatIsHandedIn(t *testing.T) {
	s := session().User("Take stock of the shop").Read(root + "/cart.go").Agent("The shop has a cart and no orders.").Event(transcript.Event{Kind: transcript.Turn, Text: transcript.TurnCompleted}).
		Call(transcript.CallInfo{Name: "yield", Meaning: transcript.Other}).Result(transcript.ResultInfo{Text: "Result submitted."})
	if f := fold(s); f.Requests[0].Outcome != "answered" || !strings.Contains(f.Turn.Text, "the agent has answered") {
		t.Errorf("%q, %+v", f.Requests[0].Outcome, f.Turn)
	}
}

// TestLimits_WhatAGuardWanted holds that a call which a guard refused is shown with the program that
// was given the same instead, and worked.
func TestLimits_WhatAGuardWanted(t *testing.T) {
	s := session().User("What does the form say?").Call(transcript.CallInfo{Name: "WebFetch", Meaning: transcript.Fetch, Detail: "https://shop.test/form"}).
		Result(transcript.ResultInfo{Failed: true, Outcome: transcript.Blocked, Text: "hook error: [fetch.sh]: Use clean text: reader 'https://shop.test/form'"}).
		Shell("reader 'https://shop.test/form' | head -60", 0, "The form asks for a name.")
	if f := fold(s); !tells(f.Limits, "`reader` works in its place") {
		t.Errorf("limits %+v", f.Limits)
	}
}

// TestTurn_AnswersWordedAsQuestions holds that the entries below the question that ends a reply are
// what it leaves to choose from, and no questions of their own.
func TestTurn_AnswersWordedAsQuestions(t *testing.T) {
	f := fold(session().User("Comment on the rules of the shop").
		Agent("What kind of comments do you want on `RULES.md`? For example, are you looking for:\n- Suggestions for new rules?\n- Feedback on the rules there are?\n- Corrections of the wording?"))
	if f.Turn.Asked == nil || len(f.Turn.Asked.Options) != 3 || len(f.Questions) != 0 {
		t.Errorf("asked %+v, questions %+v", f.Turn.Asked, f.Questions)
	}
}

// TestFailures_ALinterIsPassedFileByFile holds that what a linter found in several files is left in
// those that it has not accepted since, and that it found it once, with --fix and without.
func TestFailures_ALinterIsPassedFileByFile(t *testing.T) {
	found := "src/cart.py:3:1 E501 line too long\nsrc/total.py:4:1 E501 line too long\nFound 2 errors."
	s := session().User("Write the shop").Edit(root+"/src/cart.py").Edit(root+"/src/total.py").
		Shell("ruff check src", 1, found).Shell("ruff check --fix src", 1, found).Edit(root+"/src/cart.py").Shell("ruff check src/cart.py", 0, "All checks passed!")
	if f := fold(s).Failures; len(f) != 1 || f[0].Count != 2 || f[0].Why != "still in src/total.py" {
		t.Errorf("failures %+v", f)
	}
}

// TestVerify_WhatACommitSweptUp holds that files which a commit of everything added, and which nobody
// here had made, are named; those that were staged by name are known.
func TestVerify_WhatACommitSweptUp(t *testing.T) {
	committed := "[main abc1234] Write the cart\n 2 files changed, 900 insertions(+)\n create mode 100644 cart.go\n create mode 100644 logs/stop.json"
	for add, want := range map[string]bool{"git add -A": true, "git add cart.go logs": false} {
		s := session().User("Write the cart").Write(root+"/cart.go").Shell(add+" && git commit -m 'Write the cart'", 0, committed).Agent("Committed.")
		if f := fold(s); tells(f.Verify, "commit abc1234 also added what no edit here had made: logs/stop.json") != want {
			t.Errorf("%s: %+v", add, f.Verify)
		}
	}
}

// TestProgress_AListThatCommitsHavePassed holds that steps which nobody ticked off over two commits are
// shown as listed some time ago, and not as what is being done.
func TestProgress_AListThatCommitsHavePassed(t *testing.T) {
	s := session().User("Write the shop, a commit for each step").Todo(transcript.Item{Text: "Write the cart", State: "doing"}, transcript.Item{Text: "Write the bill", State: "pending"})
	for i, file := range []string{"cart.go", "bill.go"} {
		s.Edit(root+"/"+file).Shell("git commit -am 'Write "+file+"'", 0, "[main abc123"+string(rune('4'+i))+"] Write "+file+"\n 1 file changed")
		late := 0
		for _, p := range fold(s).Progress {
			if p.Outdated > 0 {
				late++
			}
		}
		if want := 2 * i; late != want {
			t.Errorf("after %d commits %d of the steps are shown as outdated, want %d", i+1, late, want)
		}
	}
}

// TestVerify_AStatusAmongOtherOutput holds that of a call which printed more than git's status only the
// lines of that are read.
func TestVerify_AStatusAmongOtherOutput(t *testing.T) {
	s := session().User("Why does the shop fail?").
		Shell("nl -ba cart.go | sed -n 3,5p && git status --short && git log -1 --oneline", 0, "     3\t}\n     4\tEOF\n     5\t  M x\n M bill.go\n?? notes/\nabc1234 Write the cart")
	if f := fold(s); !tells(f.Verify, "git status also listed what was not changed here: bill.go, notes/") {
		t.Errorf("verify %+v", f.Verify)
	}
}

// TestWorks_ACommandWithItsFolder holds that a command which ran in a folder of the project that an
// earlier call went to is shown with it.
func TestWorks_ACommandWithItsFolder(t *testing.T) {
	s := session().User("Check the shop").Call(transcript.CallInfo{Name: "Bash", Meaning: transcript.Shell, Command: "ruff check cart.py", Cwd: root + "/web"}).Result(transcript.ResultInfo{Text: "All checks passed!"})
	if f := fold(s); len(f.Works) != 1 || f.Works[0].Command != "cd web && ruff check cart.py" {
		t.Errorf("works %+v", f.Works)
	}
}

// TestLimits_AnotherFormWorks holds that a program which runs in another form is not said to be
// missing, and that the form keeps its quotes.
func TestLimits_AnotherFormWorks(t *testing.T) {
	s := session().User("Test the shop").Shell("bats test/cart.bats", 127, "zsh:1: command not found: bats").
		Shell("for i in 1 2; do mise exec -- bats --filter 'an empty cart' test/cart.bats || exit; done", 0, "1..1\nok 1 an empty cart")
	f := fold(s)
	if tells(f.Limits, "is not installed") || !tells(f.Constraints, "`mise exec -- bats --filter 'an empty cart' test/cart.bats`") {
		t.Errorf("limits %+v, constraints %+v", f.Limits, f.Constraints)
	}
}
