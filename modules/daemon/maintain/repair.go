package maintain

import (
	"context"
	"errors"
	"slices"
	"strings"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/damage"
	"github.com/carryover-go/carryover/modules/daemon/publish"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// Repair rebuilds the index and reads every transcript again. A damage that
// was not salvaged yet is.
func (m *Service) Repair(ctx context.Context, _ view.RepairRequest, progress view.Progress) (view.RepairResult, error) {
	if err := m.store.Check(ctx); errors.Is(err, ledger.ErrCorrupt) && m.damaged != nil {
		m.damaged()
		return view.RepairResult{Schema: 1}, &view.Error{
			Code: view.CodeInternal, Message: err.Error() + "; the daemon sets it aside and rebuilds it", Hint: "run `carryover status` to see what came of it",
		}
	}
	return m.Rebuild(ctx, view.RepairResult{Schema: 1}, progress)
}

// Rebuild is Repair after a damaged ledger was set aside, as the result says.
func (m *Service) Rebuild(ctx context.Context, result view.RepairResult, progress view.Progress) (view.RepairResult, error) {
	if err := m.store.Reread(ctx); err != nil {
		return result, err
	}
	m.ingest.ForgetFiles()
	var err error
	if result.Read, err = m.ingest.ImportHistory(ctx, view.ImportRequest{}, progress); err != nil {
		return result, err
	}
	record, salvaged, err := m.Salvage(ctx)
	if salvaged {
		result.Aside, result.Damaged = record.Aside, record.Cause
		result.Recovered, result.Salvaged, result.Mirrors = record.Result, record.Result.Events, record.Mirrors
		result.Handoffs = record.Handoffs
	}
	m.changed()
	return result, err
}

// Salvage adds to the ledger what only a damaged one has that was set aside,
// once the transcripts were read: what stands on its sound pages, then what
// the files of named agents say. Done is false when there is nothing to salvage.
func (m *Service) Salvage(ctx context.Context) (record damage.Record, done bool, err error) {
	record, found := damage.Read(m.home)
	if !found || record.Result != nil {
		return record, false, nil
	}
	var salvaged ledger.Salvaged
	for _, file := range record.Salvage() {
		more, err := m.store.Salvage(ctx, file, func(tool, path string) error { return m.ingest.Reread(ctx, tool, path) })
		if err != nil {
			return record, false, err
		}
		salvaged.Add(more)
	}
	if record.Mirrors, err = m.mirrors(ctx); err != nil {
		return record, false, err
	}
	salvaged.LostAgents, err = m.stillLost(ctx, salvaged.LostAgents)
	if err != nil {
		return record, false, err
	}
	record.Handoffs, err = publish.Keep(m.home, func(key ledger.SessionKey) (bool, error) {
		_, known, err := m.store.Session(ctx, key)
		return known, err
	})
	if err != nil {
		m.logger.Warn("handoffs not kept", zap.Error(err))
	}
	record.Result = &salvaged
	m.changed()
	m.logger.Warn("ledger rebuilt", zap.String("what", record.String()), zap.String("aside", record.Aside))
	return record, true, record.Write(m.home)
}

// stillLost are the records of named agents that no file gave back. A learning
// comes with its handoff.
func (m *Service) stillLost(ctx context.Context, lost []ledger.AgentRecord) ([]ledger.AgentRecord, error) {
	var failed error
	rest := slices.DeleteFunc(lost, func(r ledger.AgentRecord) bool {
		if r.Kind == "ledger" {
			_, found, err := m.store.AgentLedger(ctx, r.Project, r.Agent)
			failed = firstError(failed, err)
			return found
		}
		handoffs, err := m.store.Handoffs(ctx, ledger.HandoffFilter{ID: handoffOf(r.ID)})
		failed = firstError(failed, err)
		return len(handoffs) > 0
	})
	return rest, failed
}

// handoffOf is the handoff of a learning, which is numbered behind "#".
func handoffOf(id string) string {
	handoff, _, _ := strings.Cut(id, "#")
	return handoff
}

func firstError(a, b error) error {
	if a != nil {
		return a
	}
	return b
}
