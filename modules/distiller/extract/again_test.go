package extract_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller/internal/script"
)

// A request that is made again in nearly the same words, and for which nothing was done, is not answered.
func TestRequests_AskedAgain(t *testing.T) {
	const advice = "To make changes to the export you will likely need the writer. Please add these files to the chat."
	for name, tt := range map[string]struct {
		session func(s *script.Session)
		outcome string
		next    string
		goal    bool
	}{
		"nothing was done": {func(s *script.Session) {
			s.Agent(advice).User("write the export of all orders as a stream of rows, please").Agent(advice)
		}, "asked 2 times, nothing was done", "Ask what is missing, the user asked for it 2 times", false},
		"it is done now": {func(s *script.Session) {
			s.Agent(advice).User("write the export of all orders as a stream of rows, please").Edit(root + "/writer.go").Agent("Done.")
		}, "changed 1 file, not checked, asked 2 times, nothing was done before", "", false},
		"it was done before": {func(s *script.Session) {
			s.Edit(root + "/writer.go").Agent("Done.").User("write the export of all orders as a stream of rows, please").Agent("It is.")
		}, "answered", "", false},
		"another request": {func(s *script.Session) {
			s.Agent(advice).User("write the import of all customers in a batch at night").Agent(advice)
		}, "answered", "Nothing is open", true},
	} {
		s := session().User("write the export of all orders as a stream of rows")
		tt.session(s)
		f := fold(s)
		if got := f.Requests[len(f.Requests)-1].Outcome; got != tt.outcome {
			t.Errorf("%s: outcome %q, want %q", name, got, tt.outcome)
		}
		if f.Next == nil || !strings.HasPrefix(f.Next.Text, tt.next) || (f.Task.Goal != "") != tt.goal {
			t.Errorf("%s: next %+v, goal %q", name, f.Next, f.Task.Goal)
		}
	}
}
