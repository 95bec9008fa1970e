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
	Tool     string    `json:"tool,omitempty"`
	Session  string    `json:"session,omitempty"`
	Title    string    `json:"title,omitempty"`
	Updated  time.Time `json:"updated,omitzero"` // time of the last event
	Civil    bool      `json:"civil,omitempty"`  // Updated is what a clock showed, of a zone that is not known
	Headless bool      `json:"headless,omitempty"`
	Cwd      string    `json:"cwd,omitempty"`
	Subagent *Subagent `json:"subagent,omitempty"` // nil: no subagent's session

	Worked      bool        `json:"worked"` // a request of this session was taken up; else the facts are the predecessor's
	Turn        *Turn       `json:"turn,omitempty"`
	Task        *Task       `json:"task,omitempty"`
	Requests    []Request   `json:"requests"`          // of the current topic, oldest first
	Earlier     []Request   `json:"earlier,omitempty"` // of the topics before it that left something behind, oldest first
	Git         *Git        `json:"git,omitempty"`
	Progress    []Progress  `json:"progress"`
	Files       []File      `json:"files"`
	Named       []Named     `json:"named"` // named in output or prose, and not opened, or not for long
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
	Recaps      []Recap     `json:"recaps"` // what the tool itself wrote about the session
	Usage       *Usage      `json:"usage,omitempty"`
}

// Turn says whose turn it is. Who is "user" when the agent waits for an answer
// or was interrupted, "agent" when a request is not begun or was left in the
// middle, "done" when the agent has answered and nothing waits.
type Turn struct {
	Who    string `json:"who"`
	Text   string `json:"text"`
	Asked  *Asked `json:"asked,omitempty"` // what the user is asked
	Last   []Step `json:"last,omitempty"`  // the last calls, oldest first, of a request left in the middle
	Since  string `json:"since,omitempty"` // what was changed and checked since somebody last said something
	Source Source `json:"source"`
}

// Asked is a question to the user. Context is the sentence before a question
// that says little by itself. Listed says that the options are no alternatives
// but the entries that a yes or no is about.
type Asked struct {
	Question string   `json:"question"`
	Context  string   `json:"context,omitempty"`
	Options  []Option `json:"options,omitempty"`
	Listed   bool     `json:"listed,omitempty"`
	Source   Source   `json:"source"`
}

// Option is one of the labelled answers to a question.
type Option struct {
	Label       string `json:"label"`
	Text        string `json:"text"`
	Recommended bool   `json:"recommended,omitempty"`
}

// Subagent says whose session it is that no user opened.
type Subagent struct {
	Of       string `json:"of,omitempty"`       // the session that started it
	Agent    string `json:"agent,omitempty"`    // its kind and name, as the tool calls it
	Internal bool   `json:"internal,omitempty"` // the tool opened it for itself: nobody asked for anything
}

// Recap is what a tool wrote about its session, in neither the user's words nor
// the agent's. What names its kind: away summary, compaction summary, objective,
// plan file, last message. Nothing was asked since, else it is not shown.
type Recap struct {
	What   string    `json:"what"`
	Text   string    `json:"text"`
	Time   time.Time `json:"time,omitzero"` // when it was written
	Source Source    `json:"source"`
}

// Whose a constraint is that nobody in the session worded.
const (
	ProjectRules = "project rules: "        // of a context file
	CommandRules = "rules of the command: " // of the slash command or skill that the work follows
)

// Who words a Task that the user did not.
const (
	ByAgent   = "agent"   // the agent that started this one
	BySummary = "summary" // the tool's summary of a session that is gone
)

// Task is the request that is being worked on, in the user's words. Now is the
// newest prompt, where it says something only together with Text. Goal is what
// the topic began with, or how the tool's own summary put it since; it is empty
// once a new topic has begun. Before is the last weighty request between the two.
// Parts are the paragraphs and list entries of a Text that was too long to be quoted whole.
type Task struct {
	Text   string   `json:"text"`
	Parts  []string `json:"parts,omitempty"`
	By     string   `json:"by,omitempty"` // ByAgent or BySummary; empty: the user's words
	Now    string   `json:"now,omitempty"`
	Nudge  bool     `json:"nudge,omitempty"`  // Now only moves the task on
	NowTo  string   `json:"now_to,omitempty"` // the question that Now answers, or the option it names
	Before string   `json:"before,omitempty"`
	Goal   string   `json:"goal,omitempty"`
	GoalBy string   `json:"goal_by,omitempty"` // BySummary; empty: the user's words
	// GoalOutcome is what came of the request that stands as Goal, before those after it.
	GoalOutcome string `json:"goal_outcome,omitempty"`
	// BeforeOutcome is the same of the request that stands as Before.
	BeforeOutcome string `json:"before_outcome,omitempty"`
	Source        Source `json:"source"`
}

