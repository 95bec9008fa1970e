package dashboard

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/dashboard/timeline"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/ledger"
)

// counting is a ledger with one long session that counts what is read of it. What it
// does not answer, a page must not ask for.
type counting struct {
	Ledger
	parts  []ledger.EventWindow
	events int
}

var long = ledger.Session{
	SessionKey: ledger.SessionKey{Tool: "claude-code", ID: "11111111-0000-4000-8000-000000000001"},
	Project:    ledger.Project{ID: "tally", Path: "/home/dev/tally"}, Events: 20_000, Last: time.Unix(1_772_000_000, 0),
}

func (c *counting) Sessions(context.Context, ledger.SessionFilter) ([]ledger.Session, error) {
	return []ledger.Session{long}, nil
}

func (c *counting) Session(context.Context, ledger.SessionKey) (ledger.Session, bool, error) {
	return long, true, nil
}

func (c *counting) Restores(context.Context, ledger.SessionKey, int) ([]ledger.Restore, error) {
	return nil, nil
}

func (c *counting) Projects(context.Context) ([]ledger.Project, error) {
	return []ledger.Project{long.Project}, nil
}

func (c *counting) NamedAgents(context.Context) ([]ledger.NamedAgent, error) { return nil, nil }

func (c *counting) EventPart(_ context.Context, _ ledger.SessionKey, window ledger.EventWindow) (ledger.EventPart, error) {
	c.parts = append(c.parts, window)
	c.events += window.Limit
	return ledger.EventPart{Total: long.Events, Found: -1}, nil
}

// unread are sessions of which nothing may be read to its end.
type unread struct {
	Sessions
	t *testing.T
}

func (u unread) Distil(context.Context, ledger.Session) (distiller.Facts, error) {
	u.t.Error("a page waits for a session to be folded")
	return distiller.Facts{}, nil
}

func (u unread) GivenOn(context.Context) (map[ledger.SessionKey]int, error) { return nil, nil }

type noService struct{ view.Service }

// A page of a long session, and of its project, reads what its first part shows: no
// session to its end, no kinds, and no more events than it has rows.
func TestPages_ReadNoMoreThanTheyShow(t *testing.T) {
	for path, events := range map[string]int{
		"/sessions/claude-code/" + long.ID: timeline.Many, "/sessions/claude-code/" + long.ID + "?before=9000&more=1": timeline.Many,
		"/projects/tally": 0, "/threads": 0, "/sessions": 0, "/projects": 0,
	} {
		read := &counting{}
		now := func() time.Time { return long.Last }
		p := &Page{Options: Options{Ledger: read, Sessions: unread{t: t}, Service: noService{}, Now: now, Logger: zap.NewNop()}, views: parse(now)}
		mux := http.NewServeMux()
		for _, route := range p.routes() {
			if route.Path == "/" {
				continue
			}
			mux.HandleFunc(route.Method+" "+route.Path, route.Handle)
		}
		answer := httptest.NewRecorder()
		mux.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		if answer.Code != http.StatusOK || read.events != events {
			t.Errorf("%s: %d, with %d events read", path, answer.Code, read.events)
		}
		for _, window := range read.parts {
			if window.Count || window.Kind != "" {
				t.Errorf("%s counts kinds, which reads something of every event", path)
			}
		}
	}
}
