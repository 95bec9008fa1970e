package extract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/internal/script"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func TestOutcome_IsToldByEvidence(t *testing.T) {
	commit := "[main abc1234] stream rows\n 1 file changed"
	for name, tt := range map[string]struct {
		session  func(*script.Session)
		outcome  string
		evidence distiller.Evidence
	}{
		"nothing": {func(*script.Session) {}, "nothing done yet", distiller.Proved},
		"an answer": {func(s *script.Session) {
			s.Agent("The writer flushes after every row.")
		}, "answered", distiller.Said},
		"an answer with code": {func(s *script.Session) {
			s.Agent("The writer flushes after every row. It should not:\n```go\nfor _, row := range rows {\n\tw.write(row)\n}\nreturn w.flush()\n```")
		}, "answered with code, not put into a file here", distiller.Proved},
		"an answer with a call": {func(s *script.Session) {
			s.Agent("Call it so:\n```go\nw.Flush()\n```")
		}, "answered", distiller.Said},
		"looked around": {func(s *script.Session) {
			s.Read(root + "/writer.go")
		}, "looked into, nothing changed yet", distiller.Said},
		"an edit": {func(s *script.Session) {
			s.Edit(root + "/writer.go").Agent("Done.")
		}, "changed 1 file, not checked", distiller.Proved},
		"files written in a folder gone to": {func(s *script.Session) {
			s.Shell("cd web && echo a > a.txt", 0, "").Shell("echo b > web/a.txt", 0, "").Shell("cd /home/ada/notes && echo c > c.txt", 0, "").Shell("cd ~/notes && echo d > d.txt", 0, "").Agent("Done.")
		}, "changed 1 file", distiller.Proved},
		"files written elsewhere": {func(s *script.Session) {
			s.Shell("cd /home/ada/notes && echo c > c.txt", 0, "").Shell("cd ~/notes && echo d > d.txt", 0, "").Shell("cd /tmp/try && echo e > e.txt", 0, "").Agent("Done.")
		}, "wrote 2 files outside the project", distiller.Proved},
		"a check that passed": {func(s *script.Session) {
			s.Edit(root+"/writer.go").Shell("go test ./...", 0, "ok  \tshop\t0.1s").Agent("Done.")
		}, "changed 1 file, tests passed", distiller.Proved},
		"a check that failed": {func(s *script.Session) {
			s.Edit(root+"/writer.go").Shell("go test ./... | tail -1", 0, "FAIL\tshop\t0.1s").Agent("All tests pass.")
		}, "changed 1 file, tests failed last", distiller.Proved},
		"a check that the environment keeps from running": {func(s *script.Session) {
			s.Edit(root+"/writer.go").Shell("cargo test", 101, "error: failed to download\nCould not resolve host: crates.example").Agent("It needs the network.")
		}, "changed 1 file, tests could not run here", distiller.Proved},
		"a build beside it": {func(s *script.Session) {
			s.Edit(root+"/writer.go").Shell("go build ./...", 0, "").Shell("bats test", 127, "zsh: command not found: bats").Agent("No bats.")
		}, "changed 1 file, build passed, tests could not run here", distiller.Proved},
		"a test run that does not begin": {func(s *script.Session) {
			s.Edit(root+"/writer.go").Shell("cargo test rows totals", 1, "error: unexpected argument 'totals' found\n\nUsage: cargo test [OPTIONS] [TESTNAME]").Agent("One at a time.")
		}, "changed 1 file, the test run failed before any result", distiller.Proved},
		"a text for people behind the check": {func(s *script.Session) {
			s.Edit(root+"/writer.go").Shell("go test ./...", 0, "ok  \tshop\t0.1s").Edit(root + "/STATUS.md").Agent("Done.")
		}, "changed 2 files, tests passed", distiller.Proved},
		"a text for people": {func(s *script.Session) {
			s.Edit(root + "/STATUS.md").Agent("Done.")
		}, "changed 1 file", distiller.Proved},
		"a lint is no test": {func(s *script.Session) {
			s.Edit(root+"/writer.go").Shell("golangci-lint run", 0, "0 issues.").Agent("Done.")
		}, "changed 1 file, lint passed, no test ran", distiller.Proved},
		"checked and changed again": {func(s *script.Session) {
			s.Edit(root+"/writer.go").Shell("go test ./...", 0, "ok  \tshop\t0.1s").Edit(root + "/writer.go").Agent("Done.")
		}, "changed 1 file, not checked since the last edit", distiller.Proved},
		"some of the tests that failed": {func(s *script.Session) {
			s.Edit(root+"/writer.go").Shell("go test ./...", 1, "--- FAIL: TestRows\n--- FAIL: TestFlush\nFAIL\tshop\t0.1s").Shell("go test -run TestRows ./...", 0, "ok  \tshop\t0.1s").Agent("Done.")
		}, "changed 1 file, a check still fails", distiller.Proved},
		"the version of a compiler": {func(s *script.Session) {
			s.Edit(root+"/writer.go").Shell("rustc --version", 0, "rustc 1.93.0").Agent("Done.")
		}, "changed 1 file, not checked", distiller.Proved},
		"a commit": {func(s *script.Session) {
			s.Edit(root+"/writer.go").Shell("git commit -m 'stream rows'", 0, commit).Agent("Committed.")
		}, "committed abc1234, changed 1 file, not checked", distiller.Proved},
		"a push": {func(s *script.Session) {
			s.Edit(root+"/writer.go").Shell("git commit -m x", 0, commit).Shell("git push", 0, "main -> main").Agent("Pushed.")
		}, "committed abc1234, pushed, changed 1 file, not checked", distiller.Proved},
		"a question": {func(s *script.Session) {
			s.Read(root + "/writer.go").Agent("Shall the writer keep its buffer of four kilobytes?")
		}, "waits for the user", distiller.Proved},
		"an issue, closed and a pull request, opened": {func(s *script.Session) {
			s.Shell("gh issue close 34 --comment 'rows are streamed'", 0, "✓ Closed issue").Shell("gh issue close -R shop/shop 35", 0, "").
				Shell("gh pr create --fill", 0, "https://github.com/shop/shop/pull/41").Agent("Both are closed.")
		}, "closed an issue #34, #35, opened a pull request #41", distiller.Proved},
		"announced, in the middle of it": {func(s *script.Session) {
			s.Agent("Good point. Let me look at the writer first:")
		}, "begun", distiller.Said},
		"an interruption": {func(s *script.Session) {
			s.Read(root + "/writer.go").Ends(transcript.TurnInterrupted)
		}, "interrupted", distiller.Proved},
		"an edit that failed": {func(s *script.Session) {
			s.Call(transcript.CallInfo{Name: "Edit", Meaning: transcript.Edit, Paths: []string{root + "/writer.go"}}).Result(transcript.ResultInfo{Failed: true, Text: "not found"}).Agent("It did not apply.")
		}, "answered", distiller.Said},
	} {
		t.Run(name, func(t *testing.T) {
			s := session().User("make the export of orders stream its rows")
			tt.session(s)
			list := fold(s).Requests
			if len(list) != 1 || list[0].Outcome != tt.outcome || list[0].Evidence != tt.evidence {
				t.Errorf("got %+v, want %s (%s)", list, tt.outcome, tt.evidence)
			}
		})
	}
}

