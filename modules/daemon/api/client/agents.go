package client

import (
	"context"
	"net/http"

	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

const agent = "/api/v1/continuity/{agent}"

// AnswerMessage sends a wrapper's message. The answer may be a NACK; an error
// says that none came.
func (c *Client) AnswerMessage(ctx context.Context, message view.AgentMessage) (view.AgentAnswer, error) {
	return ask[view.AgentAnswer](ctx, c, http.MethodPost, agent+"/message", message)
}

// AgentNotes are the notes of an agent.
func (c *Client) AgentNotes(ctx context.Context, request view.AgentRequest) (ledger.AgentLedger, error) {
	return ask[ledger.AgentLedger](ctx, c, http.MethodGet, agent+"/ledger", request)
}

// SaveAgentNotes merges notes into those of an agent.
func (c *Client) SaveAgentNotes(ctx context.Context, request view.AgentNotesRequest) (ledger.AgentLedger, error) {
	return ask[ledger.AgentLedger](ctx, c, http.MethodPost, agent+"/ledger", request)
}

// AgentHandoffs lists the handoffs of an agent, newest first.
func (c *Client) AgentHandoffs(ctx context.Context, request view.AgentHandoffListRequest) (view.List[ledger.AgentHandoff], error) {
	return ask[view.List[ledger.AgentHandoff]](ctx, c, http.MethodGet, agent+"/handoffs", request)
}

// MakeAgentHandoff makes a handoff of an agent's notes.
func (c *Client) MakeAgentHandoff(ctx context.Context, request view.AgentHandoffRequest) (ledger.AgentHandoff, error) {
	return ask[ledger.AgentHandoff](ctx, c, http.MethodPost, agent+"/handoff", request)
}

// Inject lets the wrapper of an agent type.
func (c *Client) Inject(ctx context.Context, request view.InjectRequest) (view.Done, error) {
	return ask[view.Done](ctx, c, http.MethodPost, agent+"/inject", request)
}

// ClearAgent removes everything of an agent.
func (c *Client) ClearAgent(ctx context.Context, request view.AgentRequest) (view.Done, error) {
	return ask[view.Done](ctx, c, http.MethodPost, agent+"/clear", request)
}

// SearchAgents finds what agents left.
func (c *Client) SearchAgents(ctx context.Context, request view.AgentSearchRequest) (view.AgentSearchResult, error) {
	return ask[view.AgentSearchResult](ctx, c, http.MethodGet, "/api/v1/continuity/search", request)
}
