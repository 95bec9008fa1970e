package wrap

import (
	"regexp"
	"syscall"
	"time"

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
func (w *Wrapper) reachedLimit() {
	if w.Restart != OnLimit {
		return
	}
	w.mu.Lock()
	session := w.run.session
	w.mu.Unlock()
	session.Signal(syscall.SIGTERM)
	time.AfterFunc(grace, func() {
		if session.Running() {
			session.Signal(syscall.SIGKILL)
		}
	})
}
