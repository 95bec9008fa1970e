package daemon_test

import (
	"net/http"
	"os"
	"strings"
)

// bearer is the header's value with which a program comes in by the port.
func (w *world) bearer() string {
	w.t.Helper()
	token, err := os.ReadFile(w.home.Token())
	if err != nil {
		w.t.Fatal(err)
	}
	return "Bearer " + strings.TrimSpace(string(token))
}

// request asks the daemon's port, as who may read the token file.
func (w *world) request(method, path, body string) *http.Request {
	w.t.Helper()
	running, err := w.home.ReadRunning()
	if err != nil {
		w.t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(w.t.Context(), method, "http://"+running.Listen+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	request.Header.Set("Authorization", w.bearer())
	return request
}
