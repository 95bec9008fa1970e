package extract_test

import (
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/modules/distiller/internal/script"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// worked is a session in which the first request was worked on and answered.
func worked(reply string) *script.Session {
	return session().User("the export of orders is slow, make it stream its rows").
		Edit(root+"/export/writer.go").Shell("go test ./...", 0, "ok  \tshop/export\t0.1s").Agent(reply)
}

func TestRequest_RelatesToTheOneBefore(t *testing.T) {
	const done = "The writer streams its rows now."
	for name, tt := range map[string]struct{ reply, prompt, want string }{
		"a yes with words":     {"Shall I stream the invoices too?", "yes, and the credit notes with them", "answers"},
		"a label":              {"A) one file\nB) one file a month\n\nWhich one?", "B, and keep the names", "answers"},
		"its words":            {"Which separator shall the export use, semicolon or tab?", "a semicolon in the export", "answers"},
		"a no after work":      {done, "no, the writer must keep its buffer", "corrects"},
		"a no in German":       {done, "nein, der Puffer im Writer bleibt", "corrects"},
		"a no in Chinese":      {done, "不对，writer 的缓冲要保留", "corrects"},
		"the same words":       {done, "now make the writer of orders count its rows as well", "continues"},
		"a thin one":           {done, "what about tests", "continues"},
		"a file that was made": {done, "writer.go needs a comment", "continues"},
		"something else":       {done, "please prepare a landing page with pictures, prices and opening hours for Sunday", "new"},
	} {
		t.Run(name, func(t *testing.T) {
			list := fold(worked(tt.reply).User(tt.prompt)).Requests
			got := "new"
			if n := len(list); n > 1 { // of the current topic alone
				got = list[n-1].Relation
			} else if n == 1 && !strings.HasPrefix(list[0].Text, tt.prompt[:5]) {
				got = "none: " + list[0].Text
			}
			if got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

func TestRequest_BeginsATopicAfterALongPause(t *testing.T) {
	s := worked("The writer streams its rows now.")
	last := s.Events[len(s.Events)-1].Time
	s.User("count the rows of the writer")
	s.Events[len(s.Events)-1].Time = last.Add(7 * time.Hour)
	if list := fold(s).Requests; len(list) != 2 || list[1].Relation != "continues" {
		t.Errorf("words of the work before go on with it, however late: %+v", list)
	}
	s = worked("The writer streams its rows now.").User("update all dependencies")
	s.Events[len(s.Events)-1].Time = last.Add(7 * time.Hour)
	if list := fold(s).Requests; len(list) != 1 || list[0].Relation != "new" {
		t.Errorf("got %+v", list)
	}
}

func TestRequest_AnsweredQuestionsAreNoLongerOpen(t *testing.T) {
	ask := "Which separator shall the export use, semicolon or tab?"
	if q := fold(worked(ask).User("a semicolon in the export")).Questions; len(q) != 0 {
		t.Errorf("answered and open: %+v", q)
	}
	q := fold(worked(ask).User("first fix the login of the shop for customers with two accounts").Agent("Fixed.")).Questions
	if len(q) > 0 && !strings.Contains(q[0].Text, "separator") {
		t.Errorf("passed over: %+v", q)
	}
}

func TestRequest_ASlipThatWasTakenBackIsForgotten(t *testing.T) {
	s := worked("Done.").User("exot").Ends(transcript.TurnInterrupted)
	if list := fold(s).Requests; len(list) != 1 {
		t.Errorf("got %+v", list)
	}
}

func TestRequest_GoesOnWithThePredecessorsTask(t *testing.T) {
	prior := distiller.Facts{Task: &distiller.Task{Text: "Move the billing service to the new queue"}}
	for prompt, want := range map[string]string{
		"continue": "continues",
		"make the billing service retry on the new queue when it is full":                  "continues",
		"please prepare a landing page with pictures, prices and opening hours for Sunday": "new",
	} {
		s := session().User(prompt).Edit(root + "/a.go")
		list := extract.Fold(prior, extract.Options{Root: root}, s.All()).Requests
		if len(list) != 1 || list[0].Relation != want {
			t.Errorf("%q: %+v, want %s", prompt, list, want)
		}
	}
}

// What was pasted into the middle of a sentence is told by what went wrong in it; the
// sentence goes on behind it.
func TestRequest_TellsWhatIsWrongInWhatWasPasted(t *testing.T) {
	task := fold(session().User("When I call /schema with `shop.db` I get {\n  \"status\": 500,\n  \"detail\": \"unable to open the file\"\n}. It works with the whole path, then I get {\n  \"status\": 200\n}")).Task
	want := "When I call /schema with `shop.db` I get … It works with the whole path, then I get … (and pasted: \"detail\": \"unable to open the file\")"
	if task == nil || task.Text != want {
		t.Errorf("got %+v", task)
	}
}

// A command that was pasted with what it printed is not what the person said.
func TestTask_APastedCommandIsNotWhatWasSaid(t *testing.T) {
	s := session().User("Why does it pack the objects?").Agent("It left loose objects. A single `git gc` would pack them. Want me to run it?").
		User("> git gc\nfatal: bad tree object 082c2c4495629bd585a0\nfatal: failed to run repack\n\nHELP")
	f := fold(s)
	if len(f.Decisions) > 0 || strings.Contains(f.Task.Text+f.Task.Now, "> git gc") {
		t.Errorf("task %+v, decided %+v", f.Task, f.Decisions)
	}
}
