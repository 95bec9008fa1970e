package session

import (
	"context"
	"slices"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// LimitFor is how long ago a session may have stopped at a limit of its service and still
// be said to stand there: the windows of such limits are of five hours, or longer.
const LimitFor = 6 * time.Hour

// Turns reads the turns of a session.
type Turns interface {
	EventPart(ctx context.Context, session ledger.SessionKey, window ledger.EventWindow) (ledger.EventPart, error)
}

// AtLimit says whether a session ended because a limit of its service was hit, and what
// the tool said: by a field of the record, or else by the words of the tool.
func AtLimit(ctx context.Context, store Turns, spec *toolspecs.Spec, session ledger.SessionKey) (text string, hit bool, err error) {
	part, err := store.EventPart(ctx, session, ledger.EventWindow{Kind: transcript.Turn, Last: true, Limit: 1})
	if err != nil || len(part.Events) == 0 {
		return "", false, err
	}
	last := part.Events[len(part.Events)-1]
	if last.Text != transcript.TurnFailed || last.Result == nil {
		return "", false, nil
	}
	if last.Result.Outcome != transcript.Limited && !spec.Limits.Hit(last.Result.Text) {
		return "", false, nil
	}
	return last.Result.Text, true, nil
}

// Elsewhere is the tool with which work goes on when that of one is at its limit: the
// first of those connected that can be opened with a handoff, "" when there is none.
func Elsewhere(table *toolspecs.Table, connected []string, own string) string {
	at := slices.IndexFunc(connected, func(tool string) bool {
		spec, err := table.Lookup(tool)
		return tool != own && err == nil && spec.Launch != nil
	})
	if at < 0 {
		return ""
	}
	return connected[at]
}
