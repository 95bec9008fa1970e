package extract_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/modules/distiller/internal/script"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// long is a session of about n events in which everything happens.
func long(n int) *script.Session {
	s := session()
	for i := 0; len(s.Events) < n; i++ {
		switch i % 12 {
		case 0:
			s.User(fmt.Sprintf("Make step %d of the importer work, never touch vendor/", i))
		case 1:
			s.Agent(fmt.Sprintf("I'll use a queue instead of a loop in src/step%d.go because loops block.\n\n- fixed the parser\n- added tests", i))
		case 2:
			s.Read(fmt.Sprintf("%s/src/step%d.go", root, i%700))
		case 3:
			s.Edit(fmt.Sprintf("%s/src/step%d.go", root, i%900), "Run", "Stop")
		case 4:
			s.Shell("go test ./...", 1, fmt.Sprintf("--- FAIL: TestStep%d (0.00s)\n    step%d_test.go:12: got 1\nFAIL\tshop/src\t0.1s\n", i, i))
		case 5:
			s.Shell("grep -rn Step src", 0, strings.Repeat(fmt.Sprintf("src/deep/file%d.go:12: Step\n", i), 40))
		case 6:
			s.Shell(fmt.Sprintf("tool%d --flag", i), 2, "error: no such flag")
		case 7:
			s.Shell("go test ./...", 0, "ok  \tshop/src\t0.1s\n")
		case 8:
			s.Todo(transcript.Item{Text: "parse", State: "done"}, transcript.Item{Text: fmt.Sprintf("import %d", i), State: "doing"})
		case 9:
			s.Asks(fmt.Sprintf("Which format for step %d?", i), "json", "csv").
				Decides(transcript.Decision{Question: fmt.Sprintf("Which format for step %d?", i), Chosen: []string{"csv"}, Kind: "asked"})
		case 10:
			s.Shell("git commit -am step", 0, fmt.Sprintf("[main abc%04x] step %d\n 1 file changed", i%65536, i))
		case 11:
			s.Agent("Done. See https://git.test/shop/pull/12.\n\nNext steps:\n- document it\n\nShall I go on?").Ends(transcript.TurnCompleted)
		}
	}
	return s
}

func TestAnyBatchingGivesTheSameFacts(t *testing.T) {
	s := long(600)
	want := fold(s)
	random := rand.New(rand.NewPCG(1, 2))
	for range 10 {
		state := extract.New(distiller.Facts{}, extract.Options{Root: root})
		for _, e := range s.Events {
			if !state.Add(e) {
				t.Fatalf("line %d was refused", e.Ref.Line)
			}
			if random.IntN(20) == 0 {
				state.Facts() // looking changes nothing
			}
		}
		if got := state.Facts(); !reflect.DeepEqual(got, want) {
			t.Fatalf("facts differ:\n%+v\n%+v", got, want)
		}
	}
}

func TestFactsDoNotChangeAfterwards(t *testing.T) {
	s := long(900)
	state := extract.New(distiller.Facts{}, extract.Options{Root: root})
	var seen []distiller.Facts
	var said []string
	for i, e := range s.Events {
		state.Add(e)
		if i%50 == 0 {
			f := state.Facts()
			seen, said = append(seen, f), append(said, fmt.Sprintf("%+v", f.Decisions)+fmt.Sprintf("%+v%+v%+v", f.Files, f.Failures, f.Progress))
		}
	}
	for i, f := range seen {
		if now := fmt.Sprintf("%+v", f.Decisions) + fmt.Sprintf("%+v%+v%+v", f.Files, f.Failures, f.Progress); now != said[i] {
			t.Fatalf("facts taken after %d events were changed by later ones", i*50)
		}
	}
}

func TestRollbackTakesTurnsBack(t *testing.T) {
	s := session().User("Add a cart").Agent("Added.").Edit(root+"/cart.go").
		User("Rewrite it in Rust").Edit(root+"/cart.rs").
		User("and delete the old code").Shell("rm cart.go", 0, "").
		Event(transcript.Event{Kind: transcript.Rollback, Turns: 2}).
		Agent("Back to the cart in Go.")
	f := fold(s)
	if f.Task.Text != "Add a cart" || len(f.Files) != 1 || f.Files[0].Path != "cart.go" || f.Files[0].Change != "edit" {
		t.Errorf("got task %+v and files %+v", f.Task, f.Files)
	}
}

