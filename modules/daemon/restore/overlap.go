package restore

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// OverlapNotice is kept beside the decisions of the gate: the session was told that
// another one at work changes the same file.
const OverlapNotice = "overlap"

// overlap tells a session, once, that another one that has not ended changed a file
// within the same minute as itself.
func (s *Service) overlap(ctx context.Context, hook capture.Hook, at gitrepo.Checkout) (Reply, error) {
	if hook.Hook.Output == "none" {
		return Reply{}, nil
	}
	met, due := s.Sessions.Overlaps.Due(hook.Key(), hook.Time)
	if !due || s.hasEnded(met.Other, hook) {
		return Reply{}, nil
	}
	identity, inProject := at.Identity()
	if !inProject || s.Projects.Of(identity.Worktree).Excluded(identity.Worktree) {
		return Reply{}, nil
	}
	file := met.Path
	if rel, err := filepath.Rel(identity.Worktree, file); err == nil && filepath.IsLocal(rel) {
		file = filepath.ToSlash(rel)
	}
	other := s.toolName(ledger.Session{SessionKey: met.Other}) + " session " + render.ShortID(met.Other.ID)
	head := transcript.Sentinel + " Another agent is changing a file that you changed a moment ago. Read it again before you change it, and keep what the other one did.\n"
	text, err := render.Compose(head, []string{fmt.Sprintf("The file: %s, changed by %s.", file, other)}, "")
	if err != nil {
		return Reply{}, err
	}
	reply := Reply{Text: text, Seen: s.announced(fmt.Sprintf("%s changes %s too; the agent knows", other, file))}
	return reply, s.Store.RecordRestore(ctx, ledger.Restore{
		Session: hook.Key(), From: hook.Key(), Event: hook.Event, Decision: OverlapNotice,
		Reason: "another session changed a file within the same minute", Lines: strings.Count(text, "\n"), Bytes: len(text), Time: hook.Time.UTC(),
	})
}

// hasEnded says whether a session is known to be over: its tool tells of the end, and
// no hook of it came lately.
func (s *Service) hasEnded(key ledger.SessionKey, hook capture.Hook) bool {
	spec, err := s.Table.Lookup(key.Tool)
	return err == nil && spec.SaysEnd() && !s.Sessions.Presence.Open(key, hook.Time)
}
