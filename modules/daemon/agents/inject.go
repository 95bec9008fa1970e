package agents

import (
	"context"
	"crypto/rand"

	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller/render"
)

// Listen gives a wrapper what it is to type into its program.
func (a *Service) Listen(ctx context.Context, request view.AgentRequest) (<-chan view.AgentMessage, error) {
	at, err := a.locate(ctx, request.Agent, request.Project, true)
	if err != nil {
		return nil, err
	}
	return a.wrappers.listen(ctx, wrapperKey{at.Project, request.Agent}), nil
}

// Inject passes a handoff or a text to the wrapper of an agent, which types it. The
// handoff may be another agent's.
func (a *Service) Inject(ctx context.Context, request view.InjectRequest) (view.Done, error) {
	agent := request.Agent
	at, err := a.locate(ctx, agent, request.Project, false)
	if err != nil {
		return view.Done{}, err
	}
	text, err := a.injection(ctx, request)
	if err != nil {
		return view.Done{}, err
	}
	if text == "" {
		return view.Done{}, refused(view.CodeInvalid, "there is nothing to inject", "give handoffId or context")
	}
	message := view.AgentMessage{Type: view.MessageInject, ID: rand.Text(), AgentName: agent, Context: text}
	if !a.wrappers.send(wrapperKey{at.Project, agent}, message) {
		return view.Done{}, refused(view.CodeNoWrapper, agent+" does not run under `carryover run`", "start it with `carryover run --name "+agent+" -- CMD`")
	}
	return view.Done{Status: "accepted"}, nil
}

// injection is the text to type.
func (a *Service) injection(ctx context.Context, request view.InjectRequest) (string, error) {
	if request.HandoffID == "" {
		return continuity.Framed(request.Agent, request.Context, a.now())
	}
	handoff, err := a.agentHandoff(ctx, request.HandoffID)
	if err != nil {
		return "", err
	}
	return continuity.StartupContext(handoff.AgentName, continuity.Known{Handoff: &handoff}, render.Silent)
}
