package ledger

import (
	"context"
	"encoding/json"
	"regexp"
	"time"

	"github.com/carryover-go/carryover/modules/ledger/redact"
)

// agentName is what an agent may be called.
var agentName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// ValidAgent says whether a name can be an agent's. "search" names a route;
// names of dots alone would name folders.
func ValidAgent(name string) bool {
	return agentName.MatchString(name) && name != "search" && name != "." && name != ".."
}

// Trigger says why a handoff of a named agent was made.
type Trigger string

// The reasons for a handoff.
const (
	TriggerManual     Trigger = "manual"              // the agent or a person asked for it
	TriggerRestart    Trigger = "auto_restart"        // the program ended, or was restarted
	TriggerLimit      Trigger = "context_limit"       // its context was full
	TriggerCrash      Trigger = "crash"               // it ended with an error or by a signal
	TriggerTrajectory Trigger = "trajectory_complete" // the trajectory it worked on was completed
)

// AgentLedger is what a named agent is at: its own words where it saved them,
// else what its sessions say.
type AgentLedger struct {
	AgentName      string       `json:"agentName"`
	SessionID      string       `json:"sessionId"`
	CLI            string       `json:"cli"`
	CurrentTask    string       `json:"currentTask"`
	Completed      []string     `json:"completed"`
	InProgress     []string     `json:"inProgress"`
	Blocked        []string     `json:"blocked"`
	NextSteps      []string     `json:"nextSteps"`
	KeyDecisions   []AgentChose `json:"keyDecisions"`
	UncertainItems []string     `json:"uncertainItems"`
	FileContext    []FileRange  `json:"fileContext"`
	Notes          []string     `json:"notes,omitempty"` // what was said outside of every field
	CurrentPhase   string       `json:"currentPhase,omitempty"`
	TrajectoryID   string       `json:"trajectoryId,omitempty"`
	UpdatedAt      time.Time    `json:"updatedAt"`
}

// AgentChose is a decision of an agent.
type AgentChose struct {
	Decision     string   `json:"decision"`
	Question     string   `json:"question,omitempty"`
	Reasoning    string   `json:"reasoning,omitempty"`
	Alternatives []string `json:"alternatives,omitempty"` // each with its reason, where one was given
}

// UnmarshalJSON takes a plain text for a decision without more.
func (c *AgentChose) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &c.Decision) == nil {
		return nil
	}
	type plain AgentChose
	return json.Unmarshal(data, (*plain)(c))
}

// FileRange is a file, and the lines of it that matter ("10-20").
type FileRange struct {
	Path  string `json:"path"`
	Lines string `json:"lines,omitempty"`
}

// AgentHandoff is what a named agent left for the next run, or for another
// agent of its project.
type AgentHandoff struct {
	ID              string       `json:"id"`
	AgentName       string       `json:"agentName"`
	CLI             string       `json:"cli"`
	Summary         string       `json:"summary"`
	TaskDescription string       `json:"taskDescription"`
	CompletedWork   []string     `json:"completedWork"`
	NextSteps       []string     `json:"nextSteps"`
	FileReferences  []FileRange  `json:"fileReferences"`
	Decisions       []AgentChose `json:"decisions"`
	RelatedHandoffs []string     `json:"relatedHandoffs"`
	CreatedAt       time.Time    `json:"createdAt"`
	TriggerReason   Trigger      `json:"triggerReason"`
	TrajectoryID    string       `json:"trajectoryId,omitempty"`
	PderoPhase      string       `json:"pderoPhase,omitempty"`
	Confidence      float64      `json:"confidence,omitempty"` // 0 to 1
	Learnings       []string     `json:"learnings,omitempty"`
	Archived        bool         `json:"archived,omitempty"` // no longer given out, still found
}

// agentTime is how times stand in JSON: UTC with milliseconds.
const agentTime = "2006-01-02T15:04:05.000Z"

// MarshalJSON writes lists that are empty as such and the time in UTC with
// milliseconds.
func (l AgentLedger) MarshalJSON() ([]byte, error) {
	type plain AgentLedger
	l.Completed, l.InProgress, l.Blocked = list(l.Completed), list(l.InProgress), list(l.Blocked)
	l.NextSteps, l.UncertainItems = list(l.NextSteps), list(l.UncertainItems)
	l.KeyDecisions, l.FileContext = list(l.KeyDecisions), list(l.FileContext)
	return json.Marshal(struct {
		plain
		UpdatedAt string `json:"updatedAt"`
	}{plain(l), l.UpdatedAt.UTC().Format(agentTime)})
}

