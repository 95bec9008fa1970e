package agents

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/modules/ledger"
)

// sessionOfRun distils the newest session of a program in a worktree since a time.
// The tool is found by the name of the program.
func (a *Service) sessionOfRun(ctx context.Context, worktree, cli string, since time.Time) (distiller.Facts, bool, error) {
	tool := a.toolOf(cli)
	if tool == "" {
		return distiller.Facts{}, false, nil
	}
	a.flush(ctx)
	list, err := a.store.Sessions(ctx, ledger.SessionFilter{Worktree: worktree, Limit: maxRuns})
	if err != nil {
		return distiller.Facts{}, false, err
	}
	for _, session := range list {
		if session.Tool != tool || session.Last.Before(since) {
			continue
		}
		facts, err := a.sessions.Facts(ctx, session)
		return facts, err == nil, err
	}
	return distiller.Facts{}, false, nil
}

// toolOf is the tool whose program has a name; "" when no tool has.
func (a *Service) toolOf(cli string) string {
	for _, spec := range a.table.All() {
		if slices.Contains(spec.Detect.Binaries, filepath.Base(cli)) {
			return spec.Tool
		}
	}
	return ""
}

// eventLines are search hits in the form that is typed to an agent.
func (a *Service) eventLines(ctx context.Context, project, query string, limit int) ([]string, error) {
	results, err := a.store.Search(ctx, ledger.Query{Text: query, Project: project, EventsOnly: true, Limit: limit})
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, hit := range results.Hits {
		lines = append(lines, fmt.Sprintf("%s %s of %s: %s (%s:%d)",
			hit.Time.Format(time.DateOnly), hit.Kind, hit.Session.Tool, hit.Snippet.Text, hit.Session.ID, hit.Ref.Line))
	}
	return lines, nil
}

// AnswerMessage answers a message of a wrapper, or of the spool.
func (a *Service) AnswerMessage(ctx context.Context, message view.AgentMessage) (view.AgentAnswer, error) {
	answer, err := a.answerMessage(ctx, message)
	if err != nil {
		a.logger.Warn("message of a wrapper rejected", zap.String("type", message.Type), zap.String("agent", message.AgentName), zap.Error(err))
		var final *view.Error // an error of the request, not of the ledger
		return view.AgentAnswer{Type: view.Nack, ID: message.ID, Reason: err.Error(), Final: errors.As(err, &final)}, nil
	}
	answer.Type, answer.ID = view.Ack, message.ID
	return answer, nil
}

// answerMessage does what a message asks for.
func (a *Service) answerMessage(ctx context.Context, m view.AgentMessage) (answer view.AgentAnswer, err error) {
	switch m.Type {
	case view.Ack:
		return answer, nil
	case view.Nack:
		return answer, fmt.Errorf("injection %s: %s", m.ID, m.Context)
	}
	at, err := a.locate(ctx, m.AgentName, m.Directory, m.Type == view.MessageSave)
	if err != nil {
		return answer, err
	}
	switch m.Type {
	case view.MessageSave:
		if m.Auto {
			if err = a.keeper.TakeTrajectories(ctx, at, continuity.Recorder{Agent: m.AgentName, CLI: m.CLI}, time.UnixMilli(m.Started)); err != nil {
				return answer, err
			}
		}
		answer.HandoffID, err = a.keeper.Save(ctx, at, m)
	case view.MessageLoad:
		mode := render.Mode(a.projects.Of(at.Worktree).Resume)
		if m.Restarted { // nobody may be there to answer
			mode = render.Brief
		}
		answer.Context, err = a.keeper.Load(ctx, at, m.AgentName, mode)
	case view.MessageSearch:
		answer.Context, err = a.keeper.Search(ctx, at, m.AgentName, m.Query)
	default:
		err = fmt.Errorf("unknown message %s", m.Type)
	}
	return answer, err
}

// DrainAgents stores what wrappers saved while no daemon ran.
func (a *Service) DrainAgents(ctx context.Context) error {
	return continuity.SpoolOf(a.home).Drain(func(m view.AgentMessage) error {
		answer, err := a.AnswerMessage(ctx, m)
		if err != nil {
			return err
		}
		return continuity.Refusal(answer)
	})
}
