package daemon

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/publish"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/modules/ledger"
)

// Keeper keeps the state of named agents over the pipeline's ledger.
func (p *Pipeline) Keeper() *continuity.Keeper {
	p.keeperOnce.Do(func() {
		p.keeper = &continuity.Keeper{
			Log: p.Log, Now: p.Now, Session: p.sessionOfRun, Events: p.eventLines,
			Ignore: func(worktree string) publish.Ignore {
				return publish.Ignore(p.projectChoices(worktree).Ignore)
			},
			ArchiveAfter: p.Choices.ArchiveAfter, KeepHandoffs: p.Choices.KeepHandoffs,
		}
	})
	return p.keeper
}

// AgentPlace is where a named agent is: project is a directory or an id; with
// "" it is the one project that has the agent. made says that a project not
// known yet is learnt.
func (p *Pipeline) AgentPlace(ctx context.Context, agent, project string, made bool) (continuity.Place, error) {
	if project == "" {
		return p.onlyProject(ctx, agent)
	}
	known, found, err := p.ProjectWithID(ctx, project)
	if err != nil || found {
		return continuity.Place{Project: known.ID, Worktree: known.Path}, err
	}
	abs, err := filepath.Abs(project)
	if err != nil {
		return continuity.Place{}, err
	}
	identity, ok := gitrepo.Identity(abs)
	if !ok {
		return continuity.Place{}, refused(view.CodeNotFound, project+" belongs to no project", "name a folder that agents work in")
	}
	if made {
		known, err := p.Log.Project(ctx, identity)
		return continuity.Place{Project: known.ID, Worktree: identity.Worktree}, err
	}
	known, ok, err = p.projectOf(ctx, abs)
	if err == nil && !ok {
		err = refused(view.CodeNotFound, "nothing is known of "+project, "")
	}
	return continuity.Place{Project: known.ID, Worktree: identity.Worktree}, err
}

// onlyProject is the one project that has an agent of that name.
func (p *Pipeline) onlyProject(ctx context.Context, agent string) (continuity.Place, error) {
	agents, err := p.Log.NamedAgents(ctx)
	if err != nil {
		return continuity.Place{}, err
	}
	var ids []string
	for _, one := range agents {
		if one.Name == agent {
			ids = append(ids, one.Project)
		}
	}
	ids = append(ids, p.hub.projects(agent)...)
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if len(ids) == 0 {
		return continuity.Place{}, refused(view.CodeNotFound, "no agent named "+agent, "name the project; `carryover run --name "+agent+"` begins one")
	}
	projects, err := p.Log.Projects(ctx)
	if err != nil {
		return continuity.Place{}, err
	}
	var paths []string
	place := continuity.Place{Project: ids[0]}
	for _, known := range projects {
		if slices.Contains(ids, known.ID) {
			place.Worktree = known.Path
			paths = append(paths, known.Path)
		}
	}
	if len(ids) > 1 {
		return continuity.Place{}, refused(view.CodeAmbiguous, fmt.Sprintf("several projects have an agent %s: %s", agent, strings.Join(paths, ", ")), "name one with project")
	}
	return place, nil
}

// RunsIn are the ids of the projects in which a wrapper runs an agent; none are
// known without a daemon.
func (p *Pipeline) RunsIn(agent string) []string { return p.hub.projects(agent) }

// refused is an error with a code and what to do about it.
func refused(code view.Code, message, hint string) error {
	return &view.Error{Code: code, Message: message, Hint: hint}
}

// maxRuns is how many sessions of a worktree are looked at for that of a run.
const maxRuns = 16

// sessionOfRun distils the newest session that a program had in a worktree
// since a time; the tool is found by the name of the program.
func (p *Pipeline) sessionOfRun(ctx context.Context, worktree, cli string, since time.Time) (distiller.Facts, bool, error) {
	tool := p.toolOf(cli)
	if tool == "" {
		return distiller.Facts{}, false, nil
	}
	if p.driver.Flush != nil {
		p.driver.Flush(ctx)
	}
	list, err := p.Log.Sessions(ctx, ledger.SessionFilter{Worktree: worktree, Limit: maxRuns})
	if err != nil {
		return distiller.Facts{}, false, err
	}
	for _, session := range list {
		if session.Tool != tool || session.Last.Before(since) {
			continue
		}
		facts, err := p.Distil(ctx, session)
		return facts, err == nil, err
	}
	return distiller.Facts{}, false, nil
}

