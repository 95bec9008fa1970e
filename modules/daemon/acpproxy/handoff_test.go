package acpproxy_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// A command to compact is answered before the agent has compacted: the gate, which
// knows of nothing yet, is asked again at the next prompt, until it gives something.
func TestProxy_AsksAgainUntilACompactionIsKnown(t *testing.T) {
	e := newEditor(t)
	var asked atomic.Int32
	if err := e.home.Make("run"); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", e.home.Socket())
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/AcpPrompt") {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		answers := []string{"THE HANDOFF", "", "THE SEAM"}
		text := ""
		if n := int(asked.Add(1)); n <= len(answers) {
			text = answers[n-1]
		}
		w.Header().Set("Content-Length", fmt.Sprint(len(text)))
		_, _ = io.WriteString(w, text)
	})}
	go func() { _ = server.Serve(socket) }()
	t.Cleanup(func() { _ = server.Close() })

	e.opens()
	for i, prompt := range []string{"Round the prices.", "/compact", "First.", "Second.", "Third."} {
		e.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"session/prompt","params":{"sessionId":"s-1","prompt":[{"type":"text","text":%q}]}}`, 10+i, prompt))
		e.next() // the answer, after the update
	}
	e.leave()
	if asked.Load() != 3 {
		t.Errorf("the gate was asked %d times, not at the first prompt and at two after the command", asked.Load())
	}
}
