package api

import (
	"net/http"

	"github.com/carryover-go/carryover/modules/daemon/view"
)

// route is one of the API: where it is, what it is for, who answers it. The
// OpenAPI document is generated from the list of them.
type route struct {
	method, path string // {name} stands for a part of the path
	id           string // operationId
	summary      string
	endpoint
	others []int // statuses it may have besides that of success
	free   bool  // needs no token
}

func get(path, id, summary string, by endpoint, others ...int) route {
	return route{method: http.MethodGet, path: path, id: id, summary: summary, endpoint: by, others: others}
}

func post(path, id, summary string, by endpoint, others ...int) route {
	r := get(path, id, summary, by, others...)
	r.method = http.MethodPost
	return r
}

const (
	v1    = "/api/v1"
	agent = v1 + "/continuity/{agent}"

	bad, forbidden = http.StatusBadRequest, http.StatusForbidden
	gone, conflict = http.StatusNotFound, http.StatusConflict
)

// routes are all routes of the API.
func routes() []route {
	return append([]route{
		{
			method: http.MethodGet, path: "/health", id: "health", summary: "Whether the daemon is well; needs no token",
			endpoint: health(), free: true,
		},
		post("/hook/{tool}/{event}", "hook", "A hook of an agent", hook(), http.StatusNoContent, http.StatusAccepted),
		post(v1+"/dashboard", "dashboard", "Make a link and a code that let one browser in, once, within five minutes", loginLink(), gone),
		get(v1+"/openapi.json", "openapi", "This document", document()),
		get(v1+"/events", "events", "A stream of `change` events with `tool` and `session`", changes()),

		get(v1+"/status", "status", "The whole state, as `carryover status --json`", plain(view.Service.Status)),
		get(v1+"/stats", "stats", "Counts of what is kept, as `carryover stats --json`", plain(view.Service.Stats)),
		get(v1+"/digest", "digest", "A fingerprint of all events, as `carryover ledger digest --json`", plain(view.Service.Digest)),
		get(v1+"/search", "search", "Find events and what named agents left, best first", answer(view.Service.Search), bad),
		get(v1+"/sessions", "sessions", "List sessions, newest first", answer(view.Service.ListSessions), bad),
		get(v1+"/sessions/{id}", "session", "A session with its events, as `carryover show --json`", answer(view.Service.ShowSession), bad, forbidden, gone),
		get(v1+"/export", "export", "Sessions and their events, a JSON object a line, as `carryover export`", export(), bad, gone),
		get(v1+"/decisions", "decisions", "List recorded decisions, newest first", answer(view.Service.Decisions), bad),

		get(v1+"/handoff", "handoff", "The handoff of a session, as `carryover handoff --json`", answer(view.Service.Handoff), bad, forbidden, gone),
		get(v1+"/history", "history", "The handoffs of a project, newest first, as `carryover history --json`", answer(view.Service.HandoffHistory), bad, gone),
		get(v1+"/report", "report", "The report of a session, as `carryover ledger show --json`", answer(view.Service.SessionReport), bad, gone),
		get(v1+"/compaction", "compaction", "What a session's last compaction kept and lost, as `carryover seam --json`", answer(view.Service.CompactionDiff), bad, gone),
		get(v1+"/switch", "switch", "The command that opens an agent with a project's handoff, as `carryover switch --json`", answer(view.Service.PrepareSwitch), bad, gone),
		get(v1+"/effects", "effects", "Sessions with a handoff against those without, and tokens by day, as `carryover stats --effect --json`", plain(view.Service.Effects)),
		get(v1+"/blame", "blame", "The requests in which a file was changed, newest first, as `carryover blame --json`", answer(view.Service.Blame), bad),
		get(v1+"/threads", "threads", "List threads of work, newest first, as `carryover --json`", answer(view.Service.OpenWork), bad),
		post(v1+"/threads", "markThread", "Say of a thread that it is done or dropped, or that a session of it belongs elsewhere", answer(view.Service.MarkThread), bad, gone),
		post(v1+"/dismiss", "dismiss", "Stop offering a handoff until its session goes on, or offer it again", answer(view.Service.Dismiss), bad, gone, conflict),

		post(v1+"/import", "import", "Read transcripts that are on disk already; may take minutes", long(view.Service.Import), bad),
		post(v1+"/bundle", "importBundle", "Add the sessions of a bundle to their project", answer(view.Service.ImportBundle), bad, gone),
		post(v1+"/forget", "forget", "Delete a text, sessions or a project everywhere, for good; may take minutes", long(view.Service.Forget), bad, gone),
		post(v1+"/repair", "repair", "Rebuild the index and read every transcript again; may take minutes", long(view.Service.Repair)),
		get(v1+"/projects", "projects", "List projects by path", answer(view.Service.ListProjects), bad),
		post(v1+"/projects", "changeProject", "Move a project to another path, or merge it into the one there", answer(view.Service.ChangeProject), bad, gone),
	}, agentRoutes()...)
}

// agentRoutes are those of named agents.
func agentRoutes() []route {
	return []route{
		get(v1+"/continuity/search", "searchAgents", "Find what named agents left", answer(view.Service.SearchAgents), bad, gone),
		get(agent+"/ledger", "agentLedger", "The notes of an agent", answer(view.Service.AgentNotes), bad, gone, conflict),
		post(agent+"/ledger", "putAgentLedger", "Save notes of an agent: what is left out stays", answer(view.Service.SaveAgentNotes), bad, gone, conflict),
		get(agent+"/handoffs", "agentHandoffs", "List the handoffs of an agent, newest first", answer(view.Service.AgentHandoffs), bad, gone, conflict),
		post(agent+"/handoff", "makeAgentHandoff", "Make a handoff of an agent's notes", answerWith(http.StatusCreated, view.Service.MakeAgentHandoff), bad, gone, conflict),
		post(agent+"/inject", "inject", "Have a handoff or a text typed into an agent that runs under `carryover run`", answerWith(http.StatusAccepted, view.Service.Inject), bad, gone, conflict),
		post(agent+"/clear", "clearAgent", "Remove everything of an agent", answer(view.Service.ClearAgent), bad, gone, conflict),
		post(agent+"/message", "message", "A message of a wrapper, answered ACK or NACK", answer(view.Service.AnswerMessage), bad),
		get(agent+"/messages", "messages", "What a wrapper is to type, a JSON object a line", messages(), bad, gone, conflict),
	}
}
