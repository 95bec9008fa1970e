package wrap

import (
	"path/filepath"
	"regexp"
	"syscall"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/terminal"
)

// limits is what the tools say when their context is full, and the providers'
// own words where a tool passes them on.
var limits = regexp.MustCompile(`(?i)` +
	`context limit reached|` + // Claude Code
	`prompt is too long|` + // Claude Code, Anthropic
	`context low \(0% remaining\)|` + // Claude Code
	`ran out of room in the model'?s context window|` + // Codex
	`exceeds? the maximum number of tokens allowed|` + // Gemini
	`maximum context length is|context_length_exceeded`) // OpenAI

// limitShown says whether a tool's message of a full context is in sight.
func limitShown(rows []terminal.Row) bool {
	for _, row := range rows {
		if limits.MatchString(row.Text) {
			return true
		}
	}
	return false
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
func (w *Wrapper) full(m continuity.Message) {
	w.mu.Lock()
	current := w.run
	w.mu.Unlock()
	identity, ok := gitrepo.Identity(w.Directory)
	if current == nil || !ok || identity.Worktree != m.Directory || filepath.Base(w.Options.Args[0]) != m.CLI || m.Started < current.started.UnixMilli() {
		return
	}
	w.reachedLimit(current.session)
}
