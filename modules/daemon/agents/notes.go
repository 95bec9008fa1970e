package agents

import (
	"context"

	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// AgentNotes are the notes of a named agent.
func (a *Service) AgentNotes(ctx context.Context, request view.AgentRequest) (ledger.AgentLedger, error) {
	at, err := a.locate(ctx, request.Agent, request.Project, false)
	if err != nil {
		return ledger.AgentLedger{}, err
	}
	return a.notesIn(ctx, at, request.Agent, "")
}

// notesIn are the notes of an agent in a project; hint says what to do when
// there are none.
func (a *Service) notesIn(ctx context.Context, at continuity.AgentLocation, agent, hint string) (ledger.AgentLedger, error) {
	notes, found, err := a.store.AgentLedger(ctx, at.Project, agent)
	if err == nil && !found {
		err = refused(view.CodeNotFound, "there is no ledger of "+agent, hint)
	}
	return notes, err
}

// SaveAgentNotes merges notes, or fields as text, into those of a named agent.
func (a *Service) SaveAgentNotes(ctx context.Context, request view.AgentNotesRequest) (ledger.AgentLedger, error) {
	at, err := a.locate(ctx, request.Agent, request.Project, true)
	if err != nil {
		return ledger.AgentLedger{}, err
	}
	message := view.AgentMessage{AgentName: request.Agent, CLI: request.Notes.CLI, SessionID: request.Notes.SessionID, Content: request.Content}
	if request.Content == "" {
		message.Ledger = &request.Notes
	}
	if _, err := a.keeper.Save(ctx, at, message); err != nil {
		return ledger.AgentLedger{}, err
	}
	return a.notesIn(ctx, at, request.Agent, "")
}

// AgentHandoffs lists the handoffs of a named agent, newest first.
func (a *Service) AgentHandoffs(ctx context.Context, request view.AgentHandoffListRequest) (list view.List[ledger.AgentHandoff], err error) {
	at, err := a.locate(ctx, request.Agent, request.Project, false)
	if err != nil {
		return list, err
	}
	return view.Part(request.Page, func(h ledger.AgentHandoff) string { return h.ID }, func(after string, limit int) ([]ledger.AgentHandoff, error) {
		return a.store.Handoffs(ctx, ledger.HandoffFilter{Project: at.Project, Agent: request.Agent, Archived: request.Archived, After: after, Limit: limit})
	})
}

// MakeAgentHandoff makes a handoff of an agent's notes.
func (a *Service) MakeAgentHandoff(ctx context.Context, request view.AgentHandoffRequest) (handoff ledger.AgentHandoff, err error) {
	at, err := a.locate(ctx, request.Agent, request.Project, false)
	if err != nil {
		return handoff, err
	}
	if _, err := a.notesIn(ctx, at, request.Agent, "save one first"); err != nil {
		return handoff, err
	}
	id, err := a.keeper.Save(ctx, at, view.AgentMessage{AgentName: request.Agent, CreateHandoff: true, Reason: request.Reason, Summary: request.Summary})
	if err != nil {
		return handoff, err
	}
	return a.agentHandoff(ctx, id)
}

// agentHandoff is the handoff with an id.
func (a *Service) agentHandoff(ctx context.Context, id string) (ledger.AgentHandoff, error) {
	list, err := a.store.Handoffs(ctx, ledger.HandoffFilter{ID: id})
	switch {
	case err != nil:
		return ledger.AgentHandoff{}, err
	case len(list) > 0:
		return list[0], nil
	}
	return ledger.AgentHandoff{}, refused(view.CodeNotFound, "no handoff with the id "+id, "run `carryover continuity handoffs NAME` to list them")
}

// ClearAgent deletes everything of a named agent.
func (a *Service) ClearAgent(ctx context.Context, request view.AgentRequest) (view.Done, error) {
	at, err := a.locate(ctx, request.Agent, request.Project, false)
	if err != nil {
		return view.Done{}, err
	}
	return view.Done{Status: "cleared"}, a.keeper.Clear(ctx, at, request.Agent)
}

// SearchAgents finds what agents left.
func (a *Service) SearchAgents(ctx context.Context, request view.AgentSearchRequest) (view.AgentSearchResult, error) {
	found := view.AgentSearchResult{Schema: 1, Hits: []view.AgentSearchHit{}}
	filter := ledger.AgentQuery{Text: request.Query, Agent: request.Agent, Limit: view.Page{Limit: request.Limit}.Bounded().Limit}
	if request.Project != "" {
		at, err := a.locate(ctx, request.Agent, request.Project, false)
		if err != nil {
			return found, err
		}
		filter.Project = at.Project
	}
	hits, err := a.store.SearchAgents(ctx, filter)
	for _, hit := range hits {
		found.Hits = append(found.Hits, view.AgentSearchHit{
			Kind: hit.Kind, Agent: hit.Agent, Project: hit.Project, Handoff: hit.ID, Time: view.Timestamp(hit.Time), Snippet: hit.Snippet,
		})
	}
	return found, err
}
