package extract_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// report is as long as what an agent tells at the end of a turn.
var report = "## Done\n\n" + strings.Repeat("- The export streams its rows, and the memory it takes no longer grows with the orders.\n", 9)

// A tool that tells the ends of turns may miss one, as where the program was ended.
func TestTurn_EndsWithAReport(t *testing.T) {
	s := session().User("rename the writer").Edit(root + "/a.go").Agent("Renamed.").Ends(transcript.TurnCompleted).
		User("make the export of orders stream its rows").Edit(root + "/b.go")
	if turn := fold(s.Agent(report)).Turn; turn == nil || turn.Who != "done" {
		t.Errorf("after a report: %+v", turn)
	}
	s.Shell("go vet ./...", 0, "").Agent("The rows are streamed in batches of a thousand.")
	if turn := fold(s).Turn; turn == nil || turn.Who != "agent" {
		t.Errorf("after a remark: %+v", turn)
	}
}

// An interruption is told by tools that tell no other end of a turn.
func TestTurn_OfAToolThatTellsInterruptionsOnly(t *testing.T) {
	s := session().User("rename the writer").Edit(root + "/a.go").Ends(transcript.TurnInterrupted).
		User("make the export of orders stream its rows").Edit(root + "/b.go").Agent("The rows are streamed in batches of a thousand.")
	if turn := fold(s).Turn; turn == nil || turn.Who != "done" {
		t.Errorf("got %+v", turn)
	}
}

// A list that the agent is at is told whole: a check settles one of its entries.
func TestNext_IsTheListTheAgentIsAt(t *testing.T) {
	s := session().User("make the export of orders stream its rows").Edit(root+"/b.go").
		Agent("Handling the remarks of the review:\n\n1. add a test of the empty export\n2. run `gofmt -l`\n3. word the help text anew").
		Shell("gofmt -l .", 0, "")
	next := fold(s).Next
	if next == nil || !strings.Contains(next.Text, "empty export") || !strings.Contains(next.Text, "help text") {
		t.Errorf("got %+v", next)
	}
}

func TestOutcome_NamesWhatIsWrittenElsewhere(t *testing.T) {
	s := session().User("make a program of its own of the export").Write("/home/ada/export/main.go").Write("/home/ada/export/go.mod")
	requests := fold(s).Requests
	if len(requests) == 0 || !strings.Contains(requests[len(requests)-1].Outcome, "wrote 2 files outside the project") {
		t.Errorf("got %+v", requests)
	}
}

// The words of a request that a tool did not write down are the agent's.
func TestConstraints_AreNotTakenFromARestatedRequest(t *testing.T) {
	const said = "I will round the total and must not change the tests."
	s := session().User("rename the writer").Edit(root + "/a.go").User(transcript.Restated + said).Edit(root + "/b.go").
		User("stream the rows of the export of orders to a file that is named on the command line").Edit(root + "/c.go")
	if got := constraints(fold(s)); strings.Contains(got, "must not") {
		t.Errorf("got %s", got)
	}
}

// What was found long ago, and a drawing that was pasted, bind nobody.
func TestConstraints_EndWithTheirRequests(t *testing.T) {
	s := session().User("look at the tests of the export").Agent("The export is missing: `cmd/export` must have `EXPORT_DIR` and fails without it.").
		User("send this: docs/ ├── PLAN.md with 20 MUST criteria")
	if got := constraints(fold(s)); !strings.Contains(got, "EXPORT_DIR") || strings.Contains(got, "MUST") {
		t.Errorf("got %s", got)
	}
	for _, what := range []string{"writer", "reader", "parser", "printer", "loader", "server", "client"} {
		s.User("now rename the methods of the " + what + " to what the guide of the project says").Edit(root + "/" + what + ".go").Agent("Renamed.")
	}
	if got := constraints(fold(s)); strings.Contains(got, "EXPORT_DIR") {
		t.Errorf("after seven requests: %s", got)
	}
}

func constraints(f distiller.Facts) string {
	var all []string
	for _, c := range f.Constraints {
		all = append(all, c.Text)
	}
	return strings.Join(all, "\n")
}

// One check that fails again is one failure, whatever its output is cut down to.
func TestFailures_OfOneCheckAreOne(t *testing.T) {
	s := session().User("make the export of orders stream its rows").Edit(root+"/b.go").
		Shell("go vet ./... 2>&1 | tail -30", 0, "# example.test/shop\nvet: ./b.go:3:5: undefined: rows").
		Shell("go vet ./... 2>&1 | grep rows", 0, "vet: ./b.go:3:5: undefined: rows").
		Shell("GOOS=windows go vet ./... 2>&1 | tail -30", 0, "vet: ./b.go:9:5: undefined: mmap")
	failures := fold(s).Failures
	if len(failures) != 2 || failures[1].Count != 2 && failures[0].Count != 2 {
		t.Errorf("got %+v", failures)
	}
}

// What failed before a report is not next once something else is asked for and begun.
func TestNext_IsNotAFailureFromBeforeTheReport(t *testing.T) {
	s := session().User("make the export of orders stream its rows").Edit(root+"/b.go").
		Shell("go vet ./... 2>&1 | tail -30", 0, "# example.test/shop\nvet: ./b.go:3:5: undefined: rows").
		Agent("The rows are streamed.").User("can you commit?").Shell("git status", 0, "modified: b.go")
	if next := fold(s).Next; next == nil || !strings.Contains(next.Text, "can you commit") {
		t.Errorf("got %+v", next)
	}
}

func TestRequests_DoNotHoldTheWordThatLeaves(t *testing.T) {
	s := session().User("make the export of orders stream its rows").Edit(root + "/b.go").Agent("Done.").User("exit").Agent("Goodbye.")
	if requests := fold(s).Requests; len(requests) != 1 {
		t.Errorf("got %+v", requests)
	}
}

