package client

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// agents asks for what concerns named agents.
type agents struct{ conn *conn }

const agent = "/api/v1/continuity/{agent}"

// AnswerMessage sends a wrapper's message. The answer may be a NACK; an error
// says that none came.
func (a agents) AnswerMessage(ctx context.Context, message view.AgentMessage) (view.AgentAnswer, error) {
	return ask[view.AgentAnswer](ctx, a.conn, http.MethodPost, agent+"/message", message)
}

// AgentNotes are the notes of an agent.
func (a agents) AgentNotes(ctx context.Context, request view.AgentRequest) (ledger.AgentLedger, error) {
	return ask[ledger.AgentLedger](ctx, a.conn, http.MethodGet, agent+"/ledger", request)
}

// SaveAgentNotes merges notes into those of an agent.
func (a agents) SaveAgentNotes(ctx context.Context, request view.AgentNotesRequest) (ledger.AgentLedger, error) {
	return ask[ledger.AgentLedger](ctx, a.conn, http.MethodPost, agent+"/ledger", request)
}

// AgentHandoffs lists the handoffs of an agent, newest first.
func (a agents) AgentHandoffs(ctx context.Context, request view.AgentHandoffListRequest) (view.List[ledger.AgentHandoff], error) {
	return ask[view.List[ledger.AgentHandoff]](ctx, a.conn, http.MethodGet, agent+"/handoffs", request)
}

// MakeAgentHandoff makes a handoff of an agent's notes.
func (a agents) MakeAgentHandoff(ctx context.Context, request view.AgentHandoffRequest) (ledger.AgentHandoff, error) {
	return ask[ledger.AgentHandoff](ctx, a.conn, http.MethodPost, agent+"/handoff", request)
}

// Inject lets the wrapper of an agent type.
func (a agents) Inject(ctx context.Context, request view.InjectRequest) (view.Done, error) {
	return ask[view.Done](ctx, a.conn, http.MethodPost, agent+"/inject", request)
}

// ClearAgent removes everything of an agent.
func (a agents) ClearAgent(ctx context.Context, request view.AgentRequest) (view.Done, error) {
	return ask[view.Done](ctx, a.conn, http.MethodPost, agent+"/clear", request)
}

// SearchAgents finds what agents left.
func (a agents) SearchAgents(ctx context.Context, request view.AgentSearchRequest) (view.AgentSearchResult, error) {
	return ask[view.AgentSearchResult](ctx, a.conn, http.MethodGet, "/api/v1/continuity/search", request)
}

// Listen gives the messages to a wrapper, until the context or the daemon ends.
func (a agents) Listen(ctx context.Context, request view.AgentRequest) (<-chan view.AgentMessage, error) {
	body, err := open(ctx, a.conn, agent+"/messages", request)
	if err != nil {
		return nil, err
	}
	messages := make(chan view.AgentMessage)
	go func() {
		defer close(messages)
		defer func() { _ = body.Close() }()
		for decoder := json.NewDecoder(body); ; {
			var message view.AgentMessage
			if decoder.Decode(&message) != nil || !pass(ctx, messages, message) {
				return
			}
		}
	}()
	return messages, nil
}
