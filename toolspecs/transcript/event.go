// Package transcript is what every agent's history looks like once it has been
// read: a stream of events with the place each one came from.
//
// The types here are add-only: all other modules import them, and a ledger
// written by one version is read by the next.
package transcript

import (
	"strings"
	"time"
)

// BodyVersion is written into every stored event body. It rises only when the
// meaning of a field changes, never when a field is added.
const BodyVersion = 1

// Sentinel begins every text that Carryover puts into a session. A record that
// begins with it is our own voice coming back and is never read as content.
const Sentinel = "# [CARRYOVER]"

// Kind says what an event is. The set is open: a reader may emit a kind that
// an older ledger or distiller does not know, and they must carry it along.
type Kind string

// The kinds every part of Carryover knows.
const (
	// Session opens a session or changes what is known of it (Start, Place).
	Session Kind = "session"
	// Title is the name the tool or the user gave the session (Text).
	Title Kind = "title"
	// Prompt is something sent to the agent; Origin says by whom.
	Prompt Kind = "prompt"
	// Reply is prose of the agent.
	Reply Kind = "reply"
	// Call is a tool call of the agent, or what the person ran or added between
	// two turns (Origin typed).
	Call Kind = "call"
	// Result is the final outcome of a call.
	Result Kind = "result"
	// Question is something the agent asked through its asking tool; the
	// Decision field holds question and options, nothing chosen yet.
	Question Kind = "question"
	// Decided is a decision: an answer, an approved plan, a DECISION: block.
	Decided Kind = "decision"
	// Plan is a plan document or proposal (Text).
	Plan Kind = "plan"
	// Todo is the whole todo list after a change (Items).
	Todo Kind = "todo"
	// Goal is a goal the tool tracks (Text; Items[0].State its state).
	Goal Kind = "goal"
	// Compacting says that the tool has begun to shorten its context (Compaction:
	// by whom). A Compacted follows, unless the compaction comes to nothing.
	Compacting Kind = "compacting"
	// Compacted marks the point where the tool shortened its context.
	Compacted Kind = "compaction"
	// UsageRead is a usage record of the model.
	UsageRead Kind = "usage"
	// Recap is what the tool itself wrote about the session, in neither the
	// user's words nor the agent's (Text; Recap says what it is).
	Recap Kind = "recap"
	// Turn ends a turn; Text is TurnCompleted, TurnInterrupted or TurnFailed.
	Turn Kind = "turn"
	// Rollback takes the last Turns prompts and all that followed them back.
	Rollback Kind = "rollback"
	// Git is a fact about a repository, recorded by the daemon, not by a tool.
	Git Kind = "git"
	// Code is what the text of an edit shows about the code (Symbols, Code;
	// Parent is the id of the call). It is made at ingest, not by a reader, and
	// is no part of the ledger's digest.
	Code Kind = "code"
	// Restored says that Carryover's own text reached the session here.
	Restored Kind = "restored"
)

// How a turn ended (Event.Text of kind Turn).
const (
	TurnCompleted   = "completed"
	TurnInterrupted = "interrupted"
	TurnFailed      = "failed"
)

// RecapSource says what the text of a Recap is.
type RecapSource string

// Sources of a Recap. The summary of a compaction is the Text of the Compacted
// event and no Recap.
const (
	AwaySummary RecapSource = "away summary" // written while the user was away
	Objective   RecapSource = "objective"    // the aim as the tool keeps it for the model
	PlanFile    RecapSource = "plan file"    // a plan the tool keeps in a file of its own
	LastMessage RecapSource = "last message" // the last reply as the tool quotes it at the end of a turn
)

// Origin says who wrote a prompt, or made a call that is not the agent's.
type Origin string

// Origins of a prompt. Only typed and queued ones are the user's words.
const (
	Typed    Origin = "typed"    // typed at the prompt, or given to a headless run
	Queued   Origin = "queued"   // typed while the agent was working
	Machine  Origin = "machine"  // slash command records, notifications, environment blocks, expanded commands
	Injected Origin = "injected" // put there by a hook or another agent
)

// Meaning is what a tool call does, whatever the tool calls it.
type Meaning string

