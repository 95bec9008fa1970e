package mcpserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// recent is how far back sessions are looked at for what an agent's save leaves
// out.
const recent = 24 * time.Hour

func (s *Server) addContinuity(server *mcp.Server) {
	closed, additive := false, false
	mcp.AddTool(server, &mcp.Tool{
		Name:        "continuity_save",
		Description: "Save your state under an agent's name, for its next session: when a step is finished, before a long one, before you stop. What you leave out stays as it was saved; finished work, decisions and files add up",
		Annotations: &mcp.ToolAnnotations{DestructiveHint: &additive, OpenWorldHint: &closed},
	}, s.save)
	mcp.AddTool(server, readOnly("continuity_load", "What was saved under an agent's name in this project: its state, its latest handoff, what was learnt on its task. "+
		"Use it first when you go on under a name"), s.load)
}

type saveInput struct {
	Agent      string   `json:"agent" jsonschema:"the name it is kept under: letters, digits, dot, dash, underscore"`
	Task       string   `json:"task,omitempty" jsonschema:"what you are working on, in one sentence"`
	Completed  []string `json:"completed,omitempty" jsonschema:"what is finished"`
	InProgress []string `json:"inProgress,omitempty" jsonschema:"what is half done"`
	Blocked    []string `json:"blocked,omitempty" jsonschema:"what waits, and for what"`
	NextSteps  []string `json:"nextSteps,omitempty" jsonschema:"what the next session should do, the first thing first"`
	Decisions  []string `json:"decisions,omitempty" jsonschema:"what was chosen because of which reason"`
	Uncertain  []string `json:"uncertain,omitempty" jsonschema:"what should be checked before it is trusted"`
	Files      []string `json:"files,omitempty" jsonschema:"files that matter, as path or path:10-20"`
}

// content is the input as an agent would print it, so that it is read by the
// same rules.
func (in saveInput) content() string {
	var b strings.Builder
	for _, field := range []struct {
		name   string
		values []string
	}{
		{"Current task", []string{in.Task}},
		{"Completed", in.Completed},
		{"In progress", in.InProgress},
		{"Blocked", in.Blocked},
		{"Next steps", in.NextSteps},
		{"Key decisions", in.Decisions},
		{"Uncertain", in.Uncertain},
		{"Files", in.Files},
	} {
		named := false
		for _, value := range field.values {
			if value = strings.Join(strings.Fields(value), " "); value == "" {
				continue
			}
			if !named {
				fmt.Fprintf(&b, "%s:\n", field.name)
			}
			named = true
			fmt.Fprintf(&b, "- %s\n", value)
		}
	}
	return b.String()
}

type saveOutput struct {
	Status  string `json:"status"` // saved, waiting
	Handoff string `json:"handoff,omitempty"`
}

func (s *Server) save(ctx context.Context, _ *mcp.CallToolRequest, in saveInput) (*mcp.CallToolResult, saveOutput, error) {
	message := view.AgentMessage{
		Type: view.MessageSave, Content: in.content(), Reason: ledger.TriggerManual, Started: time.Now().Add(-recent).UnixMilli(),
	}
	if message.Content == "" {
		return nil, saveOutput{}, errors.New("nothing to save: name at least one field")
	}
	answer, err := s.tell(ctx, in.Agent, message)
	if errors.Is(err, ErrLater) {
		return nil, saveOutput{Status: "waiting"}, nil
	}
	return nil, saveOutput{Status: "saved", Handoff: answer.HandoffID}, err
}

type loadInput struct {
	Agent string `json:"agent" jsonschema:"the name it was saved under"`
}

func (s *Server) load(ctx context.Context, _ *mcp.CallToolRequest, in loadInput) (*mcp.CallToolResult, any, error) {
	loaded, err := s.tell(ctx, in.Agent, view.AgentMessage{Type: view.MessageLoad})
	if err != nil {
		return nil, nil, err
	}
	return answer(cmp.Or(loaded.Context, "Nothing is saved under the name "+in.Agent+" in this project.")), nil, nil
}

// ErrLater is what Tell returns for a save that is on the disk, and will be
// taken once the ledger is free.
var ErrLater = errors.New("kept until the ledger is free")

func (s *Server) tell(ctx context.Context, agent string, message view.AgentMessage) (view.AgentAnswer, error) {
	if !ledger.ValidAgent(agent) {
		return view.AgentAnswer{}, fmt.Errorf("invalid agent name %q: use at most 64 letters, digits, dots, dashes and underscores", agent)
	}
	message.AgentName, message.Directory = agent, s.Directory
	answer, err := s.Tell(ctx, message)
	if err == nil && answer.Type == view.Nack {
		err = errors.New(answer.Reason)
	}
	return answer, err
}
