package sqlite_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// The views are a contract with other programs: their columns stay.
func TestViews(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.sqlite")
	log := open(t, path)
	exit := 1
	at := time.Date(2024, 5, 1, 10, 0, 0, 250e6, time.UTC)
	events := []transcript.Event{
		{ID: "a", Kind: transcript.Title, Text: "Login", WorkDir: &transcript.WorkDir{Cwd: "/home/dev/app"}},
		{ID: "b", Kind: transcript.Decided, Decision: &transcript.Decision{Question: "Which?", Chosen: []string{"this"}, Kind: "asked"}},
		{ID: "c", Kind: transcript.Result, Result: &transcript.ResultInfo{CallID: "x", Failed: true, ExitCode: &exit, Text: "FAIL"}},
		{ID: "d", Kind: transcript.Result, Result: &transcript.ResultInfo{CallID: "y", Text: "ok"}},
	}
	batch := ledger.Batch{Source: ledger.Source{Tool: "codex", Path: "/s1.jsonl", Main: "s1"}}
	for i, event := range events {
		event.Session, event.Time = "s1", at
		batch.Events = append(batch.Events, transcript.Located{Event: event, Ref: transcript.Ref{Offset: int64(i)}})
	}
	if _, err := log.Append(context.Background(), batch); err != nil {
		t.Fatal(err)
	}
	db := plain(t, path, "?mode=ro")
	for query, want := range map[string]string{
		"SELECT tool || session || title || project_path || events || first FROM v_sessions":   "codexs1Login/home/dev/app42024-05-01T10:00:00.250Z",
		"SELECT tool || session || id || kind || question || chosen || time FROM v_decisions":  `codexs1baskedWhich?["this"]2024-05-01T10:00:00.250Z`,
		"SELECT tool || session || id || call_id || exit_code || text || time FROM v_failures": "codexs1cx1FAIL2024-05-01T10:00:00.250Z",
	} {
		var got string
		if err := db.QueryRow(query).Scan(&got); err != nil || got != want {
			t.Errorf("%s\n got %s\nwant %s, %v", query, got, want, err)
		}
	}
}
