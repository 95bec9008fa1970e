package restore_test

import (
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/restore"
)

const day = 24 * time.Hour

// ordinary is a new session in a project where another one ended lately.
func ordinary(change func(*restore.Start)) restore.Start {
	start := restore.Start{Source: "startup", Found: true, Since: true, Age: time.Hour, StaleAfter: 14 * day}
	if change != nil {
		change(&start)
	}
	return start
}

func TestTheGate(t *testing.T) {
	covered := map[string]bool{}
	for _, test := range []struct {
		row, give string
		start     restore.Start
	}{
		{"new session", restore.Full, ordinary(nil)},
		{"new session", restore.Full, ordinary(func(s *restore.Start) { s.Source = "clear" })},
		{"subagent", restore.Nothing, ordinary(func(s *restore.Start) { s.Subagent = true })},
		{"no project", restore.Nothing, ordinary(func(s *restore.Start) { s.NoProject = true })},
		{"excluded", restore.Nothing, ordinary(func(s *restore.Start) { s.Excluded = true })},
		{"nothing captured", restore.Nothing, ordinary(func(s *restore.Start) { s.Found = false })},
		{"after a cut", restore.Seam, ordinary(func(s *restore.Start) { s.Source, s.Own = "compact", true })},
		{"after a cut", restore.Seam, ordinary(func(s *restore.Start) { s.Source, s.Own, s.Given = "compact", true, true })},
		{"after a cut", restore.Seam, ordinary(func(s *restore.Start) { s.Source, s.Own, s.Age = "compact", true, 30*day })},
		{"already given", restore.Nothing, ordinary(func(s *restore.Start) { s.Given = true })},
		{"own history", restore.Nothing, ordinary(func(s *restore.Start) { s.Source, s.Own = "resume", true })},
		{"resumed, others since", restore.Full, ordinary(func(s *restore.Start) { s.Source = "resume" })},
		{"resumed", restore.Nothing, ordinary(func(s *restore.Start) { s.Source, s.Since = "resume", false })},
		{"resumed", restore.Nothing, ordinary(func(s *restore.Start) { s.Source, s.Age = "resume", 30*day })},
		{"fork", restore.Nothing, ordinary(func(s *restore.Start) { s.Source = "fork" })},
		{"fork", restore.Nothing, ordinary(func(s *restore.Start) { s.Inherited = true })},
		{"stale", restore.Pointer, ordinary(func(s *restore.Start) { s.Age = 15 * day })},
	} {
		row := restore.Decide(test.start)
		covered[test.row] = true
		if row.Name != test.row || row.Give != test.give {
			t.Errorf("%+v\nis decided by %q: %s, want %q: %s", test.start, row.Name, row.Give, test.row, test.give)
		}
		if row.Why == "" {
			t.Errorf("row %q does not say why", row.Name)
		}
	}
	for _, row := range restore.Table {
		if !covered[row.Name] {
			t.Errorf("row %q has no test", row.Name)
		}
	}
}
