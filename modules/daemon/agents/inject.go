package agents

import (
	"context"
	"crypto/rand"

	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller/render"
)

// Listen hands a wrapper what is to be typed into its program.
func (a *Service) Listen(ctx context.Context, request view.AgentRequest) (<-chan view.AgentMessage, error) {
	at, err := a.Locate(ctx, request.Agent, request.Project, true)
	if err != nil {
		return nil, err
	}
	return a.wrappers.listen(ctx, wrapped{at.Project, request.Agent}), nil
}

// Inject has a handoff or a text typed into a wrapped agent. The handoff may
// be another agent's.
func (a *Service) Inject(ctx context.Context, request view.InjectRequest) (view.Done, error) {
	agent := request.Agent
	at, err := a.Locate(ctx, agent, request.Project, false)
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
	if !a.wrappers.send(wrapped{at.Project, agent}, message) {
		return view.Done{}, refused(view.CodeNoWrapper, agent+" does not run under `carryover run`", "start it with `carryover run --name "+agent+" -- CMD`")
	}
	return view.Done{Status: "accepted"}, nil
}

// injection is the text that is to be typed.
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
