package maintain

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/publish"
	"github.com/carryover-go/carryover/modules/daemon/regularfile"
	"github.com/carryover-go/carryover/modules/ledger"
)

// unpublish takes away what was made of the sessions that are forgotten: the
// texts in their worktrees, what the hook client would give out, queued hooks.
// What is left to hand over there is published again.
func (f *forgettingFiles) unpublish(ctx context.Context) error {
	var worktrees []string
	for _, session := range f.sessions {
		if session.Worktree != "" && !slices.Contains(worktrees, session.Worktree) {
			worktrees = append(worktrees, session.Worktree)
		}
	}
	for _, worktree := range worktrees {
		n, err := f.unpublishIn(worktree)
		f.done.Files += n
		if err := skipRefused(f.done, err); err != nil {
			return err
		}
	}
	if len(f.sessions) == 0 {
		return nil
	}
	n, err := f.dropQueued()
	f.done.Files += n
	if err != nil || f.request.Preview {
		return err
	}
	for _, worktree := range worktrees {
		if err := f.publishRest(ctx, worktree); err != nil {
			return err
		}
	}
	return nil
}

// publishRest publishes the handoff of a session that was not forgotten.
func (f *forgettingFiles) publishRest(ctx context.Context, worktree string) error {
	rest, found, err := f.Service.sessions.Standing(ctx, ledger.SessionFilter{Worktree: worktree})
	if err != nil || !found {
		return err
	}
	return skipRefused(f.done, f.publisher.Republish(ctx, rest.SessionKey))
}

// unpublishIn removes the texts of sessions in one worktree and returns how many
// files it were. Handoffs are made of all sessions of a worktree that continue each
// other, so those of others go too.
func (f *forgettingFiles) unpublishIn(worktree string) (changed int, err error) {
	key := home.ProjectKey(worktree)
	below, err := filepath.Glob(filepath.Join(f.home.Handoffs(), key+"*"))
	if err != nil {
		return 0, err
	}
	if text, err := regularfile.ReadOwn(f.home.Handoff()); err == nil && strings.Contains(string(text), worktree) {
		below = append(below, f.home.Handoff())
	}
	for _, path := range below {
		if !f.request.Preview {
			if err := os.Remove(path); err != nil {
				return changed, err
			}
		}
		changed++
	}
	if _, err := os.Stat(worktree); err != nil {
		return changed, nil // the worktree is gone
	}
	project, err := publish.Open(worktree)
	if err != nil {
		return changed, err
	}
	defer func() { _ = project.Close() }()
	var agents []string
	for _, agent := range f.agents {
		agents = append(agents, agent.Name)
	}
	n, err := project.RemoveTexts(agents, !f.request.Preview)
	return changed + n, err
}

// dropQueued removes hooks of the sessions that wait for the daemon, and what passed
// between an editor and their agents.
func (f *forgettingFiles) dropQueued() (removed int, err error) {
	notes, err := filepath.Glob(filepath.Join(f.home.Spool(), "*.json"))
	if err != nil {
		return 0, err
	}
	for _, path := range notes {
		text, err := regularfile.ReadOwn(path)
		if err != nil {
			continue
		}
		of := func(s ledger.Session) bool { return strings.Contains(string(text), s.ID) }
		if !slices.ContainsFunc(f.sessions, of) {
			continue
		}
		if !f.request.Preview {
			if err := os.Remove(path); err != nil {
				return removed, err
			}
		}
		removed++
	}
	n, err := f.dropProtocol()
	return removed + n, err
}

// dropProtocol removes what `carryover acp` wrote down of the sessions.
func (f *forgettingFiles) dropProtocol() (removed int, err error) {
	for _, session := range f.sessions {
		path := f.home.Path("acp", session.Tool, session.ID+".jsonl")
		if _, err := os.Lstat(path); err != nil || !filepath.IsLocal(session.ID) {
			continue
		}
		if !f.request.Preview {
			if err := os.Remove(path); err != nil {
				return removed, err
			}
		}
		removed++
	}
	return removed, nil
}
