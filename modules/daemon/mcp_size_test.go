package daemon_test

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/mcpserver"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// sizes are the bytes of answers beside those of the same result as JSON.
type sizes struct{ text, whole []int }

// ratios are those of all answers together, and of the worst one of at least
// smallAnswer bytes as JSON.
func (s sizes) ratios() (mean, worst float64) {
	text, whole := 0, 0
	for i := range s.text {
		text, whole = text+s.text[i], whole+s.whole[i]
		if s.whole[i] >= smallAnswer {
			worst = max(worst, float64(s.text[i])/float64(s.whole[i]))
		}
	}
	return float64(text) / float64(max(1, whole)), worst
}

// smallAnswer is where a ratio says nothing: an answer of a sentence.
const smallAnswer = 1000

// asked is a call of a tool, with the same question to the service behind it.
type asked struct {
	tool      string
	arguments map[string]any
	whole     func() (any, error)
}

// The answers of the tools that list something take, over real transcripts, at most a
// third of the bytes of the same result as JSON.
func TestMCP_AnswersAreCompact(t *testing.T) {
	roots := filepath.SplitList(os.Getenv("CARRYOVER_CORPUS"))
	if len(roots) == 0 {
		t.Skip("SKIPPED: CARRYOVER_CORPUS names no folder of transcripts")
	}
	dir := home.Dir(filepath.Join(t.TempDir(), "home"))
	pipeline, err := daemon.OpenReadWrite(dir, func(error) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pipeline.Store.Close() })
	for _, root := range roots {
		if _, err := pipeline.Import(t.Context(), view.ImportRequest{Root: root}, nil); err != nil {
			t.Fatal(err)
		}
	}
	all := map[string]sizes{}
	for _, one := range questions(t, pipeline) {
		whole, err := one.whole()
		if err != nil {
			continue
		}
		data, err := json.Marshal(whole)
		if err != nil {
			t.Fatal(err)
		}
		of := all[one.tool]
		all[one.tool] = sizes{append(of.text, answerSize(t, pipeline, one)), append(of.whole, len(data))}
	}
	for _, tool := range slices.Sorted(maps.Keys(all)) {
		mean, worst := all[tool].ratios()
		t.Logf("%-10s %4d answers, mean %.3f, worst %.3f", tool, len(all[tool].text), mean, worst)
		if mean > 1.0/3 {
			t.Errorf("%s: %.2f of the bytes of JSON", tool, mean)
		}
	}
}

// questions are what an agent asks of every session: its handoff, its end, the words of
// its task, its project's decisions and open work, and its last file.
func questions(t *testing.T, of *daemon.Services) []asked {
	t.Helper()
	sessions, err := of.Store.Sessions(t.Context(), ledger.SessionFilter{})
	if err != nil {
		t.Fatal(err)
	}
	var list []asked
	ctx := t.Context()
	seen := map[string]bool{}
	for _, session := range sessions {
		list = append(list, asked{"show", map[string]any{"session": session.ID}, func() (any, error) {
			shown, err := of.ShowSession(ctx, view.SessionRequest{Session: session.ID})
			shown.Events = shown.Events[max(0, len(shown.Events)-30):]
			return shown, err
		}}, asked{"handoff", map[string]any{"session": session.ID}, func() (any, error) {
			return of.Handoff(ctx, view.HandoffRequest{SessionSelector: view.SessionSelector{Session: session.ID}, Mode: "silent", Shape: "agent"})
		}})
		if seen[session.Project.ID] {
			continue
		}
		seen[session.Project.ID] = true
		project := session.Project.Path
		for _, word := range []string{"test", "error", "fix", "file*"} {
			list = append(list, asked{"search", map[string]any{"query": word, "in": project}, func() (any, error) {
				return of.Search(ctx, view.SearchRequest{Query: word, Project: project, Limit: 20})
			}})
		}
		list = append(list, asked{"decisions", map[string]any{"in": project}, func() (any, error) {
			list, err := of.Decisions(ctx, view.DecisionListRequest{Directory: project, Limit: 20})
			if err != nil {
				return nil, err
			}
			handed, err := of.Handoff(ctx, view.HandoffRequest{SessionSelector: view.SessionSelector{Directory: project}, Mode: "silent", Shape: "agent"})
			return []any{list, handed.Facts.Decisions}, err
		}}, asked{"open_work", map[string]any{"in": project}, func() (any, error) {
			return of.OpenWork(ctx, view.OpenWorkRequest{Directory: project, Limit: 10})
		}})
	}
	return list
}

// answerSize calls a tool over the protocol, and counts what a model is given.
func answerSize(t *testing.T, of *daemon.Services, one asked) (bytes int) {
	t.Helper()
	directory, _ := one.arguments["in"].(string)
	delete(one.arguments, "in")
	server := &mcpserver.Server{Directory: directory, Open: func() (view.Service, func(), error) { return of, func() {}, nil }}
	here, there := mcp.NewInMemoryTransports()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go func() { _ = server.Run(ctx, there) }()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, here, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	answer, err := session.CallTool(ctx, &mcp.CallToolParams{Name: one.tool, Arguments: one.arguments})
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range answer.Content {
		if text, ok := part.(*mcp.TextContent); ok {
			bytes += len(text.Text)
		}
	}
	return bytes
}
