package acpproxy

import (
	"encoding/json"
	"sync"

	"github.com/coder/acp-go-sdk"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// message is one of JSON-RPC, as far as it is looked at.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// request is one that waits for its answer.
type request struct {
	method  string
	session string
	cwd     string
}

// session is one that is carried on through this proxy.
type session struct {
	id, tool, cwd string
	file          string // where it is written down
	source        string // startup or resume
	loading       bool   // the agent tells its history again
	asked         bool   // the gate was asked at its first prompt
	asksLeft      int    // at how many prompts more the gate is asked, for a compaction
	compacts      string // id of the prompt that is a command to compact
	used          int64  // tokens in its context
}

// observer knows what passes.
type observer struct {
	proxy *Proxy
	log   *recorder

	mu       sync.Mutex
	agent    string // as it calls itself
	version  string
	sessions map[string]*session
	toAgent  map[string]request // by id
	toEditor map[string]request
	commands map[string]bool // that the agent has offered
}

func newObserver(p *Proxy) *observer {
	return &observer{
		proxy: p, log: newRecorder(p), sessions: map[string]*session{},
		toAgent: map[string]request{}, toEditor: map[string]request{}, commands: map[string]bool{},
	}
}

// maxWaiting bounds the requests that are remembered until their answers come.
const maxWaiting = 4096

// parse reads a message as far as it is looked at; false for what is none.
func parse(line []byte) (m message, ok bool) {
	return m, json.Unmarshal(line, &m) == nil && (m.Method != "" || len(m.ID) > 0)
}

// fromEditor sees what the editor sends.
func (o *observer) fromEditor(line []byte) []byte {
	m, ok := parse(line)
	if !ok {
		return line
	}
	if m.Method == "" {
		o.answerOfEditor(line, m)
		return line
	}
	id := text(m.Params, "sessionId")
	if len(m.ID) > 0 {
		o.remember(o.toAgent, m.ID, request{m.Method, id, text(m.Params, "cwd")})
	}
	s := o.session(id)
	switch m.Method {
	case acp.AgentMethodSessionLoad, acp.AgentMethodSessionResume:
		o.load(id, text(m.Params, "cwd"), m.Method == acp.AgentMethodSessionLoad)
	case acp.AgentMethodSessionPrompt:
		if s == nil {
			return line
		}
		line = o.withHandoff(s, line, m)
	}
	if s != nil {
		o.log.write(s, "editor", line)
	}
	return line
}

// answerOfEditor writes down an answer of the editor that a session is about.
func (o *observer) answerOfEditor(line []byte, m message) {
	to, ok := o.take(o.toEditor, m.ID)
	s := o.session(to.session)
	if !ok || s == nil {
		return
	}
	switch to.method {
	case acp.ClientMethodSessionRequestPermission, acp.ClientMethodTerminalOutput, acp.ClientMethodTerminalWaitForExit:
		o.log.write(s, "editor", line)
	}
}

// fromAgent sees what the agent sends.
func (o *observer) fromAgent(line []byte) []byte {
	m, ok := parse(line)
	if !ok {
		return line
	}
	if m.Method == "" {
		if to, ok := o.take(o.toAgent, m.ID); ok {
			o.answered(to, m, line)
		}
		return line
	}
	id := text(m.Params, "sessionId")
	s := o.session(id)
	if s == nil {
		return line
	}
	if len(m.ID) > 0 {
		o.remember(o.toEditor, m.ID, request{method: m.Method, session: id})
		switch m.Method {
		case acp.ClientMethodFsReadTextFile, acp.ClientMethodFsWriteTextFile:
			return line // the call that they serve is told
		}
	}
	if m.Method == acp.ClientMethodSessionUpdate {
		o.updated(s, transcript.Member(line, "params"))
	}
	if !s.loading {
		o.log.write(s, "agent", line)
	}
	return line
}

// answered handles an answer of the agent, before it goes on to the editor: a session
// is known before its first prompt can come.
func (o *observer) answered(to request, m message, line []byte) {
	switch to.method {
	case acp.AgentMethodInitialize:
		info := transcript.Member(m.Result, "agentInfo")
		o.mu.Lock()
		o.agent, o.version = text(info, "name"), text(info, "version")
		o.mu.Unlock()
	case acp.AgentMethodSessionNew, acp.AgentMethodSessionFork:
		if id := text(m.Result, "sessionId"); id != "" {
			o.open(id, to.cwd, "startup")
		}
	case acp.AgentMethodSessionLoad, acp.AgentMethodSessionResume:
		if s := o.session(to.session); s != nil {
			o.mu.Lock()
			s.loading = false
			o.mu.Unlock()
		}
	case acp.AgentMethodSessionPrompt:
		s := o.session(to.session)
		if s == nil {
			return
		}
		o.log.write(s, "agent", line)
		o.mu.Lock()
		if s.compacts != "" && s.compacts == string(m.ID) && len(m.Error) == 0 {
			s.asksLeft, s.compacts, s.used = asksAfter, "", 0
		}
		o.mu.Unlock()
		o.log.signal(s, "AcpTurn")
	}
}

// updated learns the agent's commands, and from a context that has shrunk to less than
// half that it was compacted.
func (o *observer) updated(s *session, params []byte) {
	update := transcript.Member(params, "update")
	o.mu.Lock()
	defer o.mu.Unlock()
	switch text(update, "sessionUpdate") {
	case "usage_update":
		var used int64
		if json.Unmarshal(transcript.Member(update, "used"), &used) == nil {
			if transcript.Shrunk(s.used, used) {
				s.asksLeft = asksAfter
			}
			s.used = used
		}
	case "available_commands_update":
		for _, command := range transcript.Elements(transcript.Member(update, "availableCommands")) {
			if len(o.commands) < maxWaiting {
				o.commands[text(command, "name")] = true
			}
		}
	}
}

// open begins a session that the agent has made.
func (o *observer) open(id, cwd, source string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	s := &session{id: id, cwd: cwd, source: source, tool: o.proxy.Table.ToolNamed(o.agent, o.proxy.Command)}
	o.sessions[id] = s
	o.log.open(s, o.agent, o.version)
}

// load goes on with a session of before. Its history, which the agent tells again, is
// not written down a second time.
func (o *observer) load(id, cwd string, tells bool) {
	o.open(id, cwd, "resume")
	s := o.session(id)
	o.mu.Lock()
	defer o.mu.Unlock()
	s.loading = tells
}

func (o *observer) session(id string) *session {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.sessions[id]
}

func (o *observer) remember(waiting map[string]request, id json.RawMessage, r request) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(waiting) >= maxWaiting {
		clear(waiting)
	}
	waiting[string(id)] = r
}

func (o *observer) take(waiting map[string]request, id json.RawMessage) (request, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	r, ok := waiting[string(id)]
	delete(waiting, string(id))
	return r, ok
}

// close ends all sessions.
func (o *observer) close(why string) {
	o.mu.Lock()
	all := make([]*session, 0, len(o.sessions))
	for _, s := range o.sessions {
		all = append(all, s)
	}
	o.mu.Unlock()
	for _, s := range all {
		o.log.end(s, why)
	}
	o.log.close()
}

func text(object []byte, member string) string {
	return transcript.Text(transcript.Member(object, member))
}
