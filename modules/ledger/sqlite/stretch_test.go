package sqlite_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// More events of one moment than a stretch of the index has numbers for are found all
// the same, before and after any time.
func TestSearch_FindsWhatAStretchHasNoNumbersFor(t *testing.T) {
	log := open(t, filepath.Join(t.TempDir(), "ledger.sqlite"))
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	batch := ledger.Batch{Source: ledger.Source{Tool: "claude-code", Path: "/s/a.jsonl", Main: "s", Position: transcript.Position{Offset: 20_000, Line: 20_000}}}
	const together = 10_000
	for i := range together {
		batch.Events = append(batch.Events, transcript.Located{
			Event: transcript.Event{ID: fmt.Sprint("e", i), Kind: transcript.Prompt, Session: "s", Text: fmt.Sprintf("crowd number%d", i), Time: at},
			Ref:   transcript.Ref{Offset: int64(i)},
		})
	}
	later := transcript.Event{ID: "later", Kind: transcript.Prompt, Session: "s", Text: "crowd gone", Time: at.Add(time.Hour)}
	batch.Events = append(batch.Events, transcript.Located{Event: later, Ref: transcript.Ref{Offset: together}})
	if _, err := log.Append(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[ledger.Query]int{
		{Text: "number9999"}: 1,
		{Text: "number0"}:    1,
		{Text: "number9998", Until: at.Add(time.Minute)}: 1,
		{Text: "number9998", Since: at.Add(time.Minute)}: 0,
		{Text: "crowd", Since: at.Add(time.Minute)}:      1,
		{Text: "crowd", Until: at}:                       0,
		{Text: "crowd", Limit: 1}:                        1500,
	} {
		results, err := log.Search(t.Context(), query)
		if err != nil || results.Total != want {
			t.Errorf("%+v: %d found, want %d, %v", query, results.Total, want, err)
		}
	}
}
