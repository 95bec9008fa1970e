// Package agents is the continuity of named agents: their notes and handoffs, and
// what is typed into those that run under `carryover run`.
package agents

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/publish"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
)

// Sessions are what is known of sessions' work.
type Sessions interface {
	Facts(ctx context.Context, session ledger.Session) (distiller.Facts, error)
}

// Finder finds projects.
type Finder interface {
	ProjectWithID(ctx context.Context, id string) (ledger.Project, bool, error)
	ProjectOf(ctx context.Context, directory string) (ledger.Project, bool, error)
}

// Options are what a Service works with.
type Options struct {
	Home     home.Dir
	Projects config.Projects
	Table    *toolspecs.Table
	Store    ledger.Store
	Sessions Sessions
	Query    Finder
	Flush    func(ctx context.Context) // reads what agents wrote a moment ago; nil without a daemon
	Logger   *zap.Logger
	Now      func() time.Time
}

// Service keeps the notes of named agents and reaches their wrappers.
type Service struct {
	home     home.Dir
	projects config.Projects
	table    *toolspecs.Table
	store    ledger.Store
	sessions Sessions
	query    Finder
	flush    func(ctx context.Context)
	logger   *zap.Logger
	now      func() time.Time
	keeper   *continuity.Keeper
	wrappers hub
}

// New makes a service. It knows the wrappers that listen to it.
func New(o Options) *Service {
	if o.Flush == nil {
		o.Flush = func(context.Context) {}
	}
	a := &Service{
		home: o.Home, projects: o.Projects, table: o.Table, store: o.Store, sessions: o.Sessions, query: o.Query,
		flush: o.Flush, logger: o.Logger, now: o.Now,
	}
	a.keeper = &continuity.Keeper{
		Log: o.Store, Now: o.Now, Session: a.sessionOfRun, Events: a.eventLines,
		Ignore:       func(worktree string) publish.Ignore { return publish.Ignore(a.projects.Of(worktree).Ignore) },
		ArchiveAfter: o.Projects.Choices.ArchiveAfter, KeepHandoffs: o.Projects.Choices.KeepHandoffs,
	}
	return a
}

// Locate is where a named agent is: project is a directory or an id; with
// "" it is the one project that has the agent. made says that a project not
// known yet is learnt.
func (a *Service) Locate(ctx context.Context, agent, project string, made bool) (continuity.AgentLocation, error) {
	if project == "" {
		return a.onlyProject(ctx, agent)
	}
	known, found, err := a.query.ProjectWithID(ctx, project)
	if err != nil || found {
		return continuity.AgentLocation{Project: known.ID, Worktree: known.Path}, err
	}
	abs, err := filepath.Abs(project)
	if err != nil {
		return continuity.AgentLocation{}, err
	}
	identity, ok := gitrepo.Identity(abs)
	if !ok {
		return continuity.AgentLocation{}, refused(view.CodeNotFound, project+" belongs to no project", "name a folder that agents work in")
	}
	if made {
		known, err := a.store.Project(ctx, identity)
		return continuity.AgentLocation{Project: known.ID, Worktree: identity.Worktree}, err
	}
	known, ok, err = a.query.ProjectOf(ctx, abs)
	if err == nil && !ok {
		err = refused(view.CodeNotFound, "nothing is known of "+project, "")
	}
	return continuity.AgentLocation{Project: known.ID, Worktree: identity.Worktree}, err
}

// onlyProject is the one project that has an agent of that name.
func (a *Service) onlyProject(ctx context.Context, agent string) (continuity.AgentLocation, error) {
	agents, err := a.store.NamedAgents(ctx)
	if err != nil {
		return continuity.AgentLocation{}, err
	}
	var ids []string
	for _, one := range agents {
		if one.Name == agent {
			ids = append(ids, one.Project)
		}
	}
	ids = append(ids, a.wrappers.projects(agent)...)
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if len(ids) == 0 {
		return continuity.AgentLocation{}, refused(view.CodeNotFound, "no agent named "+agent, "name the project; `carryover run --name "+agent+"` begins one")
	}
	projects, err := a.store.Projects(ctx)
	if err != nil {
		return continuity.AgentLocation{}, err
	}
	var paths []string
	place := continuity.AgentLocation{Project: ids[0]}
	for _, known := range projects {
		if slices.Contains(ids, known.ID) {
			place.Worktree = known.Path
			paths = append(paths, known.Path)
		}
	}
	if len(ids) > 1 {
		return continuity.AgentLocation{}, refused(view.CodeAmbiguous, fmt.Sprintf("several projects have an agent %s: %s", agent, strings.Join(paths, ", ")), "name one with project")
	}
	return place, nil
}

