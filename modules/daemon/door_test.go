package daemon_test

import (
	"net/http"
	"os"
	"strings"
)

// request asks the daemon's port, as who may read the token file.
func (w *world) request(method, path, body string) *http.Request {
	w.t.Helper()
	running, err := w.home.ReadRunning()
	if err != nil {
		w.t.Fatal(err)
	}
	header, err := os.ReadFile(w.home.Header())
	if err != nil {
		w.t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(w.t.Context(), method, "http://"+running.Listen+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	request.Header.Set("Authorization", strings.TrimSpace(strings.TrimPrefix(string(header), "Authorization: ")))
	return request
}