// toolOf is the tool whose program has a name; "" when no tool has.
func (p *Pipeline) toolOf(cli string) string {
	for _, spec := range p.Table.All() {
		if slices.Contains(spec.Detect.Binaries, filepath.Base(cli)) {
			return spec.Tool
		}
	}
	return ""
}

// eventLines are search hits as they are typed to an agent.
func (p *Pipeline) eventLines(ctx context.Context, project, query string, limit int) ([]string, error) {
	results, err := p.Log.Search(ctx, ledger.Query{Text: query, Project: project, EventsOnly: true, Limit: limit})
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
func (p *Pipeline) AnswerMessage(ctx context.Context, message view.AgentMessage) (view.AgentAnswer, error) {
	answer, err := p.takeMessage(ctx, message)
	if err != nil {
		p.Zap.Warn("message of a wrapper refused", zap.String("type", message.Type), zap.String("agent", message.AgentName), zap.Error(err))
		var final *view.Error // an error of the request, not of the ledger
		return view.AgentAnswer{Type: view.Nack, ID: message.ID, Reason: err.Error(), Final: errors.As(err, &final)}, nil
	}
	answer.Type, answer.ID = view.Ack, message.ID
	return answer, nil
}

func (p *Pipeline) takeMessage(ctx context.Context, m view.AgentMessage) (answer view.AgentAnswer, err error) {
	switch m.Type {
	case view.Ack:
		return answer, nil
	case view.Nack:
		return answer, fmt.Errorf("injection %s: %s", m.ID, m.Context)
	}
	at, err := p.AgentPlace(ctx, m.AgentName, m.Directory, m.Type == view.MessageSave)
	if err != nil {
		return answer, err
	}
	switch m.Type {
	case view.MessageSave:
		if m.Auto {
			if err = p.Keeper().TakeTrajectories(ctx, at, continuity.Recorder{Agent: m.AgentName, CLI: m.CLI}, time.UnixMilli(m.Started)); err != nil {
				return answer, err
			}
		}
		answer.HandoffID, err = p.Keeper().Save(ctx, at, m)
	case view.MessageLoad:
		mode := render.Mode(p.projectChoices(at.Worktree).Resume)
		if m.Restarted { // nobody may be there to answer
			mode = render.Brief
		}
		answer.Context, err = p.Keeper().Load(ctx, at, m.AgentName, mode)
	case view.MessageSearch:
		answer.Context, err = p.Keeper().Search(ctx, at, m.AgentName, m.Query)
	default:
		err = fmt.Errorf("unknown message %s", m.Type)
	}
	return answer, err
}

// DrainAgents keeps what wrappers saved while nobody was there to.
func (p *Pipeline) DrainAgents(ctx context.Context) error {
	return continuity.SpoolOf(p.Home).Drain(func(m view.AgentMessage) error {
		answer, err := p.AnswerMessage(ctx, m)
		if err != nil {
			return err
		}
		return continuity.Refusal(answer)
	})
}

func (d *Daemon) drainAgents(ctx context.Context) {
	if err := d.DrainAgents(ctx); err != nil {
		d.Zap.Warn("saves of agents not kept", zap.Error(err))
	}
}

// AgentNotes are the notes of a named agent.
func (p *Pipeline) AgentNotes(ctx context.Context, request view.AgentRequest) (ledger.AgentLedger, error) {
	at, err := p.AgentPlace(ctx, request.Agent, request.Project, false)
	if err != nil {
		return ledger.AgentLedger{}, err
	}
	return p.notesIn(ctx, at, request.Agent, "")
}

// notesIn are the notes of an agent in a project; hint says what to do when
// there are none.
func (p *Pipeline) notesIn(ctx context.Context, at continuity.Place, agent, hint string) (ledger.AgentLedger, error) {
	notes, found, err := p.Log.AgentLedger(ctx, at.Project, agent)
	if err == nil && !found {
		err = refused(view.CodeNotFound, "there is no ledger of "+agent, hint)
	}
	return notes, err
}

// SaveAgentNotes merges notes, or fields as text, into those of a named agent.
func (p *Pipeline) SaveAgentNotes(ctx context.Context, request view.AgentNotesRequest) (ledger.AgentLedger, error) {
	at, err := p.AgentPlace(ctx, request.Agent, request.Project, true)
	if err != nil {
		return ledger.AgentLedger{}, err
	}
	message := view.AgentMessage{AgentName: request.Agent, CLI: request.Notes.CLI, SessionID: request.Notes.SessionID, Content: request.Content}
	if request.Content == "" {
		message.Ledger = &request.Notes
	}
	if _, err := p.Keeper().Save(ctx, at, message); err != nil {
		return ledger.AgentLedger{}, err
	}
	return p.notesIn(ctx, at, request.Agent, "")
}

// AgentHandoffs lists the handoffs of a named agent, newest first.
func (p *Pipeline) AgentHandoffs(ctx context.Context, request view.AgentHandoffListRequest) (list view.List[ledger.AgentHandoff], err error) {
	at, err := p.AgentPlace(ctx, request.Agent, request.Project, false)
	if err != nil {
		return list, err
	}
	return view.Part(request.Page, func(h ledger.AgentHandoff) string { return h.ID }, func(after string, limit int) ([]ledger.AgentHandoff, error) {
		return p.Log.Handoffs(ctx, ledger.HandoffFilter{Project: at.Project, Agent: request.Agent, Archived: request.Archived, After: after, Limit: limit})
	})
}

// MakeAgentHandoff makes a handoff of what an agent's notes say.
func (p *Pipeline) MakeAgentHandoff(ctx context.Context, request view.AgentHandoffRequest) (handoff ledger.AgentHandoff, err error) {
	at, err := p.AgentPlace(ctx, request.Agent, request.Project, false)
	if err != nil {
		return handoff, err
	}
	if _, err := p.notesIn(ctx, at, request.Agent, "save one first"); err != nil {
		return handoff, err
	}
	id, err := p.Keeper().Save(ctx, at, view.AgentMessage{AgentName: request.Agent, CreateHandoff: true, Reason: request.Reason, Summary: request.Summary})
	if err != nil {
		return handoff, err
	}
	return p.agentHandoff(ctx, id)
}

// agentHandoff is the handoff with an id.
func (p *Pipeline) agentHandoff(ctx context.Context, id string) (ledger.AgentHandoff, error) {
	list, err := p.Log.Handoffs(ctx, ledger.HandoffFilter{ID: id})
	if err != nil || len(list) > 0 {
		return append(list, ledger.AgentHandoff{})[0], err
	}
	return ledger.AgentHandoff{}, refused(view.CodeNotFound, "no handoff with the id "+id, "run `carryover continuity handoffs NAME` to list them")
}

// ClearAgent removes all of a named agent.
func (p *Pipeline) ClearAgent(ctx context.Context, request view.AgentRequest) (view.Done, error) {
	at, err := p.AgentPlace(ctx, request.Agent, request.Project, false)
	if err != nil {
		return view.Done{}, err
	}
	return view.Done{Status: "cleared"}, p.Keeper().Clear(ctx, at, request.Agent)
}

// SearchAgents finds what agents left.
func (p *Pipeline) SearchAgents(ctx context.Context, request view.AgentSearchRequest) (view.AgentSearchResult, error) {
	found := view.AgentSearchResult{Schema: 1, Hits: []view.AgentSearchHit{}}
	filter := ledger.AgentQuery{Text: request.Query, Agent: request.Agent, Limit: view.Page{Limit: request.Limit}.Bounded().Limit}
	if request.Project != "" {
		at, err := p.AgentPlace(ctx, request.Agent, request.Project, false)
		if err != nil {
			return found, err
		}
		filter.Project = at.Project
	}
	hits, err := p.Log.SearchAgents(ctx, filter)
	for _, hit := range hits {
		found.Hits = append(found.Hits, view.AgentSearchHit{
			Kind: hit.Kind, Agent: hit.Agent, Project: hit.Project, Handoff: hit.ID, Time: view.Timestamp(hit.Time), Snippet: hit.Snippet,
		})
	}
	return found, err
}