func TestOutcome_ConcludesWithWhatTheReplyFound(t *testing.T) {
	s := session().User("find out why the export of orders is slow").Read(root + "/export/writer.go").
		Agent("I'll look at the writer first.").Read(root + "/export/flush.go").
		Agent("**The root cause is `Flush`, which `export/writer.go` calls after every row.**\n\nEverything else is fast.\n\nWould you like a fix?")
	list := fold(s).Requests
	if len(list) != 1 {
		t.Fatalf("got %+v", list)
	}
	var said []string
	for _, c := range list[0].Concluded {
		said = append(said, c.Text)
	}
	all := strings.Join(said, "\n")
	if !strings.Contains(all, "root cause is `Flush`") || strings.Contains(all, "I'll look") || strings.Contains(all, "Would you like") {
		t.Errorf("concluded: %s", all)
	}
}

func TestOutcome_ConcludesWithoutWordsByPlaceAndNames(t *testing.T) {
	s := session().User("找出导出慢的原因").Read(root + "/export/writer.go").
		Agent("**`export/writer.go` 每写一行就调用 `Flush`，导出因此很慢。**\n\n其他部分很快。")
	list := fold(s).Requests
	if len(list) != 1 || len(list[0].Concluded) == 0 || !strings.Contains(list[0].Concluded[0].Text, "Flush") {
		t.Errorf("got %+v", list)
	}
}

