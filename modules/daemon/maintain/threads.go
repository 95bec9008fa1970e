package maintain

import (
	"context"

	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// marks are the decisions that MarkThread keeps.
var marks = map[string]string{
	view.MarkDone: ledger.ThreadDone, view.MarkDrop: ledger.ThreadDropped, view.MarkSplit: ledger.ThreadApart,
	view.MarkJoin: ledger.ThreadJoined, view.MarkUnmark: ledger.ThreadUnmarked,
}

// MarkThread keeps what the user says of the thread of work that a session belongs to.
func (m *Service) MarkThread(ctx context.Context, request view.MarkThreadRequest) (view.Done, error) {
	if err := request.Complete(); err != nil {
		return view.Done{}, err
	}
	session, err := m.query.SessionNamed(ctx, request.Session)
	if err != nil {
		return view.Done{}, err
	}
	decision := ledger.Restore{
		Session: session.SessionKey, Project: session.Project.ID, Event: "open", Source: "user", Decision: marks[request.Mark],
		Reason: "said by the user with `carryover open`", Time: m.now().UTC(),
	}
	if request.Mark == view.MarkJoin {
		to, err := m.query.SessionNamed(ctx, request.To)
		if err != nil {
			return view.Done{}, err
		}
		if to.SessionKey == session.SessionKey {
			return view.Done{}, view.Invalid("a session cannot be joined to itself")
		}
		decision.From = to.SessionKey
	}
	return view.Done{Status: request.Mark}, m.store.RecordRestore(ctx, decision)
}
