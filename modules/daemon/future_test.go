package daemon_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/view"
)

// comesFromTheFuture makes a session that is dated 2099, in a file written at a time.
func (w *world) comesFromTheFuture(id, request string, written time.Time) {
	w.t.Helper()
	w.write(w.transcript(id), `{"type":"user","uuid":"f1","sessionId":"`+id+`","timestamp":"2099-01-01T09:00:00.000Z","cwd":"`+w.project+`","message":{"role":"user","content":"`+request+`"}}`+"\n")
	if err := os.Chtimes(w.transcript(id), written, written); err != nil {
		w.t.Fatal(err)
	}
}

// A session dated 2099 is handed over where nothing newer was captured, with the age of
// its capture, and gives way to what was done after its file was written: also when
// both are read at once, as in an import or after a damage.
func TestStart_TakesTheFutureForWhatItIs(t *testing.T) {
	const asks = "44444444-0000-4000-8000-000000000004"
	for name, c := range map[string]struct {
		others  bool
		written time.Duration // before now
		given   string
	}{
		"alone":               {false, time.Hour, "From the future"},
		"alone and old":       {false, 30 * 24 * time.Hour, "30 days"},
		"older than the next": {true, time.Hour, "Parse the dates"},
		"newer than the next": {true, 0, "From the future"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.install()
			w.comesFromTheFuture(second, "From the future", time.Now().Add(-c.written))
			if c.others {
				w.works(first, w.project, "Parse the dates of the log file")
			}
			w.start()
			if given := w.starts(asks, w.project, "startup"); !strings.Contains(given, c.given) || strings.Contains(given, "2099") {
				t.Errorf("given %q, want %q and no year of the future", given, c.given)
			}
		})
	}
}

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
