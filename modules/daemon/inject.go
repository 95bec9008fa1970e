package daemon

import (
	"context"
	"crypto/rand"
	"net/http"

	"github.com/carryover-go/carryover/modules/daemon/api"
	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/modules/ledger"
)

var _ api.Agents = (*Daemon)(nil)

// Listen hands a wrapper what is to be typed into its program.
func (d *Daemon) Listen(ctx context.Context, agent, directory string) (<-chan continuity.Message, func(), error) {
	at, err := d.AgentPlace(ctx, agent, directory, true)
	if err != nil {
		return nil, nil, err
	}
	messages, stop := d.hub.add(wrapped{at.Project, agent})
	return messages, stop, nil
}

// Inject has a handoff or a text typed into a wrapped agent. The handoff may
// be another agent's.
func (d *Daemon) Inject(ctx context.Context, agent, project string, request api.InjectRequest) error {
	at, err := d.AgentPlace(ctx, agent, project, false)
	if err != nil {
		return err
	}
	text := request.Context
	if request.HandoffID != "" {
		list, err := d.Log.Handoffs(ctx, ledger.HandoffFilter{ID: request.HandoffID})
		if err != nil || len(list) == 0 {
			return orElse(err, refused(http.StatusNotFound, "not_found", "no handoff with the id "+request.HandoffID, "run `carryover continuity handoffs NAME` to list them"))
		}
		known := continuity.Known{Handoff: &list[0]}
		if text, err = continuity.StartupContext(list[0].AgentName, known, render.Silent); err != nil {
			return err
		}
	} else if text, err = continuity.Framed(agent, text, d.Now()); err != nil {
		return err
	}
	if text == "" {
		return refused(http.StatusBadRequest, "invalid", "there is nothing to inject", "give handoffId or context")
	}
	message := continuity.Message{Type: continuity.MessageInject, ID: rand.Text(), AgentName: agent, Context: text}
	if !d.hub.send(wrapped{at.Project, agent}, message) {
		return refused(http.StatusConflict, "no_wrapper", agent+" does not run under `carryover run`", "start it with `carryover run --name "+agent+" -- CMD`")
	}
	return nil
}
