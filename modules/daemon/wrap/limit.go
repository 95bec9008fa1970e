package wrap

import (
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/terminal"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// limitShown says whether a tool's message of a full context is in sight.
func (w *Wrapper) limitShown(rows []terminal.Row) bool {
	return slices.ContainsFunc(rows, func(row terminal.Row) bool {
		text := strings.ToLower(row.Text)
		return slices.ContainsFunc(w.Full, func(full string) bool { return strings.Contains(text, full) })
	})
}

// grace is how long a program has to end by itself.
const grace = 3 * time.Second

// reachedLimit ends the run, so that the next one starts afresh with what was
// saved: a context is cleared, not compacted.
func (w *Wrapper) reachedLimit(session *terminal.Session) {
	if w.limit.Swap(true) || w.Restart != OnLimit {
		return
	}
	session.Signal(syscall.SIGTERM)
	time.AfterFunc(grace, func() {
		if session.Running() {
			session.Signal(syscall.SIGKILL)
		}
	})
}

// full takes word of a session whose usage records say that its context is
// full. It is this run's when the same program began it here, since the run
// began; a session that was resumed is known by the tool's own words only.
func (w *Wrapper) full(m view.AgentMessage) {
	w.mu.Lock()
	current := w.run
	w.mu.Unlock()
	identity, ok := gitrepo.Identity(w.Directory)
	if current == nil || !ok || identity.Worktree != m.Directory || filepath.Base(w.Options.Args[0]) != m.CLI || m.Started < current.started.UnixMilli() {
		return
	}
	w.reachedLimit(current.session)
}