// A tool that makes the edits of a reply, and commits them, ends the turn behind it.
func TestTurn_EndsBehindTheEditsOfTheReply(t *testing.T) {
	s := session().User("make the export of orders stream its rows").Agent("Here are the blocks:").Edit(root + "/b.go").Ends(transcript.TurnCompleted)
	if turn := fold(s).Turn; turn == nil || turn.Who != "done" {
		t.Errorf("after its end: %+v", turn)
	}
	s.Shell("git commit", 0, "[HEAD 1a2b3c4] stream the rows")
	if turn := fold(s).Turn; turn == nil || turn.Who != "done" {
		t.Errorf("after the tool's commit: %+v", turn)
	}
	s.Read(root + "/c.go")
	if turn := fold(s).Turn; turn == nil || turn.Who != "agent" {
		t.Errorf("after another call: %+v", turn)
	}
}

// A program that builds everything has checked everything.
func TestFailures_OfACheckAreMendedByABuild(t *testing.T) {
	s := session().User("make the export of orders stream its rows").Edit(root+"/src/b.rs").
		Shell("cargo check", 101, "error[E0382]: borrow of moved value: `rows`\n --> src/b.rs:3:5").Edit(root+"/src/b.rs").
		Shell("cargo build --release", 0, "    Finished `release` profile [optimized] target(s) in 3.1s")
	for _, f := range fold(s).Failures {
		if f.Ended == "" {
			t.Errorf("open: %+v", f)
		}
	}
}

// A step to commit, push and open a pull request is done when all of that is.
func TestNext_IsNotAStepThatIsDelivered(t *testing.T) {
	s := session().User("make the export of orders stream its rows, then a PR").Edit(root+"/b.go").
		Todo(transcript.Item{Text: "Commit, push and open a PR", State: "doing"}, transcript.Item{Text: "Reply to the discussion", State: "todo"}).
		Shell("git commit -m 'stream the rows'", 0, "[rows 1a2b3c4] stream the rows").Shell("git push", 0, "")
	if next := fold(s).Next; next == nil || !strings.Contains(next.Text, "open a PR") {
		t.Errorf("before it is opened: %+v", next)
	}
	s.Call(transcript.CallInfo{ID: "pr", Name: "mcp__github__create_pull_request", Meaning: transcript.Other}).
		Result(transcript.ResultInfo{CallID: "pr", Text: "https://git.test/shop/pull/7"})
	facts := fold(s)
	if facts.Next == nil || !strings.Contains(facts.Next.Text, "Reply to the discussion") {
		t.Errorf("once it is: %+v", facts.Next)
	}
	if outcome := facts.Requests[len(facts.Requests)-1].Outcome; !strings.Contains(outcome, "opened a pull request #7") {
		t.Errorf("the outcome is %q", outcome)
	}
}

// What heads a list is said where its entries would stand below another one.
func TestOutcome_ListsAreToldApart(t *testing.T) {
	const lead = "To go through all of the modules and their declarations, and to find what is not exported, I still need"
	s := session().User("audit the exports").Read(root + "/package.json").
		Agent("You have added:\n\n- `package.json`\n- `src/cli.ts`\n\n**" + lead + ":**\n\n- `src/index.ts`\n- `src/schemas/all.ts`\n\nThe audit comes behind them.")
	concluded := fold(s).Requests[0].Concluded
	under := map[string]string{}
	for _, c := range concluded {
		under[c.Text] = c.Under
	}
	if under["`src/index.ts`"] != lead || under["`src/schemas/all.ts`"] != lead {
		t.Errorf("got %+v", concluded)
	}
}

// A sentence that names nothing says what the one before it is about: a reply that has room stands whole. What
// the agent is about to do is no part of what it came to.
func TestOutcome_AShortReplyStandsWhole(t *testing.T) {
	const cure = "Separately, writes should go through a temporary file and a rename."
	said := "`cache.Store` truncates the file and writes it without a lock.\n\nTwo runs may read half of it. " + cure
	s := session().User("why is the cache empty now and then?").Read(root + "/cache.go").Agent("Let me look at how it is called.").Agent(said)
	concluded := func(f distiller.Facts) string {
		var all []string
		for _, c := range f.Requests[len(f.Requests)-1].Concluded {
			all = append(all, c.Text)
		}
		return strings.Join(all, " ")
	}
	if got := concluded(fold(s)); !strings.Contains(got, cure) || strings.Contains(got, "Let me look") {
		t.Errorf("a short reply: %s", got)
	}
	long := said + strings.Repeat("\n\nThe loader of `config.Read` takes the path of its file from the environment, and of none where it is unset.", 20)
	if got := concluded(fold(session().User("why is the cache empty now and then?").Read(root + "/cache.go").Agent(long))); strings.Contains(got, cure) {
		t.Errorf("a long reply: %s", got)
	}
}

// A request that only commits leaves room for all of the report before it, however many small sentences its own
// short reply has.
func TestOutcome_AllOfTheReportBeforeACommit(t *testing.T) {
	points := ""
	for _, name := range []string{"reader", "writer", "cart", "till", "stock", "price", "order", "refund"} {
		points += "- `" + name + ".go` checks its input\n"
	}
	s := session().User("check the input everywhere").Edit(root+"/reader.go").Agent("All of them check it now:\n\n"+points).
		User("commit").Shell("git commit -am 'check the input'", 0, "[main abc1234] check the input").Agent("Committed as `abc1234`. The tree is clean. Nothing else was touched. That is all there is.")
	requests := fold(s).Requests
	if n := len(requests[0].Concluded); n < 8 {
		t.Errorf("%d of the report: %+v", n, requests[0].Concluded)
	}
}
