package mcpserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/carryover-go/carryover/modules/daemon/mcpserver"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// service answers with what it was asked, and is closed after each call.
type service struct {
	view.Service
	opened, closed int
	search         view.SearchRequest
	handoff        view.HandoffRequest
}

func (s *service) Search(_ context.Context, request view.SearchRequest) (view.SearchResult, error) {
	s.search = request
	return view.SearchResult{Schema: 1, Total: 1, Hits: []view.SearchHit{{
		Kind: "prompt", Tool: "codex", Session: "a", Time: "2026-03-02T09:00:00.000Z", Snippet: "parse dates", Marks: [][2]int{},
		Source: view.Location{Session: "a", Line: 12},
	}}}, nil
}

func (s *service) Handoff(_ context.Context, request view.HandoffRequest) (render.Document, error) {
	s.handoff = request
	return render.Document{Tool: "codex", Session: "a", Text: "# the handoff\n\n## Decisions\n- which zone?: UTC\n\n## Next action\ngo on"}, nil
}

func (s *service) ShowSession(_ context.Context, request view.SessionRequest) (view.SessionDetail, error) {
	if request.Session == "elsewhere" {
		return view.SessionDetail{}, &view.Error{Code: view.CodeOtherProject, Message: "session elsewhere belongs to another project"}
	}
	return view.SessionDetail{Session: view.Session{Tool: "codex", Session: "a"}, Events: events(40)}, nil
}

func (s *service) Decisions(context.Context, view.DecisionListRequest) (view.DecisionList, error) {
	return view.DecisionList{Items: []view.Decision{{
		Decision: transcript.Decision{Question: "which zone?", Chosen: []string{"UTC"}}, Tool: "codex", Session: "a",
		Time: "2026-03-02T09:00:00.000Z", Source: view.Location{Line: 7},
	}, {
		Decision: transcript.Decision{Question: strings.Repeat("which of these two long ways ", 20), Chosen: []string{"the first"}},
		Tool:     "codex", Session: "00000000-0000-4000-8000-000000000001", Time: "2026-03-02T08:00:00.000Z", Source: view.Location{Line: 3},
	}}}, nil
}

// connect starts a server for a project and returns a client of it.
func connect(t *testing.T, server *mcpserver.Server) *mcp.ClientSession {
	t.Helper()
	here, there := mcp.NewInMemoryTransports()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx, there) }()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		stop()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	return session
}

// call calls a tool and returns its structured result, or the text of its error.
func call(t *testing.T, session *mcp.ClientSession, tool string, arguments map[string]string) (result map[string]json.RawMessage, failed string) {
	t.Helper()
	answer, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	if answer.IsError {
		text, ok := answer.Content[0].(*mcp.TextContent)
		if !ok {
			t.Fatalf("%s: %T", tool, answer.Content[0])
		}
		return nil, text.Text
	}
	data, err := json.Marshal(answer.StructuredContent)
	if err != nil || json.Unmarshal(data, &result) != nil {
		t.Fatalf("%s: %v: %s", tool, err, data)
	}
	return result, ""
}

// ask calls a tool that answers with text.
func ask(t *testing.T, session *mcp.ClientSession, tool string, arguments map[string]string) (text string, failed bool) {
	t.Helper()
	answer, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	if len(answer.Content) != 1 || answer.StructuredContent != nil {
		t.Fatalf("%s: %d parts, structured %v", tool, len(answer.Content), answer.StructuredContent)
	}
	part, ok := answer.Content[0].(*mcp.TextContent)
	if !ok {
		t.Fatalf("%s: %T", tool, answer.Content[0])
	}
	return part.Text, answer.IsError
}

func (s *service) open() (view.Service, func(), error) {
	s.opened++
	return s, func() { s.closed++ }, nil
}

func TestServer_AsksForItsProject(t *testing.T) {
	s := &service{}
	session := connect(t, &mcpserver.Server{Open: s.open, Directory: "/work/parser"})
	found, failed := ask(t, session, "search", map[string]string{"query": "dates"})
	if failed || found != "codex a 2026-03-02\n  prompt:12 parse dates" || s.search.Project != "/work/parser" || s.search.Limit != 20 {
		t.Errorf("search: %v %s, asked %+v", failed, found, s.search)
	}
	handoff, failed := ask(t, session, "handoff", nil)
	if failed || !strings.HasPrefix(handoff, "# the handoff") || s.handoff.Directory != "/work/parser" || s.handoff.Within != "/work/parser" ||
		s.handoff.Last || s.handoff.Mode != "silent" {
		t.Errorf("handoff: %v %s, asked %+v", failed, handoff, s.handoff)
	}
	decisions, failed := ask(t, session, "decisions", nil)
	// What the handoff lists is said once; a long question leaves room for the choice.
	if failed || strings.Count(decisions, "which zone?") != 1 || !strings.HasPrefix(decisions, "In force, as the handoff lists them:\n- which zone?: UTC\nRecorded, newest first:\n- which of these") ||
		!strings.HasSuffix(decisions, "… -> the first (codex 00000000:3 2026-03-02)") {
		t.Errorf("decisions: %v %s", failed, decisions)
	}
	if s.opened != 4 || s.closed != 4 {
		t.Errorf("opened %d times, closed %d times", s.opened, s.closed)
	}
}

