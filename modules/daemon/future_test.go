package daemon_test

import (
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/view"
)

// A session that its machine dated 2036 is not the newest until then, and status
// says that it counts as of its capture.
func TestStatus_TellsOfTheFuture(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.works(first, w.project, "Parse the dates of the log file")
	w.write(w.transcript(second), `{"type":"user","uuid":"f1","sessionId":"`+second+`","timestamp":"2099-01-01T09:00:00.000Z","cwd":"`+w.project+`","message":{"role":"user","content":"From the future"}}`+"\n")
	p := w.opened()
	defer func() { _ = p.Store.Close() }()
	if _, err := p.Import(t.Context(), view.ImportRequest{}, nil); err != nil {
		t.Fatal(err)
	}
	status, err := p.Status(t.Context())
	if err != nil || status.Ledger.Future != 1 {
		t.Errorf("%+v, %v", status.Ledger, err)
	}
	if last := status.Handoff; last == nil || strings.HasPrefix(last.Updated, "2099") {
		t.Errorf("the handoff is of %+v, now is %s", last, time.Now())
	}
}
