package render

import (
	"fmt"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/internal/width"
)

// Repository is what a snapshot says of a repository that was touched.
type Repository struct {
	Path    string
	Commits []string // "abbrev subject", newest first
}

// maxSnapshot bounds a snapshot with its marks, in bytes.
const maxSnapshot = 9000

// Bounds of one line of a snapshot, in runes. A message is trimmed to the
// shorter one when room is short.
const (
	maxMessage      = 1200
	minMessage      = 200
	maxStep         = 200
	maxRepositories = 8
	maxShownCommits = 5
)

// Snapshot is the last steps of a session as of a compaction of its context: the part
// of the long document between its marks. Trigger says what made the compaction
// ("auto", "manual", or a context usage). Where it gets longer than 9,000 bytes,
// commits are left out first, then the oldest calls, then the tails of messages.
func Snapshot(t distiller.Trail, trigger string, repositories []Repository) string {
	s := snapshot{trail: t, trigger: trigger, repositories: repositories[:min(len(repositories), maxRepositories)], message: maxMessage}
	for _, r := range s.repositories {
		s.commits = max(s.commits, min(len(r.Commits), maxShownCommits))
	}
	text := s.text()
	for len(text) > maxSnapshot && s.trim() {
		text = s.text()
	}
	return text
}

type snapshot struct {
	trail        distiller.Trail
	trigger      string
	repositories []Repository
	commits      int // shown of each repository
	message      int // runes of each message
}

// trim takes the next least thing away. It ends: everything has its floor, and
// all floors together fit.
func (s *snapshot) trim() bool {
	switch {
	case s.commits > 0:
		s.commits--
	case len(s.repositories) > 0:
		s.repositories = nil
	case len(s.trail.Calls) > 0:
		s.trail.Calls = s.trail.Calls[1:]
	case s.message > minMessage:
		s.message -= minMessage
	default:
		return false
	}
	return true
}

func (s *snapshot) text() string {
	d := &longDocument{}
	d.line("%s", SnapshotStart)
	d.line("## Before the last compaction")
	d.line("Trigger: %s · last event %s", fallback(width.Truncate(clean(s.trigger), 40), "not said"), stamp(distiller.Facts{Updated: s.trail.Updated, Civil: s.trail.Civil}))
	if u := s.trail.Usage; u != nil && u.Context > 0 {
		d.line("Usage: %s", usage(*u))
	}
	if len(s.trail.Prompts) > 0 {
		d.heading("### Last messages of the user")
	}
	for _, p := range s.trail.Prompts {
		d.line("- %s", quote(width.Truncate(clean(p.Text), s.message)))
	}
	if len(s.trail.Calls) > 0 {
		d.heading("### Last calls")
	}
	for _, c := range s.trail.Calls {
		d.line("- %s", callLine(c))
	}
	s.repositoryLines(d)
	d.line("%s", SnapshotEnd)
	return d.String()
}

func (s *snapshot) repositoryLines(d *longDocument) {
	if s.commits == 0 {
		return
	}
	d.heading("### Last commits")
	for _, r := range s.repositories {
		d.line("- %s", code(r.Path, maxStep))
		for _, c := range r.Commits[:min(len(r.Commits), s.commits)] {
			d.line("  - %s", code(c, maxStep))
		}
	}
}

// callLine is one call with what came of it.
func callLine(c distiller.Step) string {
	line := code(c.What, maxStep) + ": " + fallback(clean(c.Outcome), "no result yet")
	if c.Error != "" {
		line += ", " + output(c.Error)
	}
	return line
}

// usage is how full a context is, in tokens.
func usage(u distiller.Usage) string {
	text := fmt.Sprintf("%d tokens", u.Context)
	if u.Window > 0 {
		text = fmt.Sprintf("%d of %d tokens, %d %%", u.Context, u.Window, u.Context*100/u.Window)
	}
	if u.Model != "" {
		text += " (" + strings.TrimSpace(width.Truncate(clean(u.Model), 60)) + ")"
	}
	return text
}
