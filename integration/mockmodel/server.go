package mockmodel

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

// Kind of a request.
const (
	Turn    = "turn"    // the agent's own conversation
	Compact = "compact" // asks for a summary
	Side    = "side"    // titles, checks, counting
)

// Request is one recorded call.
type Request struct {
	API  string // anthropic, openai, chat, gemini
	Kind string
	Body []byte
}

// Text is all text in the request, with JSON escapes undone, in order.
func (r Request) Text() string {
	var body any
	if json.Unmarshal(r.Body, &body) != nil {
		return string(r.Body)
	}
	var b strings.Builder
	collect(body, &b)
	return b.String()
}

func collect(value any, b *strings.Builder) {
	switch v := value.(type) {
	case string:
		b.WriteString(v)
		b.WriteByte('\n')
	case []any:
		for _, element := range v {
			collect(element, b)
		}
	case map[string]any:
		for _, key := range []string{"system", "instructions", "messages", "input", "contents", "content", "parts", "text", "functionResponse", "response", "output", "arguments", "encrypted_content"} {
			if element, ok := v[key]; ok {
				collect(element, b)
			}
		}
	}
}

// Server answers on a loopback port.
type Server struct {
	URL string

	http     *httptest.Server
	scripts  []Script
	mu       sync.Mutex
	requests []Request
	summed   func() bool
}

// Start serves the scripts until Close.
func Start(scripts ...Script) *Server {
	s := &Server{scripts: scripts}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/messages", s.messages)
	mux.HandleFunc("POST /v1/messages/count_tokens", s.countTokens)
	mux.HandleFunc("POST /v1/responses", s.responses)
	mux.HandleFunc("POST /v1/chat/completions", s.completions)
	mux.HandleFunc("POST /v1beta/models/{call}", s.generate)
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"data":[]}`) })
	s.http = httptest.NewServer(mux)
	s.URL = s.http.URL
	return s
}

// Handler serves the scripts on a listener of the caller's.
func Handler(scripts ...Script) (*Server, http.Handler) {
	s := Start(scripts...)
	return s, s.http.Config.Handler
}

// Add appends scripts: paths in them are often known only once there is a home.
func (s *Server) Add(scripts ...Script) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scripts = append(s.scripts, scripts...)
}

// step finds the answer to a conversation, and takes its time for it.
func (s *Server) step(prompt string, answered int) Step {
	s.mu.Lock()
	step := pick(s.scripts, prompt, answered)
	s.mu.Unlock()
	hold(step.When)
	return step
}

// summary is the answer to a request to compact.
func (s *Server) summary() string {
	s.mu.Lock()
	when := s.summed
	s.mu.Unlock()
	hold(when)
	return Summary
}

// SumUp has the summary of a compaction wait until a condition holds.
func (s *Server) SumUp(when func() bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.summed = when
}

// patience bounds how long an answer is held back: what it waits for never
// comes then, and the scenario shall say so, not hang.
const patience = 30 * time.Second

func hold(when func() bool) {
	if when == nil {
		return
	}
	for deadline := time.Now().Add(patience); !when() && time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond)
	}
}

// Close stops the server.
func (s *Server) Close() { s.http.Close() }

// Requests lists what was asked, in order, of one kind ("" for all).
func (s *Server) Requests(kind string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []Request
	for _, r := range s.requests {
		if kind == "" || r.Kind == kind {
			list = append(list, r)
		}
	}
	return list
}

// Forget drops the recorded requests.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = nil
}

func (s *Server) record(api, kind string, body []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, Request{API: api, Kind: kind, Body: body})
}

// stream writes server-sent events.
type stream struct{ w http.ResponseWriter }

func newStream(w http.ResponseWriter) stream {
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	return stream{w}
}

func (s stream) send(event string, data any) {
	text, err := json.Marshal(data)
	if err != nil {
		panic(err) // maps of strings and numbers
	}
	_, _ = fmt.Fprintf(s.w, "event: %s\ndata: %s\n\n", event, text)
	if flusher, ok := s.w.(http.Flusher); ok {
		flusher.Flush()
	}
}

type object = map[string]any