// The meanings a spec maps tool names to.
const (
	Edit     Meaning = "edit"
	Write    Meaning = "write"
	Delete   Meaning = "delete"
	Read     Meaning = "read"
	Shell    Meaning = "shell"
	Search   Meaning = "search"
	Fetch    Meaning = "fetch"
	Ask      Meaning = "ask"
	Planning Meaning = "plan"
	Todos    Meaning = "todo"
	Subagent Meaning = "subagent"
	Other    Meaning = "other"
)

// Outcome of a call beyond success and failure.
type Outcome string

// Outcomes that are not failures of the work: the user said no, a guard or
// hook refused, a sibling of a failed parallel call was cancelled, or the call
// has ended and the tool does not say how.
const (
	Rejected       Outcome = "rejected"
	Blocked        Outcome = "blocked"
	Cancelled      Outcome = "cancelled"
	Interrupted    Outcome = "interrupted"
	UnknownOutcome Outcome = "untold"
	// Limited is of a turn that failed: its record says, in a field of its own, that a
	// limit of the service was hit.
	Limited Outcome = "limited"
)

// Event is one thing that happened in a session. Fields that do not belong to
// the kind are zero. Times are the tool's own, in UTC; a zero time is unknown
// and stays unknown.
type Event struct {
	Tool    string    `json:"tool"`
	Session string    `json:"session"`
	ID      string    `json:"id"`               // unique within the tool: record id + "#" + block
	Parent  string    `json:"parent,omitempty"` // event or call this one hangs at
	Time    time.Time `json:"time,omitzero"`
	Kind    Kind      `json:"kind"`
	Text    string    `json:"text,omitempty"`

	Call       *CallInfo       `json:"call,omitempty"`
	Result     *ResultInfo     `json:"result,omitempty"`
	Usage      *UsageInfo      `json:"usage,omitempty"`
	Decision   *Decision       `json:"decision,omitempty"`
	Items      []Item          `json:"items,omitempty"`
	WorkDir    *WorkDir        `json:"place,omitempty"`
	Start      *Start          `json:"start,omitempty"`
	Compaction *CompactionInfo `json:"compaction,omitempty"`
	Git        *GitInfo        `json:"git,omitempty"`
	Recap      RecapSource     `json:"recap,omitempty"`
	Turns      int             `json:"turns,omitempty"` // Rollback: how many prompts were taken back
	Symbols    []string        `json:"symbols,omitempty"`
	Code       *CodeInfo       `json:"code,omitempty"`

	Origin    Origin `json:"origin,omitempty"`
	Subagent  bool   `json:"subagent,omitempty"`
	Civil     bool   `json:"civil,omitempty"`     // Time is what a clock showed, of a zone the tool does not say; it stands here as if it were UTC
	Planning  bool   `json:"planning,omitempty"`  // Prompt: given in a mode of the tool in which nothing is changed before the user agrees to a plan. Reply: it is such a plan
	Final     bool   `json:"final,omitempty"`     // Reply: its tool marks it as the one that closes the turn
	Withdrawn bool   `json:"withdrawn,omitempty"` // the tool took it back; kept, not distilled
}

// CallInfo describes a tool call.
type CallInfo struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"` // as the tool calls it
	Meaning Meaning  `json:"meaning"`
	Paths   []string `json:"paths,omitempty"`   // as given by the tool, absolute or relative to Place.Cwd
	Command string   `json:"command,omitempty"` // shell text
	Detail  string   `json:"detail,omitempty"`  // pattern, URL, description: what the call was about
	Cwd     string   `json:"cwd,omitempty"`     // when it differs from the session's
}

// hookCall begins the id of a call that a hook of the person's made.
const hookCall = "hook:"

// HookCallID is the id of a call that no agent made, but a hook of the person's: of the
// record that tells of it.
func HookCallID(record string) string { return hookCall + record }

// ByHook says that a hook of the person's made the call.
func (c CallInfo) ByHook() bool { return strings.HasPrefix(c.ID, hookCall) }

// ResultInfo is the outcome of a call. Text is bounded by the ledger's
// Prepare; Overflow points to the tool's own file with the whole output.
type ResultInfo struct {
	CallID   string  `json:"call_id"`
	Failed   bool    `json:"failed,omitempty"`
	ExitCode *int    `json:"exit_code,omitempty"`
	Outcome  Outcome `json:"outcome,omitempty"`
	Text     string  `json:"text,omitempty"`
	Overflow string  `json:"overflow,omitempty"`
	// Unseen says that the call was carried out and that the source keeps no
	// result of it: an edit happened, a check has neither passed nor failed.
	// Outcome is UnknownOutcome.
	Unseen bool `json:"unseen,omitempty"`
}

