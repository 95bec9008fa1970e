// Package restore decides what a session that starts is given of the work
// before it, and puts it together.
package restore

import (
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
)

// What is given.
const (
	Full    = ledger.RestoredFull   // header and handoff
	Seam    = "seam"                // after a compaction: re-orientation and handoff
	Pointer = "pointer"             // one line
	Opened  = ledger.RestoredOpened // nothing more: the handoff is the first thing in the session
	Nothing = "nothing"
)

// Dismissed is kept beside the decisions of the gate: the user wants a
// session's handoff no longer.
const Dismissed = ledger.Dismissed

// Notice is kept beside the decisions of the gate: the session was given how
// full its context is.
const Notice = "notice"

// The header that a handoff is given under.
const (
	HeadMode   = "mode"   // of the configured resume mode
	HeadSilent = "silent" // nobody can answer
	HeadSeam   = "seam"   // the session's own context was compacted
	NoHead     = "none"   // the pointer is a line of its own; nothing has none
)

// Start is a session start as the gate sees it. Everything it depends on is in
// here, so that a decision can be tested and explained.
type Start struct {
	Source        string        // startup, resume, clear, compact, fork
	Subagent      bool          // inside a subagent
	Excluded      bool          // the project is excluded
	NoProject     bool          // the directory is nobody's project
	Found         bool          // there is another session
	NoRequest     bool          // no session here has a request to hand over, nor what it began with
	Own           bool          // the handoff is of this very session
	Since         bool          // the handed-over session worked after this one last did
	Inherited     bool          // the session holds the handed-over one's history itself (a fork)
	Opened        bool          // the session began with the handoff: `carryover switch` opened the agent so
	ReadsFile     bool          // the agent reads the published file by itself, and an editor's connection asks
	Given         bool          // something was given in this session already
	Dismissed     bool          // the user dismissed the handoff, and its session did nothing since
	Headless      bool          // nobody can answer in this run
	Parallel      bool          // another session of the worktree has not ended
	OtherPart     bool          // the handoff is of another part of the worktree, as one application of a monorepo
	OtherWorktree bool          // the handoff is of another worktree of the project
	OtherBranch   bool          // the handoff is of work on another branch than the one that is checked out
	Age           time.Duration // of the last event handed over
	StaleAfter    time.Duration
}

// Row is one rule of the gate. The first row whose When holds decides.
type Row struct {
	Name  string
	Holds string // When, in words
	When  func(Start) bool
	Give  string
	Head  string
	Why   string // for the person who asks `carryover status --why`
}

// dismissedRow is the name of the row of a handoff that the user dismissed.
const dismissedRow = "dismissed"

// otherPartRow is the name of the row of a handoff of another part of the project.
const otherPartRow = "other part"

// Table is the gate, in order. ARCHITECTURE.md shows it.
var Table = []Row{
	{
		"subagent", "the session runs inside a subagent",
		func(s Start) bool { return s.Subagent }, Nothing, NoHead,
		"a subagent has its task from its parent",
	},
	{
		"no project", "the directory belongs to nobody",
		func(s Start) bool { return s.NoProject }, Nothing, NoHead,
		"the directory is the home, temporary or root folder itself",
	},
	{
		"excluded", "`exclude` covers the project",
		func(s Start) bool { return s.Excluded }, Nothing, NoHead,
		"the project is excluded by the configuration",
	},
	{
		"nothing captured", "no other session is known here",
		func(s Start) bool { return !s.Found }, Nothing, NoHead,
		"no earlier session is known in this project",
	},
	{
		"no request", "no session here, nor what it began with, has a request",
		func(s Start) bool { return s.NoRequest }, Nothing, NoHead,
		"no request was recorded in the earlier sessions of this project: there is nothing to hand over",
	},
	{
		"reads the file", "an agent in an editor that reads the published file by itself",
		func(s Start) bool { return s.ReadsFile }, Nothing, NoHead,
		"the agent reads .carryover/context.md by itself",
	},
	{
		"after a compaction", "source is `compact`, the handoff is the session's own",
		func(s Start) bool { return s.Source == "compact" && s.Own }, Seam, HeadSeam,
		"the context was compacted: the session's own work is given back",
	},
	{
		"already given", "this session was given a handoff before",
		func(s Start) bool { return s.Given }, Nothing, NoHead,
		"already given in this session, and its context was not compacted since",
	},
	{
		"own history", "the handoff is the session's own, no compaction",
		func(s Start) bool { return s.Own }, Nothing, NoHead,
		"the session is resumed and still has its own history",
	},
	{
		"opened with it", "`carryover switch` opened the agent with the handoff",
		func(s Start) bool { return s.Opened }, Opened, NoHead,
		"the session began with the handoff: `carryover switch` opened it so",
	},
	{
		dismissedRow, "`carryover dismiss`, and nothing was done there since",
		func(s Start) bool { return s.Dismissed }, Nothing, NoHead,
		"the handoff was dismissed by the user",
	},
	{
		"resumed", "source is `resume`, no other session is newer, or it is stale",
		func(s Start) bool { return s.Source == "resume" && (!s.Since || s.Age > s.StaleAfter) }, Nothing, NoHead,
		"the session is resumed and nothing happened here since",
	},
	{
		"fork", "the session holds the other one's history itself",
		func(s Start) bool { return s.Inherited || s.Source == "fork" }, Nothing, NoHead,
		"a fork begins with the history of the session it came from",
	},
	{
		"stale", "the last event is older than `stale_after` (14 days)",
		func(s Start) bool { return s.Age > s.StaleAfter }, Pointer, NoHead,
		"the last session is older than stale_after",
	},
	{
		otherPartRow, "the newest work was done in another part of the project, and none in this one",
		func(s Start) bool { return s.OtherPart }, Pointer, NoHead,
		"the earlier work was done in another part of this project, which is named",
	},
	{
		"headless", "nobody can answer in this run",
		func(s Start) bool { return s.Headless }, Full, HeadSilent,
		"there is earlier work, and nobody can answer in this run",
	},
	{
		"parallel", "another session of the worktree has not ended",
		func(s Start) bool { return s.Parallel }, Full, HeadMode,
		"there is earlier work, and a session that may still be at it is named",
	},
	{
		"resumed, others since", "source is `resume`, another session is newer",
		func(s Start) bool { return s.Source == "resume" }, Full, HeadMode,
		"another session worked here since this one stopped",
	},
	{
		"other worktree", "the newest work of the project was done in another worktree",
		func(s Start) bool { return s.OtherWorktree }, Full, HeadMode,
		"the earlier work was done in another worktree of this project, which is named",
	},
	{
		"other branch", "the work was done on another branch",
		func(s Start) bool { return s.OtherBranch }, Full, HeadMode,
		"the earlier work was done on another branch, which is named",
	},
	{
		"new session", "always",
		func(Start) bool { return true }, Full, HeadMode,
		"a new session in a project with earlier work",
	},
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