func TestAddRefusesWhatNeedsAnotherFold(t *testing.T) {
	s := session().User("Add a cart").Agent("Added.")
	state := extract.Replay(distiller.Facts{}, extract.Options{Root: root}, s.All())
	before := state.Facts()
	if state.Add(transcript.Located{Event: transcript.Event{Kind: transcript.Rollback, Turns: 1}, Ref: transcript.Ref{Offset: 9000, Line: 90}}) {
		t.Error("a rollback was added")
	}
	if state.Add(s.Events[1]) {
		t.Error("an event from before was added")
	}
	if !reflect.DeepEqual(before, state.Facts()) {
		t.Error("a refused event left a trace")
	}
	late := transcript.Located{Event: transcript.Event{Kind: transcript.Reply, Subagent: true, Text: "found it"}, Ref: transcript.Ref{Offset: 5, Line: 1}}
	if !state.Add(late) {
		t.Error("an event of a subagent's own file was refused")
	}
}

func TestATaskTakenThroughThreeToolsKeepsItsDecisions(t *testing.T) {
	first := session().User("Build the price import").
		Asks("Which format?", "json", "csv").Decides(transcript.Decision{Question: "Which format?", Chosen: []string{"csv"}, Kind: "asked"}).
		Shell("make import", 2, "error: unknown column").
		Todo(transcript.Item{Text: "parse", State: "done"}, transcript.Item{Text: "map the columns", State: "todo"})
	second := script.New("codex", "s2", root).User("continue").Agent("Looking at the mapping.")
	third := script.New("gemini-cli", "s3", root).User("also log the skipped rows").Agent("Logged.")
	opts := extract.Options{Root: root}
	f := extract.Fold(distiller.Facts{}, opts, first.All())
	f = extract.Fold(f, opts, second.All())
	if f.Task.Text != "Build the price import" {
		t.Errorf("after the second tool the task is %+v", f.Task)
	}
	f = extract.Fold(f, opts, third.All())
	if f.Tool != "gemini-cli" || f.Task.Text != "also log the skipped rows" || f.Task.Goal != "Build the price import" {
		t.Errorf("after the third tool: %s, %+v", f.Tool, f.Task)
	}
	if len(f.Decisions) != 1 || f.Decisions[0].Chosen[0] != "csv" || f.Decisions[0].Source.Session != "s1" {
		t.Errorf("decisions: %+v", f.Decisions)
	}
	if len(f.Failures) != 1 || f.Failures[0].What != "make import" {
		t.Errorf("failures: %+v", f.Failures)
	}
	if !slices.ContainsFunc(f.Progress, func(p distiller.Progress) bool { return p.Text == "map the columns" && p.State == "todo" }) {
		t.Errorf("progress: %+v", f.Progress)
	}
	solved := script.New("codex", "s4", root).User("fix the column names").Shell("make import", 0, "")
	if f = extract.Fold(f, opts, solved.All()); len(f.Failures) != 1 || f.Failures[0].Ended != "solved" {
		t.Errorf("a failure of an earlier session stays open after the command passed: %+v", f.Failures)
	}
}

// One more event, its facts and its text on a long session cost what they cost on a short one: what
// is remembered is bounded.
func BenchmarkOneMoreEvent(b *testing.B) {
	s := long(100_000)
	state := extract.Replay(distiller.Facts{}, extract.Options{Root: root}, s.All())
	next := s.Events[len(s.Events)-1]
	b.ResetTimer()
	for range b.N {
		next.Ref.Offset += 100
		next.Ref.Line++
		if !state.Add(next) {
			b.Fatal("refused")
		}
		render.Handoff(state.Facts(), render.Options{})
	}
}

// BenchmarkFold is a cold fold; its rate is over the text of the events.
func BenchmarkFold(b *testing.B) {
	s := long(20_000)
	var size int64
	for _, e := range s.Events {
		size += int64(len(e.Text))
		if e.Result != nil {
			size += int64(len(e.Result.Text))
		}
		if e.Call != nil {
			size += int64(len(e.Call.Command))
		}
	}
	b.SetBytes(size)
	for b.Loop() {
		fold(s)
	}
}

