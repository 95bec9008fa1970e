package daemon_test

import (
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// A work that takes long is followed: how far it is, then what came of it.
func TestLongWorkIsFollowed(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	w.works("0a000000-0000-4000-8000-000000000001", w.project, "Teach the parser to read dates.")
	w.ends("0a000000-0000-4000-8000-000000000001", w.project)
	daemonOf := client.New(w.home)

	for name, work := range map[string]func(view.Progress) error{
		"import": func(progress view.Progress) error {
			result, err := daemonOf.Import(t.Context(), view.ImportRequest{Root: filepath.Join(w.user, ".claude")}, progress)
			if result.Files == 0 {
				t.Errorf("import: %+v", result)
			}
			return err
		},
		"repair": func(progress view.Progress) error {
			result, err := daemonOf.Repair(t.Context(), view.RepairRequest{}, progress)
			if result.Read.Files == 0 {
				t.Errorf("repair: %+v", result)
			}
			return err
		},
		"forget": func(progress view.Progress) error {
			result, err := daemonOf.Forget(t.Context(), view.ForgetRequest{Text: "read dates"}, progress)
			if result.Events == 0 {
				t.Errorf("forget: %+v", result)
			}
			return err
		},
	} {
		steps, done, total := 0, 0, -1
		err := work(func(d, of int, _ string) { steps, done, total = steps+1, d, of })
		if err != nil || steps == 0 || done != total {
			t.Errorf("%s: %d steps, the last %d of %d, %v", name, steps, done, total, err)
		}
	}

	if _, err := daemonOf.Forget(t.Context(), view.ForgetRequest{Sessions: []string{"none"}}, nil); !errors.Is(err, view.ErrNotFound) {
		t.Errorf("what is not there: %v", err)
	}

	request := w.request(http.MethodPost, "/api/v1/import", "{}")
	request.Header.Set("Accept", "text/event-stream")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	stream, err := io.ReadAll(response.Body)
	if want := `(?s)^(event:progress\ndata:\{"done":\d+,"total":\d+.*\}\n\n)+event:result\ndata:\{"schema":1,.*\}\n\n$`; err != nil || !regexp.MustCompile(want).Match(stream) {
		t.Errorf("the stream is\n%s", stream)
	}
}
