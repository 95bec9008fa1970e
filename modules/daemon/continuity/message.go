package continuity

import "github.com/carryover-go/carryover/modules/ledger"

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

// Message is one of them, as it goes over the socket and lies in the spool.
type Message struct {
	Type      string `json:"type"`
	ID        string `json:"id,omitempty"` // of an injection, for its answer; of a save, so that it counts once
	AgentName string `json:"agentName"`
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
	Restarted bool   `json:"restarted,omitempty"` // of a load: the run goes on without a person
	Context   string `json:"context,omitempty"`   // of an injection: the text to be typed
}

// Answer is what a message gets.
type Answer struct {
	Type      string `json:"type"`
	ID        string `json:"id,omitempty"`
	Reason    string `json:"reason,omitempty"`    // of a NACK
	Final     bool   `json:"final,omitempty"`     // of a NACK: asking again brings the same
	Context   string `json:"context,omitempty"`   // of a load or a search: the text to be typed
	HandoffID string `json:"handoffId,omitempty"` // of a save that made one
}
