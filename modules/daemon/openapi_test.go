package daemon_test

import (
	"bufio"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/carryover-go/carryover/modules/daemon/api"
)

// document is what the test needs of the OpenAPI document.
type document struct {
	OpenAPI    string                          `json:"openapi"`
	Paths      map[string]map[string]operation `json:"paths"`
	Components struct {
		Schemas map[string]*jsonschema.Schema `json:"schemas"`
	} `json:"components"`
}

type operation struct {
	ID        string             `json:"operationId"`
	Security  *[]json.RawMessage `json:"security"`
	Responses map[string]struct {
		Content map[string]struct {
			Schema *jsonschema.Schema `json:"schema"`
		} `json:"content"`
	} `json:"responses"`
}

// readDocument has schemas refer to one another as JSON Schema has it.
func readDocument(t *testing.T, text []byte) document {
	t.Helper()
	var d document
	if err := json.Unmarshal([]byte(strings.ReplaceAll(string(text), "#/components/schemas/", "#/$defs/")), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// answered is what came of a request; of a stream no body is read.
type answered struct {
	status int
	media  string
	body   []byte
}

// check holds an answer against the schema of its status.
func (d document) check(t *testing.T, name string, of operation, got answered) {
	t.Helper()
	documented, ok := of.Responses[strconv.Itoa(got.status)]
	if !ok {
		t.Errorf("%s: status %d is not documented: %s", name, got.status, got.body)
		return
	}
	content, ok := documented.Content["application/json"]
	if !ok {
		if strings.HasPrefix(got.media, "application/json") {
			t.Errorf("%s: JSON that is not documented: %s", name, got.body)
		}
		return
	}
	if content.Schema == nil {
		return // any object
	}
	schema := &jsonschema.Schema{Defs: d.Components.Schemas, AllOf: []*jsonschema.Schema{content.Schema}}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatalf("%s: schema: %v", name, err)
	}
	var value any
	if err := json.Unmarshal(got.body, &value); err != nil {
		t.Errorf("%s: %v in %s", name, err, got.body)
		return
	}
	if err := resolved.Validate(value); err != nil {
		t.Errorf("%s: not as documented: %v\n%s", name, err, got.body)
	}
}

// ask sends a request, with the token or without, and reads the answer.
func (w *world) ask(method, path, body string, allowed bool) answered {
	w.t.Helper()
	request := w.request(method, path, body)
	if !allowed {
		request.Header.Del("Authorization")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if strings.Contains(response.Header.Get("Content-Type"), "stream") || strings.Contains(response.Header.Get("Content-Type"), "ndjson") {
		return answered{status: response.StatusCode}
	}
	data, err := io.ReadAll(response.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return answered{response.StatusCode, response.Header.Get("Content-Type"), data}
}

// apiRequest is a request with the status it should have.
type apiRequest struct {
	id, method, path, body string
	status                 int
}

// apiRequests ask every route.
func apiRequests(project string) []apiRequest {
	agent := "/api/v1/continuity/reviewer/"
	here := "?project=" + project
	return []apiRequest{
		{"health", "GET", "/health", "", 200},
		{"hook", "POST", "/hook/claude-code/Stop", "{}", 204},
		{"hook", "POST", "/hook/claude-code/Nonsense", "{}", 202},
		{"status", "GET", "/api/v1/status", "", 200},
		{"stats", "GET", "/api/v1/stats", "", 200},
		{"digest", "GET", "/api/v1/digest", "", 200},
		{"decisions", "GET", "/api/v1/decisions", "", 200},
		{"history", "GET", "/api/v1/history?directory=" + project, "", 200},
		{"history", "GET", "/api/v1/history?directory=/nowhere", "", 404},
		{"report", "GET", "/api/v1/report?directory=" + project, "", 200},
		{"compaction", "GET", "/api/v1/compaction?directory=" + project, "", 404},
		{"switch", "GET", "/api/v1/switch?tool=codex&directory=" + project, "", 200},
		{"threads", "GET", "/api/v1/threads?all=true", "", 200},
		{"threads", "GET", "/api/v1/threads?since=someday", "", 400},
		{"markThread", "POST", "/api/v1/threads", `{"session":"0a000000","mark":"done"}`, 200},
		{"markThread", "POST", "/api/v1/threads", `{"session":"0a000000","mark":"burn"}`, 400},
		{"markThread", "POST", "/api/v1/threads", `{"session":"none","mark":"drop"}`, 404},
		{"blame", "GET", "/api/v1/blame?path=main.go&directory=" + project, "", 200},
		{"blame", "GET", "/api/v1/blame?path=../main.go&directory=" + project, "", 400},
		{"effects", "GET", "/api/v1/effects", "", 200},
		{"importBundle", "POST", "/api/v1/bundle", "{}", 400},
		{"importBundle", "POST", "/api/v1/bundle", `{"file":"/nowhere","directory":"` + project + `"}`, 404},
		{"export", "GET", "/api/v1/export", "", 200},
		{"export", "GET", "/api/v1/export?session=none", "", 404},
		{"sessions", "GET", "/api/v1/sessions?limit=many", "", 400},
		{"search", "GET", "/api/v1/search?q=parser", "", 200},
		{"search", "GET", "/api/v1/search?q=praser", "", 200},
		{"search", "GET", "/api/v1/search", "", 400},
		{"search", "GET", "/api/v1/search?q=x&since=yesterday", "", 400},
		{"sessions", "GET", "/api/v1/sessions?limit=1", "", 200},
		{"session", "GET", "/api/v1/sessions/0a000000", "", 200},
		{"session", "GET", "/api/v1/sessions/none", "", 404},
		{"events", "GET", "/api/v1/events", "", 200},
		{"dashboard", "POST", "/api/v1/dashboard", "", 200},
		{"openapi", "GET", "/api/v1/openapi.json", "", 200},
		{"handoff", "GET", "/api/v1/handoff?directory=" + project, "", 200},
		{"handoff", "GET", "/api/v1/handoff?directory=/nowhere", "", 404},
		{"import", "POST", "/api/v1/import", "{}", 200},
		{"import", "POST", "/api/v1/import", "no", 400},
		{"projects", "GET", "/api/v1/projects", "", 200},
		{"projects", "GET", "/api/v1/projects?cursor=none", "", 400},
		{"sessions", "GET", "/api/v1/sessions?cursor=none", "", 400},
		{"changeProject", "POST", "/api/v1/projects", "{}", 400},
		{"changeProject", "POST", "/api/v1/projects", `{"from":"/nowhere","to":"/elsewhere"}`, 404},
		{"putAgentLedger", "POST", agent + "ledger" + here, `{"content":"Current task: review\nNext steps: merge"}`, 200},
		{"agentLedger", "GET", agent + "ledger", "", 200},
		{"agentLedger", "GET", "/api/v1/continuity/nobody/ledger", "", 404},
		{"agentLedger", "GET", "/api/v1/continuity/no%20body/ledger", "", 400},
		{"makeAgentHandoff", "POST", agent + "handoff", `{"reason":"manual","summary":"reviewed"}`, 201},
		{"agentHandoffs", "GET", agent + "handoffs", "", 200},
		{"searchAgents", "GET", "/api/v1/continuity/search?q=review", "", 200},
		{"message", "POST", agent + "message", `{"type":"CONTINUITY_LOAD","directory":"` + project + `"}`, 200},
		{"messages", "GET", agent + "messages" + here, "", 200},
		{"inject", "POST", "/api/v1/continuity/nobody/inject", `{"context":"go on"}`, 404},
		{"clearAgent", "POST", agent + "clear", "", 200},
		{"dismiss", "POST", "/api/v1/dismiss", `{"directory":"` + project + `"}`, 200},
		{"dismiss", "POST", "/api/v1/dismiss", "{}", 400},
		{"repair", "POST", "/api/v1/repair", "", 200},
		{"forget", "POST", "/api/v1/forget", `{"sessions":["0a000000"]}`, 200},
		{"forget", "POST", "/api/v1/forget", "{}", 400},
	}
}

// Every route answers as the document says, and only to who has the token.
func TestTheAPIIsAsDocumented(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	w.works("0a000000-0000-4000-8000-000000000001", w.project, "Teach the parser to read dates.")
	w.ends("0a000000-0000-4000-8000-000000000001", w.project)
	served := w.ask("GET", "/api/v1/openapi.json", "", true).body
	d := readDocument(t, served)
	if d.OpenAPI != "3.1.0" || string(served) != string(api.OpenAPI) {
		t.Errorf("served is OpenAPI %q, %d bytes", d.OpenAPI, len(served))
	}

	operations := map[string]operation{}
	for _, methods := range d.Paths {
		for _, of := range methods {
			operations[of.ID] = of
		}
	}
	untried := maps.Clone(operations)
	for _, request := range apiRequests(w.project) {
		of, name := operations[request.id], request.method+" "+request.path
		delete(untried, request.id)
		if of.Security == nil {
			refused := w.ask(request.method, request.path, request.body, false)
			d.check(t, name+" without token", of, refused)
			if refused.status != http.StatusUnauthorized {
				t.Errorf("%s without token: %d", name, refused.status)
			}
		}
		got := w.ask(request.method, request.path, request.body, true)
		d.check(t, name, of, got)
		if got.status != request.status {
			t.Errorf("%s: %d, want %d: %s", name, got.status, request.status, got.body)
		}
	}
	if len(untried) > 0 {
		t.Errorf("not tried: %q", slices.Sorted(maps.Keys(untried)))
	}
}

// A page that shows sessions hears when something happens in one.
func TestChangesAreStreamed(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	response, err := http.DefaultClient.Do(w.request(http.MethodGet, "/api/v1/events", ""))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	w.works("0a000000-0000-4000-8000-000000000002", w.project, "Teach the parser to read dates.")
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		if strings.Contains(lines.Text(), "0a000000-0000-4000-8000-000000000002") {
			return
		}
	}
	t.Errorf("the stream ended: %v", lines.Err())
}
