package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"github.com/carryover-go/carryover/modules/daemon/api"
	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/ledger"
)

func agentPath(agent, route, project string) string {
	path := "/api/v1/continuity/" + url.PathEscape(agent) + "/" + route
	if project != "" {
		path += "?project=" + url.QueryEscape(project)
	}
	return path
}

// Message sends a wrapper's message. The answer may be a NACK; an error says
// that none came.
func (c *Client) Message(ctx context.Context, message continuity.Message) (continuity.Answer, error) {
	var answer continuity.Answer
	return answer, c.do(ctx, http.MethodPost, agentPath(message.AgentName, "message", ""), message, &answer)
}

// MakeHandoff makes a handoff of what an agent's ledger says.
func (c *Client) MakeHandoff(ctx context.Context, agent, project string, request api.HandoffRequest) (ledger.AgentHandoff, error) {
	var handoff ledger.AgentHandoff
	return handoff, c.do(ctx, http.MethodPost, agentPath(agent, "handoff", project), request, &handoff)
}

// Inject lets the wrapper of an agent type.
func (c *Client) Inject(ctx context.Context, agent, project string, request api.InjectRequest) error {
	return c.do(ctx, http.MethodPost, agentPath(agent, "inject", project), request, nil)
}

// Clear removes all of an agent.
func (c *Client) Clear(ctx context.Context, agent, project string) error {
	return c.do(ctx, http.MethodPost, agentPath(agent, "clear", project), nil, nil)
}

// Listen calls take for each message to a wrapper, until the context or the
// daemon ends.
func (c *Client) Listen(ctx context.Context, agent, directory string, take func(continuity.Message)) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://localhost"+agentPath(agent, "messages", directory), nil)
	if err != nil {
		return err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return unreachable(err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("unexpected answer of the daemon: status %d", response.StatusCode)
	}
	decoder := json.NewDecoder(response.Body)
	for {
		var message continuity.Message
		if err := decoder.Decode(&message); err != nil {
			return fmt.Errorf("read messages: %w", err)
		}
		take(message)
	}
}
