package sqlite

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/ledgertest"
)

// What was prepared for an append before something was forgotten, and is written
// after it, does not bring that back: neither a session nor a text.
func TestAppend_BringsNothingBackThatIsForgottenMeanwhile(t *testing.T) {
	batch := ledgertest.History(10)[0]
	session := ledger.SessionKey{Tool: batch.Source.Tool, ID: batch.Events[0].Session}
	if session.ID == "" {
		session.ID = batch.Source.Main
	}
	batch.Events[0].Text = "the client is Zanzibar"
	for name, what := range map[string]ledger.Forgetting{
		"session": {Sessions: []ledger.SessionKey{session}}, "text": {Text: "Zanzibar"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := context.Background()
			log, err := Open(filepath.Join(t.TempDir(), "ledger.sqlite"), Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = log.Close() }()
			run, err := prepared(log, &batch, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := log.Forget(ctx, what); err != nil {
				t.Fatal(err)
			}
			if err := appendRuns(ctx, log, "append", []*appending{run}); err != nil {
				t.Fatal(err)
			}
			if _, found, err := log.Session(ctx, session); err != nil || found && name == "session" {
				t.Errorf("the session is back (%v)", err)
			}
			hits, err := log.Search(ctx, ledger.Query{Text: "Zanzibar"})
			if err != nil || len(hits.Hits) > 0 {
				t.Errorf("the text is back: %+v (%v)", hits, err)
			}
		})
	}
}
