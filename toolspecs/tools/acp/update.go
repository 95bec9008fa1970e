package acp

import (
	"strings"
	"time"

	"github.com/coder/acp-go-sdk"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Bounds of what is remembered from one record to the next.
const (
	maxReply    = 32 << 10 // bytes of a reply that is told as one
	maxCalls    = 64
	maxCommands = 200
)

// state is what one record leaves for the next.
type state struct {
	Version  string            `json:"version,omitempty"`
	Prompt   string            `json:"prompt,omitempty"`   // id of the request that is being worked on
	Compacts bool              `json:"compacts,omitempty"` // it is a command to compact
	Used     int64             `json:"used,omitempty"`     // tokens of the context
	Reply    string            `json:"reply,omitempty"`    // what came of it so far
	ReplyID  string            `json:"reply_id,omitempty"`
	ReplyAt  time.Time         `json:"reply_at,omitzero"`
	Calls    map[string]*call  `json:"calls,omitempty"`
	Asked    map[string]*asked `json:"asked,omitempty"`     // requests of the agent, by their ids
	Outputs  map[string]output `json:"terminals,omitempty"` // by the id of a terminal
	Commands map[string]bool   `json:"commands,omitempty"`
}

// forget drops what makes a state too large.
func (s *state) forget() {
	s.Calls, s.Asked, s.Outputs, s.Commands = nil, nil, nil, nil
	s.Reply = s.Reply[:min(len(s.Reply), maxReply)]
}

// update is one report of the agent.
func (s *session) update(u acp.SessionUpdate) {
	switch {
	case u.AgentMessageChunk != nil:
		s.chunk(u.AgentMessageChunk)
	case u.AgentThoughtChunk != nil, u.UserMessageChunk != nil, u.CurrentModeUpdate != nil, u.ConfigOptionUpdate != nil:
		// nothing that is kept
	case u.ToolCall != nil:
		s.flush()
		s.begins(u.ToolCall)
	case u.ToolCallUpdate != nil:
		s.changes(u.ToolCallUpdate)
	case u.Plan != nil:
		s.plan(u.Plan)
	case u.UsageUpdate != nil:
		if used := int64(u.UsageUpdate.Used); transcript.Shrunk(s.state.Used, used) {
			s.compacted("auto", s.state.Used, used)
		}
		s.state.Used = int64(u.UsageUpdate.Used)
		event := s.event(transcript.UsageRead)
		event.Usage = &transcript.UsageInfo{Context: int64(u.UsageUpdate.Used), Window: int64(u.UsageUpdate.Size)}
		s.Add(event)
	case u.SessionInfoUpdate != nil && u.SessionInfoUpdate.Title != nil:
		event := s.event(transcript.Title)
		event.Text = *u.SessionInfoUpdate.Title
		s.Add(event)
	case u.AvailableCommandsUpdate != nil:
		s.state.Commands = map[string]bool{}
		for _, command := range u.AvailableCommandsUpdate.AvailableCommands[:min(len(u.AvailableCommandsUpdate.AvailableCommands), maxCommands)] {
			s.state.Commands[command.Name] = true
		}
	}
}

// chunk adds a piece to the reply that is being told.
func (s *session) chunk(chunk *acp.SessionUpdateAgentMessageChunk) {
	text := blockText(chunk.Content)
	if text == "" {
		return
	}
	id := ""
	if chunk.MessageId != nil {
		id = *chunk.MessageId
	}
	if id != s.state.ReplyID || len(s.state.Reply)+len(text) > maxReply {
		s.flush()
	}
	if s.state.Reply == "" {
		s.state.ReplyAt = s.record.Time.UTC()
	}
	s.state.Reply, s.state.ReplyID = s.state.Reply+text, id
}

// flush tells the reply that has come to its end.
func (s *session) flush() {
	text := s.state.Reply
	s.state.Reply, s.state.ReplyID = "", ""
	if strings.TrimSpace(text) == "" {
		return
	}
	event := s.event(transcript.Reply)
	event.Time, event.Text = s.state.ReplyAt, text
	s.Decisions(s.Add(event), text)
}

func (s *session) plan(plan *acp.SessionUpdatePlan) {
	event := s.event(transcript.Todo)
	for _, entry := range plan.Entries {
		stage := map[acp.PlanEntryStatus]string{"completed": "done", "in_progress": "doing", "pending": "todo"}[entry.Status]
		event.Items = append(event.Items, transcript.Item{Text: entry.Content, State: stage})
	}
	s.Add(event)
}

// compacted tells a compaction. What came of it the protocol does not say.
func (s *session) compacted(trigger string, before, after int64) {
	s.flush()
	event := s.event(transcript.Compacted)
	event.Compaction = &transcript.CompactionInfo{Trigger: trigger, PreTokens: before, PostTokens: after}
	s.Add(event)
	s.state.Compacts, s.state.Used = false, 0
}