// Request is one thing the user asked for, with what came of it. Relation is
// new, continues, answers or corrects. Concluded are the sentences with which
// the agent concluded it. Near says that it is the current one, or one of the few
// before it that matter most to it.
type Request struct {
	Text      string      `json:"text"`
	Relation  string      `json:"relation"`
	Outcome   string      `json:"outcome"`
	Evidence  Evidence    `json:"evidence"`
	Concluded []Statement `json:"concluded,omitempty"`
	Near      bool        `json:"near,omitempty"`
	Overtaken bool        `json:"overtaken,omitempty"` // files were changed after the agent concluded it
	ActedOn   bool        `json:"acted_on,omitempty"`  // files were changed since, as the person agreed to what the agent said
	Source    Source      `json:"source"`
}

// Git is the repository as last recorded.
type Git struct {
	Branch  string   `json:"branch,omitempty"`
	Head    string   `json:"head,omitempty"`
	Commits []string `json:"commits,omitempty"`
	Stat    string   `json:"stat,omitempty"`   // the closing line of git diff --stat, of work not committed
	Halted  string   `json:"halted,omitempty"` // merge, rebase, cherry-pick, revert or bisect that waits for its end
}

// Progress is one step; State is done, doing, todo or blocked. Touched says of one
// that is not done that all files it names were changed since it was listed, and
// others after them, or that it is to commit and push, and both were done.
type Progress struct {
	Text     string   `json:"text"`
	State    string   `json:"state"`
	Touched  bool     `json:"touched,omitempty"`
	Outdated int      `json:"outdated,omitempty"` // so many changes ago its list was brought up to date, where that is long
	Evidence Evidence `json:"evidence,omitempty"`
	Source   Source   `json:"source"`
}

// File is a file the session worked on. Turn is how many turns ago it was changed, or read
// where it was not changed.
type File struct {
	Path    string   `json:"path"`
	Change  string   `json:"change"` // edit, write, read, delete, move: it has another name now
	Turn    int      `json:"turn"`
	Tests   string   `json:"tests"` // failing, passing, unknown
	Symbols []string `json:"symbols,omitempty"`
	Source  Source   `json:"source"`
}

// Named is a file that was named and not opened, or read so long ago that it is not among
// the files.
type Named struct {
	Path   string `json:"path"`
	Why    string `json:"why,omitempty"`
	Read   bool   `json:"read,omitempty"` // it was read, long ago
	Source Source `json:"source"`
}

// LastFailures is how many of the newest failures stand first in a list of them,
// however they ended.
const LastFailures = 4

// Failure is something tried that failed. Why is the first line of the error,
// text of a tool. Ended is empty while the failure is open; else it says how
// it ended: worked around (Solved names what worked instead), abandoned, or
// harmless for a look-up that found nothing.
type Failure struct {
	What     string   `json:"what"`
	Why      string   `json:"why"`
	Also     []string `json:"also,omitempty"` // what the same run names beside it: how many failed, other tests or files
	Count    int      `json:"count"`
	Differs  bool     `json:"differs,omitempty"` // it did not fail the same way each time: Why is the last
	Exit     int      `json:"exit,omitempty"`    // status the last time, 0 where there is none
	Ended    string   `json:"ended,omitempty"`
	Solved   string   `json:"solved,omitempty"`
	Turn     int      `json:"turn,omitempty"` // how many requests ago it failed last
	Evidence Evidence `json:"evidence,omitempty"`
	Source   Source   `json:"source"`
}

// Chose begins a choice of the agent that it announced and made.
const Chose = "chose: "

// Evidence is how a fact is known.
type Evidence string

// The grades of evidence.
const (
	Proved Evidence = "proved" // by a result, a commit, a file
	Said   Evidence = "said"   // by the agent
	ByUser Evidence = "asked"  // by the user
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
	Said      string    `json:"said,omitempty"` // the user's own words, beside the option they point to
	Rationale string    `json:"rationale,omitempty"`
	Tradeoffs string    `json:"tradeoffs,omitempty"`
	Rejected  []Refused `json:"rejected"`
	Kind      string    `json:"kind"` // asked, answer, plan, block, correction, prose
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
	Under  string `json:"under,omitempty"`  // the heading it stands under in a reply
	Weight int    `json:"weight,omitempty"` // of what concludes a request: how much it says
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
