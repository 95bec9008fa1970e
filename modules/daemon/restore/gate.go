// Package restore decides what a session that starts is given of the work
// before it, and puts it together.
package restore

import "time"

// What is given.
const (
	Full    = "full"    // header and handoff
	Seam    = "seam"    // after a compaction: re-orientation and handoff
	Pointer = "pointer" // one line
	Nothing = "nothing"
)

// Start is a session start as the gate sees it. Everything it depends on is in
// here, so that a decision can be tested and explained.
type Start struct {
	Source     string        // startup, resume, clear, compact, fork
	Subagent   bool          // inside a subagent
	Excluded   bool          // the project is excluded
	NoProject  bool          // the directory is nobody's project
	Found      bool          // there is a handoff
	Own        bool          // the handoff is of this very session
	Since      bool          // the handed-over session worked after this one last did
	Inherited  bool          // the session holds the handed-over one's history itself (a fork)
	Given      bool          // something was given in this session already
	Age        time.Duration // of the last event handed over
	StaleAfter time.Duration
}

// Row is one rule of the gate. The first row whose When holds decides.
type Row struct {
	Name string
	When func(Start) bool
	Give string
	Why  string
}

// Table is the gate, in order.
var Table = []Row{
	{"subagent", func(s Start) bool { return s.Subagent }, Nothing, "a subagent has its task from its parent"},
	{"no project", func(s Start) bool { return s.NoProject }, Nothing, "the directory is the home, temporary or root folder itself"},
	{"excluded", func(s Start) bool { return s.Excluded }, Nothing, "the project is excluded by the configuration"},
	{"nothing captured", func(s Start) bool { return !s.Found }, Nothing, "no earlier session is known in this project"},
	{"after a cut", func(s Start) bool { return s.Source == "compact" && s.Own }, Seam, "the context was cut: the session's own work is given back"},
	{"already given", func(s Start) bool { return s.Given }, Nothing, "already given in this session, and its context was not cut since"},
	{"own history", func(s Start) bool { return s.Own }, Nothing, "the session is resumed and still has its own history"},
	{"resumed, others since", func(s Start) bool { return s.Source == "resume" && s.Since && s.Age <= s.StaleAfter }, Full, "another session worked here since this one stopped"},
	{"resumed", func(s Start) bool { return s.Source == "resume" }, Nothing, "the session is resumed and nothing happened here since"},
	{"fork", func(s Start) bool { return s.Inherited || s.Source == "fork" }, Nothing, "a fork begins with the history of the session it came from"},
	{"stale", func(s Start) bool { return s.Age > s.StaleAfter }, Pointer, "the last session is older than stale_after"},
	{"new session", func(Start) bool { return true }, Full, "a new session in a project with earlier work"},
}

// Decide runs the table.
func Decide(start Start) Row {
	for _, row := range Table {
		if row.When(start) {
			return row
		}
	}
	panic("restore: the last row of the table always holds")
}
