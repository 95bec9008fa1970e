package api

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/ledger"
)

// Agents is the continuity of named agents. project is a directory or the id
// of a project; "" finds the one project that has the agent. What is not known
// is an error with the status 404, several projects with an agent of that name
// one with 409.
type Agents interface {
	// Message takes a message of a wrapper.
	Message(ctx context.Context, message continuity.Message) continuity.Answer
	// Listen hands a wrapper what is to be typed, until stop is called.
	Listen(ctx context.Context, agent, directory string) (messages <-chan continuity.Message, stop func(), err error)

	AgentLedger(ctx context.Context, agent, project string) (ledger.AgentLedger, error)
	PutLedger(ctx context.Context, agent, project string, request LedgerRequest) (ledger.AgentLedger, error)
	Handoffs(ctx context.Context, agent, project string, archived bool, page Page) (List[ledger.AgentHandoff], error)
	MakeHandoff(ctx context.Context, agent, project string, request HandoffRequest) (ledger.AgentHandoff, error)
	// Inject types into a wrapped agent; 409 when no wrapper runs.
	Inject(ctx context.Context, agent, project string, request InjectRequest) error
	Clear(ctx context.Context, agent, project string) error
	SearchAgents(ctx context.Context, query, agent, project string, limit int) (any, error)
}

// LedgerRequest is a ledger, or its fields as an agent would print them.
type LedgerRequest struct {
	ledger.AgentLedger
	Content string `json:"content"`
}

// HandoffRequest asks for a handoff of what an agent's ledger says.
type HandoffRequest struct {
	Reason  ledger.Trigger `json:"reason"` // manual when empty
	Summary string         `json:"summary"`
}

// InjectRequest is what is to be typed: a handoff or a text.
type InjectRequest struct {
	HandoffID string `json:"handoffId"`
	Context   string `json:"context"`
}

func (s *Server) agentRoutes(group *gin.RouterGroup) {
	group.GET("/search", answer(func(c *gin.Context) (any, error) {
		return s.Agents.SearchAgents(c.Request.Context(), c.Query("q"), c.Query("agent"), c.Query("project"), pageOf(c).Limit)
	}))
	one := group.Group("/:agent", s.named)
	one.GET("/ledger", answer(func(c *gin.Context) (any, error) {
		return s.Agents.AgentLedger(c.Request.Context(), c.Param("agent"), c.Query("project"))
	}))
	one.POST("/ledger", taking(http.StatusOK, func(c *gin.Context, request LedgerRequest) (any, error) {
		return s.Agents.PutLedger(finishing(c), c.Param("agent"), c.Query("project"), request)
	}))
	one.GET("/handoffs", answer(func(c *gin.Context) (any, error) {
		return s.Agents.Handoffs(c.Request.Context(), c.Param("agent"), c.Query("project"), c.Query("archived") != "", pageOf(c))
	}))
	one.POST("/handoff", taking(http.StatusCreated, func(c *gin.Context, request HandoffRequest) (any, error) {
		return s.Agents.MakeHandoff(finishing(c), c.Param("agent"), c.Query("project"), request)
	}))
	one.POST("/inject", taking(http.StatusAccepted, func(c *gin.Context, request InjectRequest) (any, error) {
		return gin.H{"status": "accepted"}, s.Agents.Inject(finishing(c), c.Param("agent"), c.Query("project"), request)
	}))
	one.POST("/clear", answer(func(c *gin.Context) (any, error) {
		return gin.H{"status": "cleared"}, s.Agents.Clear(finishing(c), c.Param("agent"), c.Query("project"))
	}))
	one.POST("/message", taking(http.StatusOK, func(c *gin.Context, message continuity.Message) (any, error) {
		message.AgentName = c.Param("agent")
		return s.Agents.Message(finishing(c), message), nil
	}))
	one.GET("/messages", s.messages)
}

// named refuses what cannot be an agent's name.
func (s *Server) named(c *gin.Context) {
	if !ledger.ValidAgent(c.Param("agent")) {
		refuse(c, http.StatusBadRequest, "invalid", "invalid agent name: use at most 64 letters, digits, dots, dashes and underscores", "")
	}
}

// taking reads a JSON body and answers with a status of its own.
func taking[T any](status int, of func(c *gin.Context, request T) (any, error)) gin.HandlerFunc {
	return func(c *gin.Context) {
		c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, maxJSON)
		var request T
		if err := c.ShouldBindJSON(&request); err != nil {
			refuse(c, http.StatusBadRequest, "invalid", "the body is not the JSON object that this route takes", "")
			return
		}
		result, err := of(c, request)
		if err != nil {
			answer(func(*gin.Context) (any, error) { return nil, err })(c)
			return
		}
		c.JSON(status, result)
	}
}

// messages is the stream a wrapper reads: a JSON object a line.
func (s *Server) messages(c *gin.Context) {
	messages, stop, err := s.Agents.Listen(c.Request.Context(), c.Param("agent"), c.Query("project"))
	if err != nil {
		answer(func(*gin.Context) (any, error) { return nil, err })(c)
		return
	}
	defer stop()
	c.Header("Content-Type", "application/x-ndjson")
	c.Status(http.StatusOK)
	c.Writer.Flush()
	encoder := json.NewEncoder(c.Writer)
	for {
		select {
		case <-s.stop:
			return
		case <-c.Request.Context().Done():
			return
		case message := <-messages:
			if encoder.Encode(message) != nil {
				return
			}
			c.Writer.Flush()
		}
	}
}
