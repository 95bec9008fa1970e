package maintain

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/carryover-go/carryover/modules/daemon/view"
)

// Repair rebuilds the index and reads every transcript again.
func (m *Service) Repair(ctx context.Context, _ view.RepairRequest, progress view.Progress) (view.RepairResult, error) {
	return m.Rebuild(ctx, view.RepairResult{Schema: 1}, progress)
}

// Rebuild is Repair after a damaged ledger was set aside, as the result says:
// what only that one had is added.
func (m *Service) Rebuild(ctx context.Context, result view.RepairResult, progress view.Progress) (view.RepairResult, error) {
	if err := m.store.Reread(ctx); err != nil {
		return result, err
	}
	m.ingest.ForgetFiles()
	var err error
	if result.Read, err = m.ingest.ImportHistory(ctx, view.ImportRequest{}, progress); err != nil {
		return result, err
	}
	if result.Aside != "" {
		result.Salvaged, err = m.store.Salvage(ctx, result.Aside, func(path string) bool {
			_, err := os.Stat(path)
			return errors.Is(err, fs.ErrNotExist)
		})
	}
	m.changed()
	return result, err
}
