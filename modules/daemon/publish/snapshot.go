package publish

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/modules/ledger"
)

// maxCommitTime bounds how long a compaction waits for git: what takes longer is left
// out of the snapshot.
const maxCommitTime = 100 * time.Millisecond

// snapshotCommits is how many commits of a repository a snapshot names.
const snapshotCommits = 5

// Report writes the session report into the session's worktree, under
// the conditions of Publish. A trigger other than "" also takes a snapshot of
// the session as it is now.
func (s *Service) Report(ctx context.Context, key ledger.SessionKey, installed time.Time, trigger string) error {
	session, choices, ok, err := s.publishable(ctx, key)
	if err != nil || !ok || session.SessionKey != key || choices.Excluded(session.Worktree) || installed.IsZero() || session.Last.Before(installed) {
		return err
	}
	snapshot := ""
	if trigger != "" {
		trail, err := s.sessions.Trail(ctx, session)
		if err != nil {
			return err
		}
		snapshot = render.Snapshot(trail, trigger, repositories(ctx, trail))
	}
	document, _, err := s.ReportText(ctx, session)
	if err != nil {
		return err
	}
	if _, err := os.Stat(session.Worktree); err != nil {
		return nil // the worktree is gone
	}
	project, err := Open(session.Worktree)
	if err != nil {
		return err
	}
	defer func() { _ = project.Close() }()
	if _, err := project.Ledger(document, snapshot); err != nil {
		return fmt.Errorf("publish ledger: %w", err)
	}
	return nil
}

// repositories are those in which the session touched files, with their last
// commits.
func repositories(ctx context.Context, trail distiller.Trail) []render.Repository {
	ctx, cancel := context.WithTimeout(ctx, maxCommitTime)
	defer cancel()
	var list []render.Repository
	seen := map[string]bool{}
	for _, dir := range trail.Directories {
		w, ok := gitrepo.Find(dir)
		if !ok || seen[w.Root] {
			continue
		}
		seen[w.Root] = true
		if commits := w.LastCommits(ctx, snapshotCommits); len(commits) > 0 {
			list = append(list, render.Repository{Path: w.Root, Commits: commits})
		}
	}
	return list
}