// What an edit left unfinished is listed until an edit takes it away.
func TestCodeLeftUnfinished(t *testing.T) {
	s := script.New("claude-code", "s1", "/w").User("write the exporter").
		Call(transcript.CallInfo{ID: "c1", Name: "Edit", Meaning: transcript.Edit, Paths: []string{"/w/a.go"}}).
		Code(transcript.CodeInfo{Path: "/w/a.go", Added: []string{"TODO: close the file", "TODO: flush", "TODO: flush"}, Whole: true, Broken: true}, "Export").
		Result(transcript.ResultInfo{CallID: "c1", Text: "ok"})
	f := extract.Fold(distiller.Facts{}, extract.Options{}, s.All())
	if len(f.Questions) != 0 || !slices.ContainsFunc(f.Verify, func(v distiller.Statement) bool { return v.Text == "left in a.go: TODO: close the file" }) {
		t.Errorf("questions: %+v", f.Questions)
	}
	if !slices.ContainsFunc(f.Verify, func(v distiller.Statement) bool { return v.Text == "left in a.go: TODO: flush (2 times)" }) {
		t.Errorf("verify: %+v", f.Verify)
	}
	if len(f.Verify) == 0 || f.Verify[0].Text != "a.go does not parse since its last edit" {
		t.Errorf("verify: %+v", f.Verify)
	}
	if len(f.Files) != 1 || len(f.Files[0].Symbols) != 1 || f.Files[0].Symbols[0] != "Export" {
		t.Errorf("files: %+v", f.Files)
	}
	s.Call(transcript.CallInfo{ID: "c2", Name: "Edit", Meaning: transcript.Edit, Paths: []string{"/w/a.go"}}).
		Code(transcript.CodeInfo{Path: "/w/a.go", Gone: []string{"TODO: close the file"}, Whole: true}).
		Result(transcript.ResultInfo{CallID: "c2", Text: "ok"})
	if f = extract.Fold(distiller.Facts{}, extract.Options{}, s.All()); len(f.Questions) != 0 || slices.ContainsFunc(f.Verify, func(v distiller.Statement) bool { return strings.Contains(v.Text, "parse") }) {
		t.Errorf("still listed: %+v %+v", f.Questions, f.Verify)
	}
}

func TestBoundary_TheCallThatBeganTheSessionSaysWhatItIsFor(t *testing.T) {
	s := session().User("Rewrite the importer").
		Call(transcript.CallInfo{Name: "spawn_agent", Meaning: transcript.Subagent, Detail: "Review the last commit of the exporter"}).
		Event(transcript.Event{Kind: transcript.Session, Start: &transcript.Start{How: transcript.Boundary}}).Agent("Reading it.")
	if f := extract.Fold(distiller.Facts{}, extract.Options{Root: root, Subagent: true}, s.All()); f.Task == nil || f.Task.Text != "Review the last commit of the exporter" || f.Task.By != distiller.ByAgent {
		t.Errorf("task: %+v", f.Task)
	}
}

// A subagent that was given its parent's history has a task of its own.
func TestBoundary_ForgetsTheHistoryOfAnotherSession(t *testing.T) {
	s := session().User("Rewrite the importer").Agent("I'll move the parser next.").Edit(root+"/importer.go").
		Shell("go test ./...", 1, "--- FAIL: TestImport (0.00s)\nFAIL").
		Call(transcript.CallInfo{Name: "Bash", Meaning: transcript.Shell, Command: "make"}).
		Event(transcript.Event{Kind: transcript.Session, Start: &transcript.Start{How: transcript.Boundary}}).
		Prompt(transcript.Injected, "Review the last commit of the exporter; change nothing.").Agent("Two findings.")
	f := extract.Fold(distiller.Facts{}, extract.Options{Root: root, Subagent: true}, s.All())
	if f.Task == nil || !strings.HasPrefix(f.Task.Text, "Review the last commit") || len(f.Files) != 1 || len(f.Failures)+len(f.Verify) != 0 {
		t.Errorf("task %+v, files %+v, failures %+v, to check %+v", f.Task, f.Files, f.Failures, f.Verify)
	}
}
