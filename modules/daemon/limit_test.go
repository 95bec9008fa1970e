package daemon_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// A limit that was hit is said by the status, and at the next start, each with the
// command that goes on elsewhere.
func TestLimit_IsSaidWithTheWayOn(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.write(w.home.Config(), "tools = [\"claude-code\", \"codex\"]\n")
	w.works(first, w.project, "Parse the dates of the log file")
	now := time.Now().UTC().Format("2006-01-02T15:04:05.000Z")
	w.append(w.transcript(first), `{"type":"assistant","isApiErrorMessage":true,"error":"rate_limit","uuid":"e0000000-0000-4000-8000-00000000000e","timestamp":"`+now+`","sessionId":"`+first+`","cwd":"`+w.project+`","version":"2.1.329","message":{"model":"<synthetic>","role":"assistant","content":[{"type":"text","text":"That was all for now"}]}}`)
	w.start()
	var status view.Status
	w.eventually("the history is read", func() bool {
		var err error
		status, err = client.New(w.home).Status(context.Background())
		return err == nil && status.Ledger.Events > 0 && len(status.Limits) > 0
	})
	if len(status.Limits) != 1 || status.Limits[0].Session != first || !slices.Equal(status.Limits[0].Command, []string{"carryover", "switch", "codex", "--project", w.project}) {
		t.Errorf("the status says %+v", status.Limits)
	}
	w.starts(second, w.project, "startup")
	if want := ". It stopped at a limit of Claude Code: `carryover switch codex` goes on elsewhere"; !strings.HasSuffix(w.seen, want) {
		t.Errorf("the person sees %q", w.seen)
	}
}
