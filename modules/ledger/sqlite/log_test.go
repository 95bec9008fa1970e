package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/ledgertest"
	"github.com/carryover-go/carryover/modules/ledger/sqlite"
)

func TestContract(t *testing.T) {
	ledgertest.Run(t, func(t testing.TB, dir string) ledger.Store {
		log, err := sqlite.Open(filepath.Join(dir, "ledger.sqlite"), sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return log
	})
}
