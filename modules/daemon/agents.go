package daemon

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/api"
	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/publish"
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
		return continuity.Place{}, refused(http.StatusNotFound, "not_found", project+" belongs to no project", "name a folder that agents work in")
	}
	if made {
		known, err := p.Log.Project(ctx, identity)
		return continuity.Place{Project: known.ID, Worktree: identity.Worktree}, err
	}
	known, ok, err = p.projectOf(ctx, abs)
	if err == nil && !ok {
		err = refused(http.StatusNotFound, "not_found", "nothing is known of "+project, "")
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
	if p.driver.Running != nil {
		ids = append(ids, p.driver.Running(agent)...)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if len(ids) == 0 {
		return continuity.Place{}, refused(http.StatusNotFound, "not_found", "no agent named "+agent, "name the project; `carryover run --name "+agent+"` begins one")
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
		return continuity.Place{}, refused(http.StatusConflict, "ambiguous", fmt.Sprintf("several projects have an agent %s: %s", agent, strings.Join(paths, ", ")), "name one with project")
	}
	return place, nil
}

// RunsIn are the ids of the projects in which a wrapper runs an agent; none are
// known without a daemon.
func (p *Pipeline) RunsIn(agent string) []string {
	if p.driver.Running == nil {
		return nil
	}
	return p.driver.Running(agent)
}

// refusal is an error with its status in the API.
type refusal struct {
	error
	status     int
	code, hint string
}

func (c refusal) Code() (status int, code, hint string) { return c.status, c.code, c.hint }

// Unwrap lets commands tell what was not found from what failed.
func (c refusal) Unwrap() error {
	if c.status == http.StatusNotFound {
		return ErrNothing
	}
	return ErrInvalid
}

func refused(status int, code, text, hint string) error {
	return refusal{fmt.Errorf("%s", text), status, code, hint} //nolint:err113 // the text is for a person
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

// Message takes a message of a wrapper, or of the spool.
func (p *Pipeline) Message(ctx context.Context, message continuity.Message) continuity.Answer {
	answer, err := p.takeMessage(ctx, message)
	if err != nil {
		p.Zap.Warn("message of a wrapper refused", zap.String("type", message.Type), zap.String("agent", message.AgentName), zap.Error(err))
		var final api.Coded // an error of the request, not of the ledger
		return continuity.Answer{Type: continuity.Nack, ID: message.ID, Reason: err.Error(), Final: errors.As(err, &final)}
	}
	answer.Type, answer.ID = continuity.Ack, message.ID
	return answer
}

func (p *Pipeline) takeMessage(ctx context.Context, m continuity.Message) (answer continuity.Answer, err error) {
	switch m.Type {
	case continuity.Ack:
		return answer, nil
	case continuity.Nack:
		return answer, fmt.Errorf("injection %s: %s", m.ID, m.Context)
	}
	at, err := p.AgentPlace(ctx, m.AgentName, m.Directory, m.Type == continuity.MessageSave)
	if err != nil {
		return answer, err
	}
	switch m.Type {
	case continuity.MessageSave:
		if m.Auto {
			if err = p.Keeper().TakeTrajectories(ctx, at, continuity.Recorder{Agent: m.AgentName, CLI: m.CLI}, time.UnixMilli(m.Started)); err != nil {
				return answer, err
			}
		}
		answer.HandoffID, err = p.Keeper().Save(ctx, at, m)
	case continuity.MessageLoad:
		mode := render.Mode(p.projectChoices(at.Worktree).Resume)
		if m.Restarted { // nobody may be there to answer
			mode = render.Brief
		}
		answer.Context, err = p.Keeper().Load(ctx, at, m.AgentName, mode)
	case continuity.MessageSearch:
		answer.Context, err = p.Keeper().Search(ctx, at, m.AgentName, m.Query)
	default:
		err = fmt.Errorf("unknown message %s", m.Type)
	}
	return answer, err
}

// DrainAgents keeps what wrappers saved while nobody was there to.
func (p *Pipeline) DrainAgents(ctx context.Context) error {
	return continuity.SpoolOf(p.Home).Drain(func(m continuity.Message) error {
		return p.Message(ctx, m).Refusal()
	})
}

func (d *Daemon) drainAgents(ctx context.Context) {
	if err := d.DrainAgents(ctx); err != nil {
		d.Zap.Warn("saves of agents not kept", zap.Error(err))
	}
}

// AgentLedger is the ledger of a named agent.
func (p *Pipeline) AgentLedger(ctx context.Context, agent, project string) (ledger.AgentLedger, error) {
	at, err := p.AgentPlace(ctx, agent, project, false)
	if err != nil {
		return ledger.AgentLedger{}, err
	}
	state, found, err := p.Log.AgentLedger(ctx, at.Project, agent)
	if err == nil && !found {
		err = refused(http.StatusNotFound, "not_found", "there is no ledger of "+agent, "")
	}
	return state, err
}

// PutLedger merges a ledger, or fields as text, into that of a named agent.
func (p *Pipeline) PutLedger(ctx context.Context, agent, project string, request api.LedgerRequest) (ledger.AgentLedger, error) {
	at, err := p.AgentPlace(ctx, agent, project, true)
	if err != nil {
		return ledger.AgentLedger{}, err
	}
	message := continuity.Message{AgentName: agent, CLI: request.CLI, SessionID: request.SessionID, Content: request.Content}
	if request.Content == "" {
		message.Ledger = &request.AgentLedger
	}
	if _, err := p.Keeper().Save(ctx, at, message); err != nil {
		return ledger.AgentLedger{}, err
	}
	return p.AgentLedger(ctx, agent, at.Project)
}

// Handoffs lists the handoffs of a named agent, newest first.
func (p *Pipeline) Handoffs(ctx context.Context, agent, project string, archived bool, page api.Page) (list api.List[ledger.AgentHandoff], err error) {
	at, err := p.AgentPlace(ctx, agent, project, false)
	if err != nil {
		return list, err
	}
	return api.Part(page, func(h ledger.AgentHandoff) string { return h.ID }, func(after string, limit int) ([]ledger.AgentHandoff, error) {
		return p.Log.Handoffs(ctx, ledger.HandoffFilter{Project: at.Project, Agent: agent, Archived: archived, After: after, Limit: limit})
	})
}

// MakeHandoff makes a handoff of what an agent's ledger says.
func (p *Pipeline) MakeHandoff(ctx context.Context, agent, project string, request api.HandoffRequest) (handoff ledger.AgentHandoff, err error) {
	at, err := p.AgentPlace(ctx, agent, project, false)
	if err != nil {
		return handoff, err
	}
	if _, found, err := p.Log.AgentLedger(ctx, at.Project, agent); err != nil || !found {
		return handoff, orElse(err, refused(http.StatusNotFound, "not_found", "there is no ledger of "+agent, "save one first"))
	}
	id, err := p.Keeper().Save(ctx, at, continuity.Message{AgentName: agent, CreateHandoff: true, Reason: request.Reason, Summary: request.Summary})
	if err != nil {
		return handoff, err
	}
	list, err := p.Log.Handoffs(ctx, ledger.HandoffFilter{ID: id})
	if err != nil || len(list) == 0 {
		return handoff, orElse(err, ErrNothing)
	}
	return list[0], nil
}

func orElse(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

// Clear removes all of a named agent.
func (p *Pipeline) Clear(ctx context.Context, agent, project string) error {
	at, err := p.AgentPlace(ctx, agent, project, false)
	if err != nil {
		return err
	}
	return p.Keeper().Clear(ctx, at, agent)
}

// AgentsFound is the result of a search in what agents left.
type AgentsFound struct {
	Schema int         `json:"schema"`
	Hits   []AgentFind `json:"hits"`
}

// AgentFind is one hit.
type AgentFind struct {
	Kind    string `json:"kind"` // ledger, handoff, learning
	Agent   string `json:"agent"`
	Project string `json:"project"`
	Handoff string `json:"handoff,omitempty"` // id
	Time    string `json:"time,omitempty"`
	Snippet string `json:"snippet"`
}

// SearchAgents finds what agents left.
func (p *Pipeline) SearchAgents(ctx context.Context, query, agent, project string, limit int) (any, error) {
	return p.FindAgents(ctx, query, agent, project, limit)
}

// FindAgents finds what agents left. A project is a directory or an id.
func (p *Pipeline) FindAgents(ctx context.Context, query, agent, project string, limit int) (AgentsFound, error) {
	found := AgentsFound{Schema: 1, Hits: []AgentFind{}}
	filter := ledger.AgentQuery{Text: query, Agent: agent, Limit: limit}
	if project != "" {
		at, err := p.AgentPlace(ctx, agent, project, false)
		if err != nil {
			return found, err
		}
		filter.Project = at.Project
	}
	hits, err := p.Log.SearchAgents(ctx, filter)
	for _, hit := range hits {
		found.Hits = append(found.Hits, AgentFind{
			Kind: hit.Kind, Agent: hit.Agent, Project: hit.Project, Handoff: hit.ID, Time: Stamp(hit.Time), Snippet: hit.Snippet,
		})
	}
	return found, err
}
