package view

import (
	"context"
	"encoding/json"

	"github.com/carryover-go/carryover/modules/ledger"
)

// Agents is the continuity of named agents. What is not known is CodeNotFound,
// several projects with an agent of that name CodeAmbiguous.
type Agents interface {
	// AnswerMessage answers a message of a wrapper. The answer may be a NACK; an
	// error says that none came.
	AnswerMessage(ctx context.Context, message AgentMessage) (AgentAnswer, error)
	// Listen hands a wrapper what is to be typed. The channel ends with the
	// context, and with the daemon.
	Listen(ctx context.Context, request AgentRequest) (<-chan AgentMessage, error)

	AgentNotes(ctx context.Context, request AgentRequest) (ledger.AgentLedger, error)
	SaveAgentNotes(ctx context.Context, request AgentNotesRequest) (ledger.AgentLedger, error)
	AgentHandoffs(ctx context.Context, request AgentHandoffListRequest) (List[ledger.AgentHandoff], error)
	MakeAgentHandoff(ctx context.Context, request AgentHandoffRequest) (ledger.AgentHandoff, error)
	// Inject has a handoff or a text typed into a wrapped agent; CodeNoWrapper
	// when none runs.
	Inject(ctx context.Context, request InjectRequest) (Done, error)
	// ClearAgent removes everything of an agent.
	ClearAgent(ctx context.Context, request AgentRequest) (Done, error)
	SearchAgents(ctx context.Context, request AgentSearchRequest) (AgentSearchResult, error)
}

// AgentRequest names an agent.
type AgentRequest struct {
	Agent   string `path:"agent" json:"-" jsonschema:"The name of the agent."`
	Project string `query:"project" json:"-" jsonschema:"A directory of its project, or the project's id; left out, the one project that has an agent of this name."`
}

// Complete refuses what cannot be an agent's name.
func (r AgentRequest) Complete() error {
	if !ledger.ValidAgent(r.Agent) {
		return Invalid("invalid agent name: use at most 64 letters, digits, dots, dashes and underscores")
	}
	return nil
}

// AgentNotesRequest saves notes, given field by field or as an agent would
// print them.
type AgentNotesRequest struct {
	AgentRequest
	Notes   ledger.AgentLedger
	Content string // in place of Notes
}

// plainNotes are notes without methods of their own: they lie beside content.
type plainNotes ledger.AgentLedger

type agentNotesBody struct {
	plainNotes
	Content string `json:"content"`
}

// MarshalJSON writes the notes with the content beside their fields.
func (r AgentNotesRequest) MarshalJSON() ([]byte, error) {
	return json.Marshal(agentNotesBody{plainNotes(r.Notes), r.Content})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *AgentNotesRequest) UnmarshalJSON(data []byte) error {
	var body agentNotesBody
	err := json.Unmarshal(data, &body)
	r.Notes, r.Content = ledger.AgentLedger(body.plainNotes), body.Content
	return err
}

// AgentHandoffListRequest asks for the handoffs of an agent, newest first.
type AgentHandoffListRequest struct {
	AgentRequest
	Archived bool `query:"archived" jsonschema:"Also the archived ones."`
	Page
}

// AgentHandoffRequest asks for a handoff of what an agent's notes say.
type AgentHandoffRequest struct {
	AgentRequest
	Reason  ledger.Trigger `json:"reason,omitempty" jsonschema:"Why it is made; manual when left out."`
	Summary string         `json:"summary,omitempty" jsonschema:"One sentence about it."`
}

// InjectRequest is what is to be typed: a handoff or a text.
type InjectRequest struct {
	AgentRequest
	HandoffID string `json:"handoffId,omitempty" jsonschema:"A handoff, of this agent or another."`
	Context   string `json:"context,omitempty" jsonschema:"A text, in place of a handoff."`
}

// Done says what became of a request that has no other result.
type Done struct {
	Status string `json:"status"` // accepted, cleared
}

// AgentSearchRequest is a search in what agents left.
type AgentSearchRequest struct {
	Query   string `query:"q" jsonschema:"Words, \"phrases\" and beginnings*."`
	Agent   string `query:"agent" jsonschema:"Only what this agent left."`
	Project string `query:"project" jsonschema:"A directory of the project, or its id."`
	Limit   int    `query:"limit" jsonschema:"At most so many hits."`
}

// AgentSearchResult is the result of a search in what agents left.
type AgentSearchResult struct {
	Schema int              `json:"schema"`
	Hits   []AgentSearchHit `json:"hits"`
}

// AgentSearchHit is one hit.
type AgentSearchHit struct {
	Kind    string `json:"kind"` // ledger, handoff, learning
	Agent   string `json:"agent"`
	Project string `json:"project"`
	Handoff string `json:"handoff,omitempty"` // id
	Time    string `json:"time,omitempty"`
	Snippet string `json:"snippet"`
}

// The messages between a wrapper and the daemon. Each is answered Ack or Nack.
const (
	MessageSave   = "CONTINUITY_SAVE"
	MessageLoad   = "CONTINUITY_LOAD"
	MessageSearch = "CONTINUITY_SEARCH"
	MessageInject = "CONTINUITY_INJECT" // from the daemon to the wrapper
	MessageLimit  = "CONTINUITY_LIMIT"  // so, too: the context of a session is full, by its usage records; not answered
	Ack           = "ACK"
	Nack          = "NACK"
)

// AgentMessage is one of them, as it goes over the socket and lies in the spool.
type AgentMessage struct {
	Type      string `json:"type"`
	ID        string `json:"id,omitempty"` // of an injection, for its answer; of a save, so that it counts once
	AgentName string `json:"agentName" path:"agent" jsonschema:"The name of the agent."`
	Directory string `json:"directory,omitempty"` // where the agent works
	CLI       string `json:"cli,omitempty"`
	SessionID string `json:"sessionId,omitempty"`

	Ledger        *ledger.AgentLedger `json:"ledger,omitempty"`  // of a save, or
	Content       string              `json:"content,omitempty"` // its fields as text
	CreateHandoff bool                `json:"createHandoff,omitempty"`
	Auto          bool                `json:"auto,omitempty"`    // saved by the wrapper: what sessions say fills the gaps
	Started       int64               `json:"started,omitempty"` // Unix milliseconds of the start of the run, of a limit of the session
	Reason        ledger.Trigger      `json:"reason,omitempty"`
	Summary       string              `json:"summary,omitempty"`

	Query     string `json:"query,omitempty"`
	Restarted bool   `json:"restarted,omitempty"` // of a load: no person attends the run
	Context   string `json:"context,omitempty"`   // of an injection: the text to be typed
}

// Complete refuses what cannot be an agent's name.
func (m AgentMessage) Complete() error { return AgentRequest{Agent: m.AgentName}.Complete() }

// AgentAnswer is what a message gets.
type AgentAnswer struct {
	Type      string `json:"type"`
	ID        string `json:"id,omitempty"`
	Reason    string `json:"reason,omitempty"`    // of a NACK
	Final     bool   `json:"final,omitempty"`     // of a NACK: asking again brings the same
	Context   string `json:"context,omitempty"`   // of a load or a search: the text to be typed
	HandoffID string `json:"handoffId,omitempty"` // of a save that made one
}
