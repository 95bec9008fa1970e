// Command serve is the stand-in model as a program of its own, for agents that
// run where the test cannot listen: it follows the scripts of a JSON file and
// writes every request, one JSON object a line, before it answers.
//
//	serve ADDRESS SCRIPTS REQUESTS
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"

	"github.com/carryover-go/carryover/integration/mockmodel"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: serve ADDRESS SCRIPTS REQUESTS")
		os.Exit(2)
	}
	if err := serve(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		log.Fatal(err)
	}
}

func serve(address, scriptFile, requestFile string) error {
	data, err := os.ReadFile(scriptFile)
	if err != nil {
		return fmt.Errorf("read scripts: %w", err)
	}
	var scripts []mockmodel.Script
	if err := json.Unmarshal(data, &scripts); err != nil {
		return fmt.Errorf("read scripts: %w", err)
	}
	record, err := os.OpenFile(requestFile, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("record requests: %w", err)
	}
	defer record.Close()
	model, answer := mockmodel.Handler(scripts...)
	defer model.Close()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Println("listening on", listener.Addr())
	return http.Serve(listener, &recorder{model: model, answer: answer, record: json.NewEncoder(record)})
}

// recorder puts a request on disk before its answer leaves, so that whoever
// sees the agent end finds all it asked.
type recorder struct {
	model  *mockmodel.Server
	answer http.Handler

	mu      sync.Mutex
	record  *json.Encoder
	written int
}

func (r *recorder) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	answer := httptest.NewRecorder()
	r.answer.ServeHTTP(answer, request)
	if err := r.write(); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.Code)
	_, _ = io.Copy(w, answer.Body)
}

// write appends what was asked since the last call.
func (r *recorder) write() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, request := range r.model.Requests("")[r.written:] {
		if err := r.record.Encode(request); err != nil {
			return fmt.Errorf("record request: %w", err)
		}
		r.written++
	}
	return nil
}
