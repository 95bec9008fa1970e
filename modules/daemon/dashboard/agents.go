package dashboard

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"github.com/carryover-go/carryover/modules/daemon/api"
	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// manyHandoffs is how many handoffs of an agent are shown at once.
const manyHandoffs = 20

// namedAgent is an agent of a project that keeps a ledger.
type namedAgent struct {
	Name    string
	Project ledger.Project
	URL     string
	Runs    bool // in a wrapper, now
	Ledger  *ledger.AgentLedger
}

// agentURL is the page of a named agent of a project.
func agentURL(project, name string) string {
	return "/agents/" + url.PathEscape(project) + "/" + url.PathEscape(name)
}

// agentPages are the pages of named agents.
type agentPages struct{ *Page }

func (p agentPages) agents(r *http.Request) (screen, error) {
	list, err := p.agentsIn(r.Context(), "")
	return screen{template: "agents", title: "Agents", at: "agents", data: list}, err
}

// agentsIn lists the named agents of a project, or of all (""), those that run
// first.
func (p agentPages) agentsIn(ctx context.Context, project string) ([]namedAgent, error) {
	known, err := p.Ledger.NamedAgents(ctx)
	if err != nil {
		return nil, err
	}
	projects, err := p.Ledger.Projects(ctx)
	if err != nil {
		return nil, err
	}
	byID := map[string]ledger.Project{}
	for _, one := range projects {
		byID[one.ID] = one
	}
	var list []namedAgent
	for _, one := range known {
		if project != "" && one.Project != project {
			continue
		}
		agent := namedAgent{
			Name: one.Name, Project: byID[one.Project], URL: agentURL(one.Project, one.Name),
			Runs: slices.Contains(p.Sessions.RunsIn(one.Name), one.Project),
		}
		if agent.Ledger, err = p.agentLedger(ctx, one.Name, one.Project); err != nil {
			return nil, err
		}
		list = append(list, agent)
	}
	slices.SortStableFunc(list, func(a, b namedAgent) int {
		switch {
		case a.Runs == b.Runs:
			return 0
		case a.Runs:
			return -1
		}
		return 1
	})
	return list, nil
}

// injection is a text with the agents that it can be typed into.
type injection struct {
	Agents []namedAgent
	Text   string
	CSRF   string
}

// injection lists the agents that run, in any project.
func (p agentPages) injection(r *http.Request, text string) (injection, error) {
	list, err := p.agentsIn(r.Context(), "")
	running := slices.DeleteFunc(list, func(one namedAgent) bool { return !one.Runs })
	visit, _ := api.BrowserSessionOf(r)
	return injection{running, text, visit.CSRF}, err
}

// agentLedger is the ledger of an agent, nil when it has none.
func (p agentPages) agentLedger(ctx context.Context, name, project string) (*ledger.AgentLedger, error) {
	state, found, err := p.Ledger.AgentLedger(ctx, project, name)
	if err != nil || !found {
		return nil, err
	}
	return &state, nil
}

// agent is the page of one.
type agent struct {
	namedAgent
	Lists    []agentList
	Handoffs []agentHandoff
	Next     string // address of the handoffs before those
	Said     string // what came of an injection
	Refused  bool
	Hint     string
	Typed    string // what was to be injected, kept when that was refused
}

// agentList is a field of a ledger that is a list.
type agentList struct {
	Title string
	Lines []string
}

// agentHandoff is a handoff with its text, as it lies in the project.
type agentHandoff struct {
	ledger.AgentHandoff
	Text string
}

func (p agentPages) agent(r *http.Request) (screen, error) {
	data, err := p.agentOf(r)
	return screen{template: "agent", title: data.Name, at: "agents", data: data}, err
}

func (p agentPages) agentOf(r *http.Request) (agent, error) {
	ctx, name := r.Context(), r.PathValue("agent")
	known, err := p.known(ctx, r.PathValue("project"))
	if err != nil {
		return agent{}, err
	}
	data := agent{namedAgent: namedAgent{
		Name: name, Project: known, URL: agentURL(known.ID, name), Runs: slices.Contains(p.Sessions.RunsIn(name), known.ID),
	}}
	if data.Ledger, err = p.agentLedger(ctx, name, known.ID); err != nil {
		return data, err
	}
	part, err := p.Service.AgentHandoffs(ctx, view.AgentHandoffListRequest{
		AgentRequest: view.AgentRequest{Agent: name, Project: known.ID}, Archived: true,
		Page: view.Page{Limit: manyHandoffs, Cursor: r.URL.Query().Get("cursor")},
	})
	if err != nil {
		return data, err
	}
	for _, one := range part.Items {
		data.Handoffs = append(data.Handoffs, agentHandoff{one, continuity.Markdown(one)})
	}
	if part.Next != nil {
		data.Next = data.URL + "?" + url.Values{"cursor": {*part.Next}}.Encode()
	}
	if data.Ledger == nil && len(data.Handoffs) == 0 && !data.Runs {
		return data, view.ErrNotFound
	}
	data.Lists = listsOf(data.Ledger)
	return data, nil
}

// listsOf are the lists of a ledger that hold something.
func listsOf(of *ledger.AgentLedger) []agentList {
	if of == nil {
		return nil
	}
	all := []agentList{
		{"In progress", of.InProgress},
		{"Next steps", of.NextSteps},
		{"Blocked", of.Blocked},
		{"Completed", of.Completed},
		{"Decisions", continuity.DecisionLines(of.KeyDecisions)},
		{"Uncertain", of.UncertainItems},
		{"Files", continuity.FileLines(of.FileContext)},
		{"Notes", of.Notes},
	}
	return slices.DeleteFunc(all, func(list agentList) bool { return len(list.Lines) == 0 })
}

// handoff makes a handoff of what an agent has saved.
func (p agentPages) handoff(r *http.Request) (next string, err error) {
	data, err := p.agentOf(r)
	if err != nil {
		return "", err
	}
	_, err = p.Service.MakeAgentHandoff(r.Context(), view.AgentHandoffRequest{AgentRequest: view.AgentRequest{Agent: data.Name, Project: data.Project.ID}})
	return data.URL + "#handoffs", err
}

// inject types a handoff, or a text, into a wrapped agent. The page that
// answers says what came of it.
func (p agentPages) inject(w http.ResponseWriter, r *http.Request) {
	data, err := p.agentOf(r)
	if err != nil {
		p.failed(w, r, err)
		return
	}
	request := view.InjectRequest{
		AgentRequest: view.AgentRequest{Agent: data.Name, Project: data.Project.ID},
		HandoffID:    r.PostFormValue("handoff"), Context: r.PostFormValue("context"),
	}
	v := screen{template: "agent", title: data.Name, at: "agents"}
	data.Said = "It was handed to " + data.Name + ", which types it in as soon as the program is ready."
	if _, err = p.Service.Inject(r.Context(), request); err != nil {
		v.status, data.Said, data.Hint = refusal(err)
		data.Refused, data.Typed = true, request.Context
	}
	if v.status >= http.StatusInternalServerError {
		p.failed(w, r, err)
		return
	}
	v.data = data
	p.show(w, r, v)
}
