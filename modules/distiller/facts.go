// Package distiller derives a handoff from events: a fold without clock,
// network, disk or randomness, so that the same events always give the same
// bytes.
package distiller

import "time"

// Source is where a fact stands.
type Source struct {
	Session string `json:"session,omitempty"`
	Path    string `json:"path,omitempty"`
	Line    int64  `json:"line,omitempty"`
	Offset  int64  `json:"offset,omitempty"`
	Row     int64  `json:"row,omitempty"`
	Tool    string `json:"tool,omitempty"`
}

// Facts is everything a handoff says, with the place each fact comes from.
// Empty lists mean that nothing is known.
type Facts struct {
	Tool     string    `json:"tool"`
	Session  string    `json:"session"`
	Title    string    `json:"title,omitempty"`
	Updated  time.Time `json:"updated,omitzero"` // time of the last event
	Civil    bool      `json:"civil,omitempty"`  // Updated is what a clock showed, of a zone that is not known
	Headless bool      `json:"headless,omitempty"`
	Cwd      string    `json:"cwd,omitempty"`

	Task        *Task       `json:"task,omitempty"`
	Git         *Git        `json:"git,omitempty"`
	Progress    []Progress  `json:"progress"`
	Files       []File      `json:"files"`
	Named       []Named     `json:"named"` // named in output or prose, not opened yet
	Failures    []Failure   `json:"failures"`
	Decisions   []Decision  `json:"decisions"`
	Constraints []Statement `json:"constraints"`
	Actions     []Action    `json:"actions"`
	Questions   []Statement `json:"questions"`
	Next        *Statement  `json:"next,omitempty"`
	Verify      []Statement `json:"verify"`
	Limits      []Statement `json:"limits"` // what can't work in this environment
	Works       []Work      `json:"works"`
	Undo        []Statement `json:"undo"` // what the session left behind and nobody needs
	References  []Statement `json:"references"`
	Usage       *Usage      `json:"usage,omitempty"`
}

// Task is the last substantive request and the goal above it.
type Task struct {
	Text   string `json:"text"`
	Goal   string `json:"goal,omitempty"`
	Source Source `json:"source"`
}

// Git is the repository as last recorded.
type Git struct {
	Branch  string   `json:"branch,omitempty"`
	Head    string   `json:"head,omitempty"`
	Commits []string `json:"commits,omitempty"`
	Stat    string   `json:"stat,omitempty"`   // the closing line of git diff --stat, of work not committed
	Halted  string   `json:"halted,omitempty"` // merge, rebase, cherry-pick, revert or bisect that waits for its end
}

// Progress is one step; State is done, doing, todo or blocked.
type Progress struct {
	Text     string   `json:"text"`
	State    string   `json:"state"`
	Evidence Evidence `json:"evidence,omitempty"`
	Source   Source   `json:"source"`
}

// File is a file the session worked on. Turn is how many turns ago.
type File struct {
	Path    string   `json:"path"`
	Change  string   `json:"change"` // edit, write, read, delete
	Turn    int      `json:"turn"`
	Tests   string   `json:"tests"` // failing, passing, unknown
	Symbols []string `json:"symbols,omitempty"`
	Source  Source   `json:"source"`
}

// Guess is why a file is told that nobody named: it is the test of a file
// edited lately, or the file of such a test.
const Guess = "beside an edited file"

// Named is a file that was named and not opened, or a Guess.
type Named struct {
	Path   string `json:"path"`
	Why    string `json:"why,omitempty"`
	Source Source `json:"source"`
}

// Failure is something tried that failed. Why is the first line of the error,
// text of a tool. Ended is empty while the failure is open; else it says how
// it ended: worked around (Solved names what worked instead), abandoned, or
// harmless for a look-up that found nothing.
type Failure struct {
	What     string   `json:"what"`
	Why      string   `json:"why"`
	Count    int      `json:"count"`
	Exit     int      `json:"exit,omitempty"` // status the last time, 0 where there is none
	Ended    string   `json:"ended,omitempty"`
	Solved   string   `json:"solved,omitempty"`
	Turn     int      `json:"turn,omitempty"` // how many requests ago it failed last
	Evidence Evidence `json:"evidence,omitempty"`
	Source   Source   `json:"source"`
}

// Evidence is how a fact is known.
type Evidence string

// The grades of evidence.
const (
	Proved Evidence = "proved" // by a result, a commit, a file
	Said   Evidence = "said"   // by the agent
	Asked  Evidence = "asked"  // by the user
)

// Work is a command that works here: the last form of its kind that passed.
// Kind is test, build, types, lint, format, install, run, or "instead" for what
// did what another command could not.
type Work struct {
	Kind    string `json:"kind"`
	Command string `json:"command"`
	Source  Source `json:"source"`
}

// Decision is a choice with its reasons.
type Decision struct {
	Topic     string    `json:"topic,omitempty"`
	Question  string    `json:"question,omitempty"`
	Options   []string  `json:"options"`
	Chosen    []string  `json:"chosen"`
	Rationale string    `json:"rationale,omitempty"`
	Tradeoffs string    `json:"tradeoffs,omitempty"`
	Rejected  []Refused `json:"rejected"`
	Kind      string    `json:"kind"` // asked, plan, block, correction, prose
	Source    Source    `json:"source"`
}

// Refused is an option turned down.
type Refused struct {
	Option string `json:"option"`
	Reason string `json:"reason,omitempty"`
}

// Statement is one sentence with its place.
type Statement struct {
	Text   string `json:"text"`
	Source Source `json:"source"`
}

// Action is something somebody is to do.
type Action struct {
	Who    string `json:"who"`
	What   string `json:"what"`
	Source Source `json:"source"`
}

// Usage is how full the context was last.
type Usage struct {
	Context int64  `json:"context"`
	Window  int64  `json:"window,omitempty"`
	Model   string `json:"model,omitempty"`
}
