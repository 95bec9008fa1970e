package extract_test

import (
	"strings"
	"testing"

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
			s.Events[i].WorkDir.Branch, s.Events[i].WorkDir.Head = "", ""
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
