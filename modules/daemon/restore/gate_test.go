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
		row, give, head string
		start           restore.Start
	}{
		{"new session", restore.Full, restore.HeadMode, ordinary(nil)},
		{"new session", restore.Full, restore.HeadMode, ordinary(func(s *restore.Start) { s.Source = "clear" })},
		{"subagent", restore.Nothing, restore.NoHead, ordinary(func(s *restore.Start) { s.Subagent = true })},
		{"no project", restore.Nothing, restore.NoHead, ordinary(func(s *restore.Start) { s.NoProject = true })},
		{"excluded", restore.Nothing, restore.NoHead, ordinary(func(s *restore.Start) { s.Excluded = true })},
		{"nothing captured", restore.Nothing, restore.NoHead, ordinary(func(s *restore.Start) { s.Found = false })},
		{"no request", restore.Nothing, restore.NoHead, ordinary(func(s *restore.Start) { s.NoRequest = true })},
		{"no request", restore.Nothing, restore.NoHead, ordinary(func(s *restore.Start) { s.NoRequest, s.Source, s.Own = true, "compact", true })},
		{"after a compaction", restore.Seam, restore.HeadSeam, ordinary(func(s *restore.Start) { s.Source, s.Own = "compact", true })},
		{"after a compaction", restore.Seam, restore.HeadSeam, ordinary(func(s *restore.Start) { s.Source, s.Own, s.Given = "compact", true, true })},
		{"after a compaction", restore.Seam, restore.HeadSeam, ordinary(func(s *restore.Start) { s.Source, s.Own, s.Age = "compact", true, 30*day })},
		{"already given", restore.Nothing, restore.NoHead, ordinary(func(s *restore.Start) { s.Given = true })},
		{"own history", restore.Nothing, restore.NoHead, ordinary(func(s *restore.Start) { s.Source, s.Own = "resume", true })},
		{"resumed, others since", restore.Full, restore.HeadMode, ordinary(func(s *restore.Start) { s.Source = "resume" })},
		{"resumed", restore.Nothing, restore.NoHead, ordinary(func(s *restore.Start) { s.Source, s.Since = "resume", false })},
		{"resumed", restore.Nothing, restore.NoHead, ordinary(func(s *restore.Start) { s.Source, s.Age = "resume", 30*day })},
		{"fork", restore.Nothing, restore.NoHead, ordinary(func(s *restore.Start) { s.Source = "fork" })},
		{"fork", restore.Nothing, restore.NoHead, ordinary(func(s *restore.Start) { s.Inherited = true })},
		{"opened with it", restore.Opened, restore.NoHead, ordinary(func(s *restore.Start) { s.Opened, s.Dismissed, s.Age = true, true, 30*day })},
		{"dismissed", restore.Nothing, restore.NoHead, ordinary(func(s *restore.Start) { s.Dismissed = true })},
		{"dismissed", restore.Nothing, restore.NoHead, ordinary(func(s *restore.Start) { s.Dismissed, s.Source = true, "resume" })},
		{"after a compaction", restore.Seam, restore.HeadSeam, ordinary(func(s *restore.Start) { s.Source, s.Own, s.Dismissed = "compact", true, true })},
		{"after a compaction", restore.Seam, restore.HeadSeam, ordinary(func(s *restore.Start) { s.Source, s.Own, s.Headless = "compact", true, true })},
		{"headless", restore.Full, restore.HeadSilent, ordinary(func(s *restore.Start) { s.Headless = true })},
		{"headless", restore.Full, restore.HeadSilent, ordinary(func(s *restore.Start) { s.Headless, s.Parallel = true, true })},
		{"headless", restore.Full, restore.HeadSilent, ordinary(func(s *restore.Start) { s.Headless, s.Source = true, "resume" })},
		{"stale", restore.Pointer, restore.NoHead, ordinary(func(s *restore.Start) { s.Headless, s.Age = true, 15*day })},
		{"resumed", restore.Nothing, restore.NoHead, ordinary(func(s *restore.Start) { s.Headless, s.Source, s.Since = true, "resume", false })},
		{"parallel", restore.Full, restore.HeadMode, ordinary(func(s *restore.Start) { s.Parallel = true })},
		{"parallel", restore.Full, restore.HeadMode, ordinary(func(s *restore.Start) { s.Parallel, s.OtherBranch = true, true })},
		{"reads the file", restore.Nothing, restore.NoHead, ordinary(func(s *restore.Start) { s.ReadsFile, s.Source, s.Own = true, "compact", true })},
		{"other part", restore.Pointer, restore.NoHead, ordinary(func(s *restore.Start) { s.OtherPart, s.Headless, s.OtherWorktree = true, true, true })},
		{"after a compaction", restore.Seam, restore.HeadSeam, ordinary(func(s *restore.Start) { s.Source, s.Own, s.OtherPart = "compact", true, true })},
		{"other worktree", restore.Full, restore.HeadMode, ordinary(func(s *restore.Start) { s.OtherWorktree, s.OtherBranch = true, true })},
		{"other branch", restore.Full, restore.HeadMode, ordinary(func(s *restore.Start) { s.OtherBranch = true })},
		{"stale", restore.Pointer, restore.NoHead, ordinary(func(s *restore.Start) { s.Age = 15 * day })},
	} {
		row := restore.Decide(test.start)
		covered[test.row] = true
		if row.Name != test.row || row.Give != test.give || row.Head != test.head {
			t.Errorf("%+v\nis decided by %q: %s under %s, want %q: %s under %s", test.start, row.Name, row.Give, row.Head, test.row, test.give, test.head)
		}
		if row.Why == "" || row.Holds == "" {
			t.Errorf("row %q does not say when it holds, or why", row.Name)
		}
	}
	for _, row := range restore.Table {
		if !covered[row.Name] {
			t.Errorf("row %q has no test", row.Name)
		}
	}
}