// What the closing reply concludes stands last, behind what was said on the way to it, which is
// left out where the reply says enough.
func TestOutcome_EndsWithTheClosingReply(t *testing.T) {
	s := session().User("find out why the export of orders is slow").
		Agent("The cause may be `Read` in `export/reader.go`, which reads every order twice.").Read(root + "/export/reader.go").
		Agent("**The root cause is `Flush`, which `export/writer.go` calls after every row.**\n\nThe orders are read once.")
	said := fold(s).Requests[0].Concluded
	if len(said) != 3 || !strings.Contains(said[0].Text, "reads every order twice") || !strings.Contains(said[1].Text, "root cause is `Flush`") {
		t.Errorf("concluded: %+v", said)
	}
	s.Read(root + "/export/writer.go").Agent("- `Flush` is called once now, in `export/writer.go`\n- `export/reader.go` is as it was\n- `export_test.go` counts the calls")
	if said = fold(s).Requests[0].Concluded; len(said) != 3 || !strings.Contains(said[0].Text, "called once now") {
		t.Errorf("concluded by a report: %+v", said)
	}
}

// A finding begins with its grade or its place, as lines of a log do: in a list it is told.
func TestOutcome_TellsFindings(t *testing.T) {
	for _, entry := range []string{"[P1] Format the tests — the lint step fails on them", "cart/total.go:49 — the total is rounded twice"} {
		s := session().User("review the change").Read(root + "/cart.go").Agent("- " + entry + "\n- overall correctness: patch is incorrect")
		if said := fold(s).Requests[0].Concluded; len(said) != 2 || said[0].Text != entry {
			t.Errorf("concluded: %+v", said)
		}
	}
}

// A check belongs to the request it was called for, though the person spoke before it ended.
func TestOutcome_ACheckThatEndsBehindThePromptIsOfTheRequestBefore(t *testing.T) {
	s := session().User("raise the version of go").Edit(root+"/go.mod").
		Call(transcript.CallInfo{Name: "Bash", Meaning: transcript.Shell, Command: "go build ./..."}).
		Prompt(transcript.Queued, "can you also look at the version of the linter?").Result(transcript.ResultInfo{Text: "(Bash completed with no output)"}).
		Agent("The build succeeds. The linter is the newest.")
	f := fold(s)
	if got := f.Requests[0].Outcome; got != "changed 1 file, build passed, no test ran" {
		t.Errorf("outcome: %s", got)
	}
}

// An entry that leads to code is shown with what stands behind it.
func TestConcluded_AnEntryThatLeadsToCode(t *testing.T) {
	reply := "Two observations:\n\n1. `extract` swallows errors in silence (explain.go:467):\n   ```go\n   log(err)\n   return nil\n   ```\n   That is acceptable for display.\n\n2. The message could be clearer (explain.go:273):\n   ```go\n   err := find()\n   return err\n   ```\n   A person does not know what is scoped.\n\n3. The names are fine."
	said := fmt.Sprintf("%+v", fold(session().User("review the change of the explainer").Read(root + "/explain.go").Agent(reply)).Requests[0].Concluded)
	for _, want := range []string{"in silence (explain.go:467): That is acceptable for display.", "clearer (explain.go:273): A person does not know what is scoped."} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is missing: %s", want, said)
		}
	}
}

// What the first sentence says after an edit stands with what came of the request, though it names
// nothing: it tells how far the work is.
func TestConcluded_WhatIsSaidAfterAnEdit(t *testing.T) {
	s := session().User("raise the version of the till").Read(root+"/till.go").Agent("The file is short and easy to read.").
		Edit(root+"/till.go").Agent("The source default, template, examples and fixture are updated.").Shell("go test ./...", 1, "--- FAIL: TestTill")
	said := fold(s).Requests[0].Concluded
	if !tells(said, "fixture are updated") || tells(said, "easy to read") {
		t.Errorf("concluded: %+v", said)
	}
}

// Where the newest request only commits, all that was concluded of the one before it is listed.
func TestConcluded_BeforeARequestThatOnlyCommits(t *testing.T) {
	report := "The till counts each coin now.\n\n"
	for i := range 9 {
		report += fmt.Sprintf("- `drawer%d.go` counts the coins of drawer %d\n", i, i)
	}
	for prompt, all := range map[string]bool{"commit and push": true, "now count the notes of the till too": false} {
		s := session().User("count the coins of the till by drawers").Edit(root + "/till.go").Agent(report).User(prompt)
		if all {
			s.Shell("git commit -am coins", 0, "[main abc1234] coins\n 1 file changed").Agent("Committed.")
		} else {
			s.Edit(root + "/notes.go").Agent("The notes are counted.")
		}
		if n := len(fold(s).Requests[0].Concluded); (n > 9) != all {
			t.Errorf("%s: %d concluded", prompt, n)
		}
	}
}