func TestServer_OfAllProjectsTakesTheLatestHandoff(t *testing.T) {
	s := &service{}
	if text, failed := ask(t, connect(t, &mcpserver.Server{Open: s.open}), "handoff", nil); failed || !s.handoff.Last {
		t.Errorf("%s, asked %+v", text, s.handoff)
	}
}

func TestShow_GivesTheNewestEvents(t *testing.T) {
	s := &service{}
	session := connect(t, &mcpserver.Server{Open: s.open, Directory: "/work/parser"})
	shown, failed := ask(t, session, "show", map[string]string{"session": "a"})
	if failed || strings.Count(shown, "\n") != 31 || !strings.Contains(shown, "(10 earlier events)") || !strings.Contains(shown, "call:40 Bash go test ./... ") {
		t.Errorf("%v:\n%s", failed, shown)
	}
	if text, _ := ask(t, session, "show", map[string]string{"session": "elsewhere"}); !strings.Contains(text, "--all-projects") {
		t.Errorf("a session of another project: %q", text)
	}
}

// events are calls with their results, as a ledger has them.
func events(n int) []view.Event {
	list := make([]view.Event, n)
	for i := range list {
		located := transcript.Located{Event: transcript.Event{
			Tool: "codex", Session: "a", ID: fmt.Sprintf("00000000-0000-4000-8000-%012d#0", i), Kind: transcript.Call,
			Time: time.Date(2026, 3, 2, 9, 0, i, 0, time.UTC),
			Call: &transcript.CallInfo{ID: fmt.Sprint("toolu_", i), Name: "Bash", Meaning: transcript.Shell, Command: "go test ./... -run TestDates"},
		}, Ref: transcript.Ref{Line: int64(i + 1), Offset: int64(1000 * i)}}
		list[i] = view.NewEvent(located)
	}
	return list
}

// A model pays for each byte: an answer has at most a third of those of the same
// result as JSON, which was sent twice before.
func TestShow_IsCompact(t *testing.T) {
	shown, _ := ask(t, connect(t, &mcpserver.Server{Open: (&service{}).open, Directory: "/work/parser"}), "show", map[string]string{"session": "a"})
	whole, err := json.Marshal(events(30))
	if err != nil {
		t.Fatal(err)
	}
	if 3*len(shown) > len(whole) {
		t.Errorf("%d bytes, and as JSON %d", len(shown), len(whole))
	}
}

func TestServer_SaysWhatToDoWithoutALedger(t *testing.T) {
	server := &mcpserver.Server{Open: func() (view.Service, func(), error) { return nil, func() {}, view.ErrNoLedger }}
	if _, failed := call(t, connect(t, server), "search", map[string]string{"query": "dates"}); !strings.Contains(failed, "carryover import") {
		t.Errorf("%q", failed)
	}
}

func TestContinuity_SavesAndLoadsByMessage(t *testing.T) {
	var sent []view.AgentMessage
	answer, later := view.AgentAnswer{Type: view.Ack, HandoffID: "h1"}, error(nil)
	session := connect(t, &mcpserver.Server{Directory: "/work/parser", Tell: func(_ context.Context, m view.AgentMessage) (view.AgentAnswer, error) {
		sent = append(sent, m)
		return answer, later
	}})
	saved, failed := call(t, session, "continuity_save", map[string]string{"agent": "rev", "task": "review  the\nparser"})
	if failed != "" || string(saved["status"]) != `"saved"` || string(saved["handoff"]) != `"h1"` {
		t.Errorf("saved %s %s", failed, saved)
	}
	if m := sent[0]; m.Type != view.MessageSave || m.Directory != "/work/parser" || m.AgentName != "rev" || m.Content != "Current task:\n- review the parser\n" {
		t.Errorf("sent %+v", m)
	}
	later = mcpserver.ErrLater
	if saved, _ := call(t, session, "continuity_save", map[string]string{"agent": "rev", "task": "review"}); string(saved["status"]) != `"waiting"` {
		t.Errorf("kept for later: %s", saved)
	}
	answer, later = view.AgentAnswer{Type: view.Ack}, nil
	if loaded, _ := ask(t, session, "continuity_load", map[string]string{"agent": "rev"}); !strings.Contains(loaded, "Nothing is saved") {
		t.Errorf("loaded %s", loaded)
	}
	answer = view.AgentAnswer{Type: view.Nack, Reason: "no project"}
	if _, failed := call(t, session, "continuity_load", map[string]string{"agent": "rev"}); failed != "no project" {
		t.Errorf("refused: %q", failed)
	}
	for _, arguments := range []map[string]string{{"agent": "rev"}, {"agent": "no body", "task": "x"}} {
		if _, failed := call(t, session, "continuity_save", arguments); failed == "" {
			t.Errorf("saved %v", arguments)
		}
	}
}