// MarshalJSON writes as that of AgentLedger does.
func (h AgentHandoff) MarshalJSON() ([]byte, error) {
	type plain AgentHandoff
	h.CompletedWork, h.NextSteps, h.RelatedHandoffs = list(h.CompletedWork), list(h.NextSteps), list(h.RelatedHandoffs)
	h.FileReferences, h.Decisions = list(h.FileReferences), list(h.Decisions)
	return json.Marshal(struct {
		plain
		CreatedAt string `json:"createdAt"`
	}{plain(h), h.CreatedAt.UTC().Format(agentTime)})
}

func list[T any](of []T) []T {
	if of == nil {
		return []T{}
	}
	return of
}

// Redacted is the ledger without secrets, fit to be stored.
func (l AgentLedger) Redacted() AgentLedger {
	l.CurrentTask, l.CurrentPhase = redact.Text(l.CurrentTask), redact.Text(l.CurrentPhase)
	l.Completed, l.InProgress, l.Blocked = rewrite(redact.Text).list(l.Completed), rewrite(redact.Text).list(l.InProgress), rewrite(redact.Text).list(l.Blocked)
	l.NextSteps, l.UncertainItems, l.Notes = rewrite(redact.Text).list(l.NextSteps), rewrite(redact.Text).list(l.UncertainItems), rewrite(redact.Text).list(l.Notes)
	l.KeyDecisions = redactChosen(l.KeyDecisions)
	return l
}

// Redacted is the handoff without secrets, fit to be stored.
func (h AgentHandoff) Redacted() AgentHandoff {
	h.Summary, h.TaskDescription = redact.Text(h.Summary), redact.Text(h.TaskDescription)
	h.CompletedWork, h.NextSteps, h.Learnings = rewrite(redact.Text).list(h.CompletedWork), rewrite(redact.Text).list(h.NextSteps), rewrite(redact.Text).list(h.Learnings)
	h.Decisions = redactChosen(h.Decisions)
	return h
}

func redactChosen(from []AgentChose) []AgentChose {
	chosen := append([]AgentChose(nil), from...)
	for i := range chosen {
		one := &chosen[i]
		one.Decision, one.Question, one.Reasoning = redact.Text(one.Decision), redact.Text(one.Question), redact.Text(one.Reasoning)
		one.Alternatives = rewrite(redact.Text).list(one.Alternatives)
	}
	return chosen
}

// NamedAgent is an agent of a project that has a ledger or handoffs.
type NamedAgent struct {
	Project string // id
	Name    string
}

// HandoffFilter narrows a list of handoffs; empty fields do not.
type HandoffFilter struct {
	Project, Agent, ID string
	Archived           bool   // those that are archived, too
	After              string // id of the one behind which the list goes on
	Limit              int    // 0: all
}

// AgentQuery is a search in what agents left.
type AgentQuery struct {
	Project, Agent string
	Text           string // as in Query
	Any            bool   // any of the words is enough; hits with more of them come first
	Kind           string // ledger, handoff or learning; "" for all
	Limit          int    // 10 when 0
}

// AgentHit is a ledger, a handoff or a learning that matched.
type AgentHit struct {
	Kind    string // ledger, handoff, learning
	Project string
	Agent   string
	ID      string // of the handoff, also for a learning
	Time    time.Time
	Snippet string
}

// Agents is the memory of named agents, in the same file as the events.
type Agents interface {
	// AgentLedger returns the ledger of an agent of a project.
	AgentLedger(ctx context.Context, project, agent string) (ledger AgentLedger, found bool, err error)
	// PutAgentLedger replaces it. It is redacted before it is stored.
	PutAgentLedger(ctx context.Context, project string, ledger AgentLedger) error
	// PutHandoff adds a handoff, or replaces the one with its id.
	PutHandoff(ctx context.Context, project string, handoff AgentHandoff) error
	// Handoffs lists handoffs, newest first.
	Handoffs(ctx context.Context, filter HandoffFilter) ([]AgentHandoff, error)
	// ArchiveHandoffs marks handoffs made before a time, and removes of each
	// agent all but the newest keep (0 keeps all).
	ArchiveHandoffs(ctx context.Context, before time.Time, keep int) error
	// NamedAgents lists agents by project and name.
	NamedAgents(ctx context.Context) ([]NamedAgent, error)
	// SearchAgents finds what agents left, newest first.
	SearchAgents(ctx context.Context, query AgentQuery) ([]AgentHit, error)
	// ClearAgent removes all of an agent.
	ClearAgent(ctx context.Context, project, agent string) error
}