// UsageInfo is how full the context was after a reply, in tokens.
type UsageInfo struct {
	Context int64  `json:"context"`
	Window  int64  `json:"window,omitempty"` // 0: the record does not say
	Model   string `json:"model,omitempty"`
}

// Item is one entry of a todo list or plan.
type Item struct {
	Text  string `json:"text"`
	State string `json:"state,omitempty"` // done, doing, todo, blocked
}

// WorkDir is where the agent worked.
type WorkDir struct {
	Cwd    string `json:"cwd,omitempty"`
	Branch string `json:"branch,omitempty"`
	Head   string `json:"head,omitempty"`
}

// Start is what a session record says about the session as a whole.
type Start struct {
	Version    string `json:"version,omitempty"`    // of the tool
	Originator string `json:"originator,omitempty"` // front end, as the tool names it
	Headless   bool   `json:"headless,omitempty"`   // nobody can answer
	From       string `json:"from,omitempty"`       // session this one came from
	How        string `json:"how,omitempty"`        // fork, clear, copy, subagent, or Boundary
	// Agent is, of a subagent, its kind and name as the tool calls it. With an
	// Agent and no From the events are of a subagent of the Session itself.
	Agent string `json:"agent,omitempty"`
	// Internal says that the tool opened the session for itself: no user and no
	// agent asked for anything in it.
	Internal   bool   `json:"internal,omitempty"`
	FromOffset int64  `json:"from_offset,omitempty"` // where in From's main source the fork left it; 0: not said
	Model      string `json:"model,omitempty"`
	EndsTurns  bool   `json:"ends_turns,omitempty"` // the tool records the end of every turn: without one the turn goes on
}

// Boundary is How of a Session in the middle of a source: the events before it
// are the history of another session, copied, and none of this one's work.
const Boundary = "boundary"

// CompactionInfo describes a compaction. Event.Text holds the tool's own summary
// where it can be read.
type CompactionInfo struct {
	Trigger    string   `json:"trigger,omitempty"` // manual or auto
	PreTokens  int64    `json:"pre_tokens,omitempty"`
	PostTokens int64    `json:"post_tokens,omitempty"`
	Kept       []string `json:"kept,omitempty"`    // ids of events the tool kept verbatim
	Cleared    bool     `json:"cleared,omitempty"` // nothing was kept, and no summary takes its place
}

// GitInfo is a state of a repository as the daemon read it.
type GitInfo struct {
	Repository string   `json:"repository,omitempty"`
	Branch     string   `json:"branch,omitempty"`
	Head       string   `json:"head,omitempty"`
	Commits    []string `json:"commits,omitempty"` // "abbrev subject", newest first
	DiffStat   string   `json:"diff_stat,omitempty"`
}

// CodeInfo is what an edit did to the code of a file.
type CodeInfo struct {
	Path   string   `json:"path"`             // as the call gave it
	Added  []string `json:"added,omitempty"`  // comments that are new and say that something is left to do
	Gone   []string `json:"gone,omitempty"`   // those that were taken away
	Whole  bool     `json:"whole,omitempty"`  // the whole file was parsed, so Broken says something
	Broken bool     `json:"broken,omitempty"` // it no longer parses, and did before
}

// Decision is a choice that was made, with its reasons.
type Decision struct {
	Topic     string    `json:"topic,omitempty"`
	Question  string    `json:"question,omitempty"`
	Options   []Option  `json:"options,omitempty"`
	Chosen    []string  `json:"chosen,omitempty"`
	Rationale string    `json:"rationale,omitempty"`
	Tradeoffs string    `json:"tradeoffs,omitempty"`
	Rejected  []Refused `json:"rejected,omitempty"`
	Kind      string    `json:"kind"` // asked, plan, block, correction, prose
	CallID    string    `json:"call_id,omitempty"`
}

// Option is one of the answers that were offered.
type Option struct {
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
}

// Refused is an option that was turned down.
type Refused struct {
	Option string `json:"option"`
	Reason string `json:"reason,omitempty"`
}