// RunsIn are the ids of the projects in which a wrapper runs an agent; none are
// known without a daemon.
func (a *Service) RunsIn(agent string) []string { return a.wrappers.projects(agent) }

// refused is an error with a code and what to do about it.
func refused(code view.Code, message, hint string) error {
	return &view.Error{Code: code, Message: message, Hint: hint}
}

// maxRuns is how many sessions of a worktree are looked at for that of a run.
const maxRuns = 16

// sessionOfRun distils the newest session that a program had in a worktree
// since a time; the tool is found by the name of the program.
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

// eventLines are search hits as they are typed to an agent.
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
	answer, err := a.takeMessage(ctx, message)
	if err != nil {
		a.logger.Warn("message of a wrapper refused", zap.String("type", message.Type), zap.String("agent", message.AgentName), zap.Error(err))
		var final *view.Error // an error of the request, not of the ledger
		return view.AgentAnswer{Type: view.Nack, ID: message.ID, Reason: err.Error(), Final: errors.As(err, &final)}, nil
	}
	answer.Type, answer.ID = view.Ack, message.ID
	return answer, nil
}

func (a *Service) takeMessage(ctx context.Context, m view.AgentMessage) (answer view.AgentAnswer, err error) {
	switch m.Type {
	case view.Ack:
		return answer, nil
	case view.Nack:
		return answer, fmt.Errorf("injection %s: %s", m.ID, m.Context)
	}
	at, err := a.Locate(ctx, m.AgentName, m.Directory, m.Type == view.MessageSave)
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

// DrainAgents keeps what wrappers saved while nobody was there to.
func (a *Service) DrainAgents(ctx context.Context) error {
	return continuity.SpoolOf(a.home).Drain(func(m view.AgentMessage) error {
		answer, err := a.AnswerMessage(ctx, m)
		if err != nil {
			return err
		}
		return continuity.Refusal(answer)
	})
}

// AgentNotes are the notes of a named agent.
func (a *Service) AgentNotes(ctx context.Context, request view.AgentRequest) (ledger.AgentLedger, error) {
	at, err := a.Locate(ctx, request.Agent, request.Project, false)
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
	at, err := a.Locate(ctx, request.Agent, request.Project, true)
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
	at, err := a.Locate(ctx, request.Agent, request.Project, false)
	if err != nil {
		return list, err
	}
	return view.Part(request.Page, func(h ledger.AgentHandoff) string { return h.ID }, func(after string, limit int) ([]ledger.AgentHandoff, error) {
		return a.store.Handoffs(ctx, ledger.HandoffFilter{Project: at.Project, Agent: request.Agent, Archived: request.Archived, After: after, Limit: limit})
	})
}

// MakeAgentHandoff makes a handoff of what an agent's notes say.
func (a *Service) MakeAgentHandoff(ctx context.Context, request view.AgentHandoffRequest) (handoff ledger.AgentHandoff, err error) {
	at, err := a.Locate(ctx, request.Agent, request.Project, false)
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
	if err != nil || len(list) > 0 {
		return append(list, ledger.AgentHandoff{})[0], err
	}
	return ledger.AgentHandoff{}, refused(view.CodeNotFound, "no handoff with the id "+id, "run `carryover continuity handoffs NAME` to list them")
}

// ClearAgent removes all of a named agent.
func (a *Service) ClearAgent(ctx context.Context, request view.AgentRequest) (view.Done, error) {
	at, err := a.Locate(ctx, request.Agent, request.Project, false)
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
		at, err := a.Locate(ctx, request.Agent, request.Project, false)
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
