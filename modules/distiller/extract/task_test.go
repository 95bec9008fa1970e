package extract_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/modules/distiller/internal/script"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

const root = "/home/ada/shop"

func session() *script.Session { return script.New("claude-code", "s1", root) }

func fold(s *script.Session) distiller.Facts {
	return extract.Fold(distiller.Facts{}, extract.Options{Root: root}, s.All())
}

func TestTaskIsTheLastSubstantiveRequest(t *testing.T) {
	request := "Add a retry to the payment client"
	for name, after := range map[string]func(*script.Session){
		"english":     func(s *script.Session) { s.User("yes") },
		"do it":       func(s *script.Session) { s.User("ok do it") },
		"go ahead":    func(s *script.Session) { s.User("Sure, go ahead please!") },
		"german":      func(s *script.Session) { s.User("ja, mach weiter") },
		"french":      func(s *script.Session) { s.User("oui vas-y") },
		"spanish":     func(s *script.Session) { s.User("sí, continúa") },
		"portuguese":  func(s *script.Session) { s.User("sim, pode continuar") },
		"dutch":       func(s *script.Session) { s.User("ja ga door") },
		"polish":      func(s *script.Session) { s.User("tak, kontynuuj") },
		"russian":     func(s *script.Session) { s.User("да, продолжай") },
		"turkish":     func(s *script.Session) { s.User("evet devam et") },
		"japanese":    func(s *script.Session) { s.User("続けてください") },
		"korean":      func(s *script.Session) { s.User("계속 진행해줘") },
		"chinese":     func(s *script.Session) { s.User("继续") },
		"a number":    func(s *script.Session) { s.User("2") },
		"punctuation": func(s *script.Session) { s.User("...") },
		"slash":       func(s *script.Session) { s.User("/compact keep the plan") },
		"slash args":  func(s *script.Session) { s.User("/model opus") },
		"machine":     func(s *script.Session) { s.Prompt(transcript.Machine, "<task-notification>done</task-notification>") },
		"injected":    func(s *script.Session) { s.Prompt(transcript.Injected, "Related decisions: use gRPC everywhere") },
		"reminder":    func(s *script.Session) { s.User("<system-reminder>The todo list is empty</system-reminder>") },
		"ourselves":   func(s *script.Session) { s.User(transcript.Sentinel + " Last updated …\n## Task\nsomething else") },
		"summary": func(s *script.Session) {
			s.User("This session is being continued from a previous conversation that ran out")
		},
		"slip": func(s *script.Session) {
			s.User("exot").Ends(transcript.TurnInterrupted)
		},
		"subagent": func(s *script.Session) {
			s.Event(transcript.Event{Kind: transcript.Prompt, Origin: transcript.Typed, Subagent: true, Text: "Search the code base for callers"})
		},
		"withdrawn": func(s *script.Session) {
			s.Event(transcript.Event{Kind: transcript.Prompt, Origin: transcript.Typed, Withdrawn: true, Text: "Rewrite it all in another language"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := session().User(request).Agent("Shall I retry on timeouts too?")
			after(s)
			if got := fold(s).Task; got == nil || got.Text != request {
				t.Errorf("task is %+v, want %q", got, request)
			}
		})
	}
}

func TestGoalStandsAboveTheTask(t *testing.T) {
	s := session().
		User("Move the billing service to https://example.test/billing/v2").Agent("Done.").
		User("is the old client still used anywhere?")
	task := fold(s).Task
	if task.Text != "is the old client still used anywhere?" || !strings.Contains(task.Goal, "billing/v2") {
		t.Errorf("got %+v", task)
	}
	if s := session().User("Fix the login"); fold(s).Task.Goal != "" {
		t.Error("a goal that is the task itself was repeated")
	}
	tracked := session().Event(transcript.Event{Kind: transcript.Goal, Text: "Ship version 2", Items: []transcript.Item{{State: "doing"}}}).User("fix the linter first")
	if got := fold(tracked).Task; got.Goal != "Ship version 2" {
		t.Errorf("the tracked goal is missing: %+v", got)
	}
}

// The goal is what was wanted since the agent was restarted: it knows nothing of what was before.
func TestGoal_IsNotBeforeTheChatWasCleared(t *testing.T) {
	for cleared, want := range map[bool]string{true: "Split the cart", false: "Format the notes"} {
		s := session().User("Format the notes of the cart as a document, without any change of the text").Edit(root + "/notes.md").Agent("The notes are formatted.").
			Event(transcript.Event{Kind: transcript.Compacted, Compaction: &transcript.CompactionInfo{Trigger: "manual", Cleared: cleared}}).
			User("Split the cart into the notes and the sums").Edit(root + "/cart.go").Agent("The cart is split.").
			User("what do the sums of the cart mean?")
		if got := fold(s).Task.Goal; !strings.HasPrefix(got, want) {
			t.Errorf("cleared %v: %q", cleared, got)
		}
	}
}

func TestRequestsThatAreNotPlainText(t *testing.T) {
	log := strings.Repeat("2026-03-03 10:00:00 ERROR worker: connection reset\n", 30)
	for name, tt := range map[string]struct{ prompt, want, not string }{
		"paste behind a sentence": {"The worker dies at night, find out why\n" + log, "The worker dies at night", "10:00:00 ERROR worker: connection reset 2026"},
		"paste before a sentence": {log + "\nplease make it reconnect", "please make it reconnect", "ERROR worker: connection reset 2026"},
		"a plan":                  {"Implement the following plan:\n\n# Split the parser\n\n## Steps\n- one\n- two", "Split the parser", "Steps"},
		"a role to play":          {"You are a careful reviewer of database code.\nYou weigh risks:\n- high\n- low\n\nReview the given change against the roadmap and say what is missing.\nAnswer in JSON.", "Review the given change against the roadmap", "You are"},
		"an image":                {"[Image #1] make the header look like this", "make the header look like this", "Image"},
		"slash with words":        {"/review the error handling in the importer", "the error handling in the importer", "/review"},
		"command record":          {"<command-name>/review</command-name><command-args>https://git.test/shop/pull/7 carefully</command-args>", "pull/7", "command-args"},
		"reminder inside":         {"<system-reminder>be brief</system-reminder>rename Cart to Basket", "rename Cart to Basket", "brief"},
		"korean":                  {"장바구니 합계를 다시 계산하도록 고쳐줘", "장바구니", "???"},
	} {
		t.Run(name, func(t *testing.T) {
			task := fold(session().User(tt.prompt)).Task
			if task == nil || !strings.Contains(task.Text, tt.want) || strings.Contains(task.Text, tt.not) {
				t.Errorf("got %+v", task)
			}
		})
	}
}

func TestAPastedLogIsToldInWords(t *testing.T) {
	s := session().User("look at the review comments").Agent("Fixed.").
		User("$ go test ./...\n--- FAIL: TestTotal (0.00s)\n    cart_test.go:12: got 3, want 4\nFAIL\tshop/cart\t0.1s")
	task := fold(s).Task
	if !strings.Contains(task.Text, "look at the review comments") || !strings.Contains(task.Now, "go test ./...") {
		t.Errorf("got %+v", task)
	}
}

func TestTask_IsTheTitleWhereNobodyAsked(t *testing.T) {
	titled := session().Event(transcript.Event{Kind: transcript.Title, Text: "Fix the flaky login test"}).Shell("ls", 0, "a")
	if task := fold(titled).Task; task == nil || task.Text != "Fix the flaky login test" {
		t.Errorf("got %+v", task)
	}
	for name, s := range map[string]*script.Session{
		"a greeting":   session().User("hello").Agent("Hi! What shall we do?"),
		"only a reply": session().Agent("Ready."),
	} {
		if f := fold(s); f.Task != nil || f.Worked {
			t.Errorf("%s: a task was made up: %+v", name, f.Task)
		}
	}
}

// A prompt that is nothing but the file the reply asked for goes on with the request.
func TestTask_AFileThatWasAskedForIsNoTask(t *testing.T) {
	s := session().User("add conventions for markdown files, each sentence on a line of its own").
		Agent("I will need to edit the conventions.\n\nPlease add `CONVENTIONS.md` to the chat.").User("CONVENTIONS.md").Edit(root + "/CONVENTIONS.md").Agent("Added.")
	if task := fold(s).Task; !strings.HasPrefix(task.Text, "add conventions") || task.Now != "CONVENTIONS.md" {
		t.Errorf("got %+v", task)
	}
}

// A line that only parts the reply says nothing.
func TestNext_ARuleIsNoStatement(t *testing.T) {
	s := session().User("Make the cart stream its rows").Read(root + "/cart.go").Agent("The cart reads every row at once.\n\n---").Read(root + "/row.go")
	if next := fold(s).Next.Text; strings.Contains(next, "---") {
		t.Errorf("next: %s", next)
	}
}

// A plan to implement is the task by its title, what it begins with and its steps.
func TestTask_APlanInShort(t *testing.T) {
	plan := "Implement the following plan:\n\n# Plan: Number the folders from one\n\n## Goal\nFolders are numbered from 0 today. They shall begin with 1.\n\n**Current behavior:** the first is `0/`.\n\n## Files\n\n### 1. Core\n\n```go\n### 9. no step\n```\n\n### Step 2: Reading the newest folder\n\n- in `read.go`\n"
	s := session().User(plan).Read(root + "/a.go")
	if got, want := fold(s).Task.Text, "Implement the plan: Number the folders from one — Folders are numbered from 0 today. They shall begin with 1. Current behavior: the first is `0/`. Steps: 1 Core; 2 Reading the newest folder"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// A request that is too long to be quoted is kept in parts: paragraphs and entries, the first of them
// behind the headings they stand under, without code and tables.
func TestTask_TheParts(t *testing.T) {
	filler := strings.Repeat("The folders are read by three programs, of which one is old. ", 10)
	order := "Do this with care:\n\n# Target\nWork in `shop/`. " + filler + "\n\n## Files (only these)\n- `read.go`\n- `write.go`,\n  and its test\n\n## Layout\n\n```\n- 0/\n```\n\n## Steps\nIn this order:\n\n1. Number the folders from one.\n2. **Keep** what is on disk.\n\n| a | b |\n|---|---|\n\n# Report\nSay which tests depend on it.\n\nWhat we know\nThe numbers begin at zero.\nThe tests expect that.\nKeep it short"
	want := []string{
		"Do this with care:",
		"Target: Work in `shop/`. " + strings.TrimSpace(filler),
		"Files (only these): `read.go`", "`write.go`, and its test",
		"Steps: In this order: 1. Number the folders from one.", "2. Keep what is on disk.",
		"Report: Say which tests depend on it.", "What we know: The numbers begin at zero.", "The tests expect that.", "Keep it short",
	}
	for name, prompt := range map[string]string{"a request": order, "a plan": "Implement the following plan:\n\n" + order} {
		if got := fold(session().User(prompt).Read(root + "/a.go")).Task.Parts; !slices.Equal(got, want) {
			t.Errorf("%s: got  %q\nwant %q", name, got, want)
		}
	}
	if got := fold(session().User(order).Read(root + "/a.go").Agent("Done.").User("add the tests for writing folders too")).Task.Parts; got != nil {
		t.Errorf("another request: %q", got)
	}
	if got := fold(session().User("Number the folders:\n\n- from one\n- in order")).Task.Parts; got != nil {
		t.Errorf("a short one: %q", got)
	}
}

// A file that the person forbids is none to open.
func TestNamed_NotWhatIsForbidden(t *testing.T) {
	s := session().User("Make the routes of `src/api.rs` exact. Do NOT touch `src/openapi.rs` or any test of it, whatever happens there").Read(root + "/src/api.rs").
		Agent("The routes of `src/api.rs` are in `src/routes.rs` and `src/openapi.rs`.").User("and how many of them are there in `src/routes.rs`")
	var names []string
	for _, n := range fold(s).Named {
		names = append(names, n.Path)
	}
	if !slices.Contains(names, "src/routes.rs") || slices.Contains(names, "src/openapi.rs") {
		t.Errorf("named: %q", names)
	}
}

// A yes is told with what it is a yes to: by itself it says nothing of what is being done.
func TestTask_AYesWithWhatItAgreesTo(t *testing.T) {
	s := session().User("see why the totals differ").Read(root + "/cart.go").
		Agent("`Total` rounds twice. Want me to round once, at the end?").User("yes").Edit(root + "/cart.go")
	if task := fold(s).Task; task.Now != "yes" || !strings.Contains(task.NowTo, "round once, at the end") {
		t.Errorf("task %+v", task)
	}
	s = session().User("see why the totals differ").Read(root + "/cart.go").
		Agent("Which do you want?\n1. Round once, at the end\n2. Keep the cents as integers").User("2").Edit(root + "/cart.go")
	if task := fold(s).Task; task.NowTo != "2) Keep the cents as integers" {
		t.Errorf("task %+v", task)
	}
}
